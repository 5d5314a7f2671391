"""The project file changed in place."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo import config, config_text
from trasmallo.config import Config, CrawlConfig
from trasmallo.project.settings import change_texts, change_values, digest, read_text, write_text, write_values
from trasmallo.values.errors import ConfigError, ProjectChanged

COMMENTED = """\
name = "x"  # ours

[crawl]
# what we do not want
exclude = [  # inside
  "a",  # sports
  # between
  'b'   # last
  # end
]  # after
pages = 3

[clean]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / config.FILE_NAME


def test_comments_stay(file: Path) -> None:
    file.write_text(COMMENTED)
    assert change_texts(file, "exclude", ["c", "ñ"]) == ("a", "b", "c", "ñ")
    assert file.read_text() == COMMENTED.replace("  'b' ", "  'b', ").replace("  # end\n", '  # end\n  "c",\n  "ñ",\n')
    assert change_texts(file, "exclude", remove=["a", "c", "ñ"]) == ("b",)
    assert file.read_text() == COMMENTED.replace('  "a",  # sports\n', "").replace("'b' ", "'b', ")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[crawl]\nexclude = [\n    "x",\n]\n'),
        ('name = "a"', 'name = "a"\n\n[crawl]\nexclude = [\n    "x",\n]\n'),
        ("[crawl]", '[crawl]\nexclude = [\n    "x",\n]\n'),
        ("[crawl]\npages = 3\n", '[crawl]\nexclude = [\n    "x",\n]\npages = 3\n'),
        ("[crawl]\nexclude = []\n", '[crawl]\nexclude = [\n    "x",\n]\n'),
        ('[crawl]\nexclude = ["a"] # c\n', '[crawl]\nexclude = ["a", "x"] # c\n'),
        ('[crawl]\nexclude = ["a",]', '[crawl]\nexclude = ["a", "x"]'),
        ('[crawl]\r\nexclude = [\r\n"a",\r\n]\r\n', '[crawl]\r\nexclude = [\r\n"a",\r\n"x",\r\n]\r\n'),
        ('\ufeff[crawl]\n"exclude" = ["a"]\n', '\ufeff[crawl]\n"exclude" = ["a", "x"]\n'),
        ('crawl.exclude = ["a"]\n', 'crawl.exclude = ["a", "x"]\n'),
        ('crawl = {exclude = ["a"]}\n', 'crawl = {exclude = ["a", "x"]}\n'),
        ("crawl.pages = 3 # three\n", 'crawl.exclude = [\n    "x",\n]\ncrawl.pages = 3 # three\n'),
        ("[crawl]\n# of the rest\n[clean]\n", '[crawl]\nexclude = [\n    "x",\n]\n# of the rest\n[clean]\n'),
        (
            '[crawl]\ncontact = """\n[clean]\nexclude = ["q"]\n"""\n',
            '[crawl]\nexclude = [\n    "x",\n]\ncontact = """\n[clean]\nexclude = ["q"]\n"""\n',
        ),
    ],
)
def test_ways_of_writing(file: Path, before: str, after: str) -> None:
    file.write_bytes(before.encode())
    change_texts(file, "exclude", ["x"])
    assert file.read_bytes().decode() == after


@given(before=st.lists(st.text("ab\"'\\#],ñ ", min_size=1), max_size=4), add=st.text("ab\"'\\#],=[ñ", min_size=1))
def test_only_the_key_changes(tmp_path_factory: pytest.TempPathFactory, before: list[str], add: str) -> None:
    file = tmp_path_factory.mktemp("settings") / config.FILE_NAME
    old = Config(crawl=CrawlConfig(exclude=tuple(dict.fromkeys(text + "." for text in before)), include=("a", "b")))
    config_text.write(old, file)
    values = tomllib.loads(file.read_text(encoding="utf-8"))
    found = change_texts(file, "exclude", [add])
    values["crawl"]["exclude"] = list(found)
    assert tomllib.loads(file.read_text(encoding="utf-8")) == values
    assert change_texts(file, "exclude", remove=[add]) == tuple(text for text in old.crawl.exclude if text != add)


def test_permissions_and_links_stay(file: Path, tmp_path: Path) -> None:
    real = tmp_path / "elsewhere.toml"
    real.write_text("[crawl]\n")
    real.chmod(0o600)
    file.symlink_to(real)
    change_texts(file, "include", ["/a/*"])
    assert file.is_symlink()
    assert (real.stat().st_mode & 0o777, config.load(file).crawl.include) == (0o600, ("/a/*",))


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
    for text in (OWN, config_text.render(Config(name="x")), "", OWN.replace("\n", "\r\n")):
        expected = tomllib.loads(text)
        for key, value in changes.items():
            section, _, name = key.rpartition(".")
            (expected.setdefault(section, {}) if section else expected)[name] = value
        changed = change_values(text, changes)
        assert tomllib.loads(changed) == expected
        assert change_values(changed, changes) == changed


def test_comments_and_order_of_values_stay() -> None:
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


def test_what_is_no_project_file_is_refused() -> None:
    with pytest.raises(ConfigError, match="only a person"):
        change_values("[crawl]\nlines = 5\n[study]\n[crawl.more]\n", {"crawl.lines": 3})
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
