from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.study import languages
from trasmallo.study.tokenise import key, tokenise
from trasmallo.values.errors import UsageError

RULED = sorted({languages.choose(language.code) for language in languages.known()})
"""The languages with rules of their own, and und."""


@pytest.mark.parametrize(
    ("tag", "folder"), [("es", "es"), ("ES_mx", "es"), ("en-GB", "en"), ("", "und"), ("../es", "und"), ("qq", "und")]
)
def test_a_tag_finds_its_folder(tag: str, folder: str) -> None:
    assert languages.load(tag).code == languages.choose(tag) == folder


def test_what_a_language_lacks_is_that_of_und_or_nothing() -> None:
    catalan = languages.find("ca-ES")
    assert catalan is not None
    assert catalan.has("stopwords.txt")
    assert not catalan.has("tokens.toml")
    assert catalan.content("tokens.toml") == languages.load("und").content("tokens.toml") != b""
    assert catalan.content("no such file") == b""
    assert (catalan.splitting, catalan.segmenting, catalan.measuring) == (None, None, None)
    assert languages.find("qq") is languages.find("") is None


@pytest.mark.parametrize("language", languages.known(), ids=lambda language: language.code)
def test_every_language_has_names_and_files_that_are_known(language: languages.Language) -> None:
    described = language.description
    assert described.english != language.code != described.spanish
    assert set(described.stemmers) <= set(described.compared)
    assert all(language.stemming(name) for name in described.stemmers)
    own = {f"{name}.py" for name in described.stemmers.values()} | {"krovetz.rules", "headwords.txt.zst", "headwords.LICENSE"}
    files = {path.name for path in (Path(languages.__file__).parent / language.code).iterdir() if path.name[0] != "_"}
    assert files <= {*languages.FILES, *own, "splitting.toml"}


def test_rows_have_cells_and_no_comments() -> None:
    rows = languages.load("es").rows("tags.tsv")
    assert rows[0] == ["N", "NOUN", ""]


@pytest.mark.parametrize("code", RULED)
def test_every_abbreviation_is_one_token(code: str) -> None:
    language = languages.load(code)
    assert len(language.abbreviations) == len(language.lines("abbreviations.txt"))
    for entry in language.abbreviations:
        assert entry.endswith(".")
        assert [token.word for token in tokenise(f"{entry} x", code)] == [entry, "x"]


@pytest.mark.parametrize("code", RULED)
def test_stop_words_are_written_as_they_are_counted(code: str) -> None:
    assert all(word == key(word) for word in languages.load(code).stopwords)


def test_sizes_of_the_standard_lists() -> None:
    assert len(languages.load("es").stopwords) >= 300
    assert len(languages.load("en").stopwords) >= 180


@pytest.mark.parametrize("code", ["ca", "de", "fr", "gl", "it", "pt"])
def test_stop_words_of_languages_without_a_folder(code: str) -> None:
    words = languages.stopwords(code)
    assert len(words) >= 150
    assert all(word == key(word) for word in words)
    assert languages.stopwords(code.upper() + "_XX") == words


def test_stop_words_of_a_folder_and_of_nowhere() -> None:
    assert languages.stopwords("es-MX") == languages.load("es").stopwords
    assert languages.stopwords("../fr") == languages.stopwords("qq") == frozenset()


def test_a_language_of_which_nothing_is_known_is_told() -> None:
    for tag in ("es", "es-MX", "JA", languages.GENERIC):
        languages.check_known(tag)
    with pytest.raises(UsageError, match="nothing is known of the language 'xx': choose one of ar, ca"):
        languages.check_known("xx")
