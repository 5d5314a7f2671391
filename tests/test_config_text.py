"""The project file as text: what is written comes back."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo import config, config_text, plugins
from trasmallo.config import Config, CrawlConfig
from trasmallo.values.errors import ConfigError

texts = st.text(max_size=20).filter(lambda text: not any(c == "\0" or 0xD800 <= ord(c) <= 0xDFFF for c in text))


def test_every_default_is_written_with_its_meaning() -> None:
    written = Config(language="en")
    text = config_text.render(written)
    assert config.parse(text) == written
    for section, name, _, meaning in config_text.describe_keys():
        assert f"# {meaning}\n{name} = " in text, (section, name)


def test_a_project_file_has_at_most_80_keys() -> None:
    assert 20 <= len(list(config_text.describe_keys())) <= 80


@given(texts, st.lists(texts.filter(lambda text: bool(text.isprintable() and text.strip(" $"))), max_size=4), st.floats(0, 1e6))
def test_what_is_rendered_is_read_again(contact: str, exclude: list[str], delay: float) -> None:
    crawl = CrawlConfig(contact=contact, exclude=tuple(exclude), delay=delay, sitemaps=False, seeds=("http://a.es/",))
    written = msgspec.structs.replace(Config(), crawl=crawl)
    assert config.parse(config_text.render(written)) == written


def test_write_replaces_the_file_whole(tmp_path: Path) -> None:
    path = tmp_path / config.FILE_NAME
    config_text.write(Config(), path)
    config_text.write(Config(name="otro"), path)
    assert config.load(path).name == "otro"
    assert [entry.name for entry in tmp_path.iterdir()] == [config.FILE_NAME]


def test_the_schema_knows_every_section() -> None:
    properties = config_text.schema()["$defs"]["Config"]["properties"]
    assert set(properties) == {"name", "language", "agents", "crawl", "clean", "study", "store", "web", "cluster"}


def test_every_method_of_main_content_can_be_named() -> None:
    names = plugins.names("trasmallo.methods")
    assert config_text.schema()["$defs"]["CleanConfig"]["properties"]["method"]["enum"] == list(names)
    assert {config.build({"clean": {"method": name}}).clean.method for name in names} == set(names)
    with pytest.raises(ConfigError, match="the value of `clean.method` does not fit: it must be one of best, plain, cnr"):
        config.build({"clean": {"method": "magic"}})


def test_no_expression_of_ours_is_shown_to_people() -> None:
    patterns = re.findall(r'"pattern": "(.+?)"', json.dumps(config_text.schema()))
    assert len(patterns) >= 2
    for key in ("name", "language"):
        with pytest.raises(ConfigError) as told:
            config.build({key: "¡no!"})
        assert "regex" not in str(told.value)
        assert "[" not in str(told.value)
