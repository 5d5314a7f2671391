"""The project file: what is written comes back, and what is wrong is said with its repair."""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo import config, plugins
from trasmallo.config import Config, CrawlConfig
from trasmallo.values.errors import ConfigError, UrlError

texts = st.text(max_size=20).filter(lambda text: not any(0xD800 <= ord(c) <= 0xDFFF for c in text))


def test_every_default_is_written_with_its_meaning() -> None:
    written = Config(language="en")
    text = config.render(written)
    assert config.parse(text) == written
    for section, name, _, meaning in config.describe_keys():
        assert f"# {meaning}\n{name} = " in text, (section, name)


def test_a_project_file_has_at_most_80_keys() -> None:
    assert 20 <= len(list(config.describe_keys())) <= 80


@given(texts, st.lists(texts.filter(lambda text: bool(text.isprintable() and text.strip(" $"))), max_size=4), st.floats(0, 1e6))
def test_what_is_rendered_is_read_again(contact: str, exclude: list[str], delay: float) -> None:
    crawl = CrawlConfig(contact=contact, exclude=tuple(exclude), delay=delay, sitemaps=False, seeds=("http://a.es/",))
    written = msgspec.structs.replace(Config(), crawl=crawl)
    assert config.parse(config.render(written)) == written


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('[crawl]\nexclude = ["a", " "]', "`crawl.exclude` has ' ', which every address matches: write a part of"),
        ('[crawl]\ninclude = ["a\\tb"]', "with a character that no address has: write it on one line, without tabs"),
        (
            '[crawl]\nprivate = ["a.es", "http://b/"]',
            "has 'http://b/', which is no host and no network: write a host, host:port",
        ),
        ('[crawl]\nprivate = ["0.0.0.0/0"]', "`crawl.private` has '0.0.0.0/0', which is no host and no network"),
        (
            "[clean]\nlanguages = ['es', 'Spanish']",
            "`clean.languages` has 'Spanish', which is no code of a language: write",
        ),
        ("[crawl]\ndelai = 1", "unknown key `crawl.delai`: did you mean `delay`?"),
        ("nmae = 'x'", "unknown key `nmae`: did you mean `name`?"),
        ("[crwl]", "unknown key `crwl`: did you mean `crawl`?"),
        ("[crawl]\nlines = 'x'", "the value of `crawl.lines` does not fit: it must be a whole number"),
        ("[crawl]\nlines = 0", "the value of `crawl.lines` does not fit: it must be a whole number of at least 1"),
        ("[crawl]\nscope = 'x'", "the value of `crawl.scope` does not fit: it must be one of host, domain, any"),
        ("[study]\nsegments_of = ['x']", "the value of `study.segments_of[0]` does not fit: it must be one of words, lemmas"),
        ("crawl = 3", "the value of `crawl` does not fit: it must be a section"),
        ("name = 'a/b'", "the value of `name` does not fit: it must be at most 64 letters"),
        ("x = [", "is not valid TOML"),
    ],
)
def test_bad_values_name_the_place_and_the_repair(text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        config.parse(text)
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


def test_addresses_become_canonical_and_unique() -> None:
    parsed = config.parse('[crawl]\nseeds = ["http://A.es", "http://a.es/#x"]')
    assert parsed.crawl.seeds == ("http://a.es/",)
    with pytest.raises(UrlError, match="'foo' is not a web address"):
        config.parse('[crawl]\nseeds = ["foo"]')


def test_missing_and_unreadable_files(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=f"make one with: trasmallo new {tmp_path} URL$"):
        config.load(tmp_path / config.FILE_NAME)
    (tmp_path / "latin.toml").write_bytes("name = 'ñ'".encode("latin-1"))
    with pytest.raises(ConfigError, match="save it as UTF-8$"):
        config.load(tmp_path / "latin.toml")
    with pytest.raises(ConfigError, match="check that it is a file you may read$"):
        config.load(tmp_path)


def test_write_replaces_the_file_whole(tmp_path: Path) -> None:
    path = tmp_path / config.FILE_NAME
    config.write(Config(), path)
    config.write(Config(name="otro"), path)
    assert config.load(path).name == "otro"
    assert [entry.name for entry in tmp_path.iterdir()] == [config.FILE_NAME]


def test_a_bom_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / config.FILE_NAME
    path.write_bytes(b"\xef\xbb\xbfname = 'bom'\n")
    assert config.load(path).name == "bom"


@pytest.mark.parametrize(
    "frontier", ["postgresql://me:s3cret@db/x", "postgresql://db/x?sslPassword=s3cret", "host=db password = s3cret"]
)
def test_a_password_has_no_place_in_the_project_file(frontier: str) -> None:
    with pytest.raises(ConfigError, match=r"has a password in it.*PGPASSWORD") as told:
        config.build({"cluster": {"frontier": frontier}})
    assert "s3cret" not in str(told.value)


def test_the_schema_knows_every_section() -> None:
    properties = config.schema()["$defs"]["Config"]["properties"]
    assert set(properties) == {"name", "language", "agents", "crawl", "clean", "study", "store", "web", "cluster"}


def test_a_digest_changes_with_a_value() -> None:
    assert config.digest_of(CrawlConfig()) == config.digest_of(CrawlConfig())
    assert config.digest_of(CrawlConfig()) != config.digest_of(CrawlConfig(lines=6))


def test_every_method_of_main_content_can_be_named() -> None:
    names = plugins.names("trasmallo.methods")
    assert config.schema()["$defs"]["CleanConfig"]["properties"]["method"]["enum"] == list(names)
    assert {config.build({"clean": {"method": name}}).clean.method for name in names} == set(names)
    with pytest.raises(ConfigError, match="the value of `clean.method` does not fit: it must be one of best, plain, cnr"):
        config.build({"clean": {"method": "magic"}})


def test_no_expression_of_ours_is_shown_to_people() -> None:
    patterns = re.findall(r'"pattern": "(.+?)"', json.dumps(config.schema()))
    assert len(patterns) >= 2
    for key in ("name", "language"):
        with pytest.raises(ConfigError) as told:
            config.build({key: "¡no!"})
        assert "regex" not in str(told.value)
        assert "[" not in str(told.value)


@pytest.mark.parametrize("text", ['[study]\nstop = "a\\u0000b"', '[crawl]\nexclude = ["a", "b\\u0000"]', 'name = "\\u0000"'])
def test_no_text_has_a_zero_byte(text: str) -> None:
    with pytest.raises(ConfigError, match="has a zero byte"):
        config.parse(text)
