"""The project file: what is written comes back, and what is wrong is said with its repair."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo import config
from trasmallo.config import CrawlConfig
from trasmallo.values.errors import ConfigError, UrlError


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


def test_a_digest_changes_with_a_value() -> None:
    assert config.digest_of(CrawlConfig()) == config.digest_of(CrawlConfig())
    assert config.digest_of(CrawlConfig()) != config.digest_of(CrawlConfig(lines=6))


@pytest.mark.parametrize("text", ['[study]\nstop = "a\\u0000b"', '[crawl]\nexclude = ["a", "b\\u0000"]', 'name = "\\u0000"'])
def test_no_text_has_a_zero_byte(text: str) -> None:
    with pytest.raises(ConfigError, match="has a zero byte"):
        config.parse(text)
