"""Values of a project file are changed, and nothing else in it."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo import config
from trasmallo.config import Config, CrawlConfig
from trasmallo.project.editing import change_values, digest, read_text, write_text, write_values
from trasmallo.values.errors import ConfigError, ProjectChanged

OWN = """\
# mine
name = "cats"   # the name

[crawl]
lines = 5 # five
seeds = [ # where
  "https://a.example/", # first
]

[study]
stop = 'none'
"""
values = st.fixed_dictionaries(
    {},
    optional={
        "name": st.from_regex(r"\A[a-z][a-z .-]{0,20}\Z"),
        "crawl.lines": st.integers(1, 2_000),
        "crawl.delay": st.floats(0, 100, allow_nan=False),
        "crawl.feeds": st.booleans(),
        "crawl.exclude": st.lists(st.text(st.characters(codec="utf-8", exclude_categories=["C", "Z"]), min_size=2), max_size=3),
        "study.stop": st.text(max_size=20),
        "clean.favour": st.floats(0, 1),
    },
)


@given(values)
def test_the_result_is_the_old_values_with_the_new_ones(changes: dict[str, Any]) -> None:
    for text in (OWN, config.render(Config(name="x")), "", OWN.replace("\n", "\r\n")):
        expected = tomllib.loads(text)
        for key, value in changes.items():
            section, _, name = key.rpartition(".")
            (expected.setdefault(section, {}) if section else expected)[name] = value
        changed = change_values(text, changes)
        assert tomllib.loads(changed) == expected
        assert change_values(changed, changes) == changed


def test_comments_and_order_stay() -> None:
    changed = change_values(
        OWN, {"crawl.lines": 3, "name": "dogs", "crawl.seeds": ["https://b.example/"], "study.stop": "standard"}
    )
    assert changed == (
        OWN.replace("lines = 5 # five", "lines = 3 # five")
        .replace('"cats"   # the name', '"dogs"   # the name')
        .replace("'none'", '"standard"')
        .replace('[ # where\n  "https://a.example/", # first\n]', '[\n    "https://b.example/",\n]')
    )


def test_what_is_the_same_is_not_touched() -> None:
    assert change_values(OWN, {"crawl.lines": 5, "crawl.seeds": ["https://a.example/"]}) == OWN


def test_what_only_a_person_can_change_is_refused() -> None:
    with pytest.raises(ConfigError, match="only a person"):
        change_values("crawl = { lines = 5 }\n", {"crawl.lines": 3})
    with pytest.raises(ConfigError, match="not valid TOML"):
        change_values("x", {"crawl.lines": 3})


def test_nothing_wrong_is_written(tmp_path: Path) -> None:
    path = tmp_path / "trasmallo.toml"
    path.write_text(OWN)
    with pytest.raises(ConfigError):
        write_values(path, {"crawl.lines": 0})
    with pytest.raises(ConfigError):
        write_text(path, "lines")
    assert path.read_text() == OWN


def test_a_file_that_somebody_changed_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "trasmallo.toml"
    path.write_text(OWN)
    seen = digest(read_text(path))
    write_values(path, {"crawl.lines": 3}, seen)
    with pytest.raises(ProjectChanged):
        write_values(path, {"crawl.lines": 4}, seen)
    with pytest.raises(ProjectChanged):
        write_text(path, OWN, seen)
    assert config.load(path).crawl.lines == 3


def test_a_byte_order_mark_stays(tmp_path: Path) -> None:
    path = tmp_path / "trasmallo.toml"
    path.write_text("\ufeff" + OWN)
    assert write_values(path, {"crawl.lines": 3}).crawl == msgspec.structs.replace(
        CrawlConfig(), lines=3, seeds=("https://a.example/",)
    )
    assert path.read_text().startswith("\ufeff# mine")


def test_what_is_no_text_is_told(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        read_text(tmp_path / "none")
    (tmp_path / "x").write_bytes(b"\xff")
    with pytest.raises(ConfigError):
        read_text(tmp_path / "x")
