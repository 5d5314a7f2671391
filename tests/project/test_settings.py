"""The project file changed in place."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo import config
from trasmallo.config import Config, CrawlConfig
from trasmallo.project.settings import change_texts
from trasmallo.values.errors import ConfigError

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
    assert file.read_text() == COMMENTED.replace("  'b'   # last\n", '  \'b\',   # last\n    "c",\n    "ñ",\n')
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
        ('[crawl]\r\nexclude = [\r\n"a",\r\n]\r\n', '[crawl]\r\nexclude = [\r\n"a",\r\n    "x",\r\n]\r\n'),
        ('\ufeff[crawl]\n"exclude" = ["a"]\n', '\ufeff[crawl]\n"exclude" = ["a", "x"]\n'),
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


@pytest.mark.parametrize("text", ['crawl.exclude = ["a"]\n', 'crawl = {exclude = ["a"]}\n'])
def test_what_only_a_person_can_change_is_left_as_it_was(file: Path, text: str) -> None:
    file.write_text(text)
    with pytest.raises(ConfigError, match=r'write there, in \[crawl\]: exclude = \["a","x"\]'):
        change_texts(file, "exclude", ["x"])
    assert file.read_text() == text


@given(before=st.lists(st.text("ab\"'\\#],ñ ", min_size=1), max_size=4), add=st.text("ab\"'\\#],=[ñ", min_size=1))
def test_only_the_key_changes(tmp_path_factory: pytest.TempPathFactory, before: list[str], add: str) -> None:
    file = tmp_path_factory.mktemp("settings") / config.FILE_NAME
    old = Config(crawl=CrawlConfig(exclude=tuple(dict.fromkeys(text + "." for text in before)), include=("a", "b")))
    config.write(old, file)
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
