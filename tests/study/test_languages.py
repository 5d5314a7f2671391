from __future__ import annotations

import pytest

from trasmallo.study import languages
from trasmallo.study.tokenise import key, tokenise


@pytest.mark.parametrize(
    ("tag", "folder"), [("es", "es"), ("ES_mx", "es"), ("en-GB", "en"), ("", "und"), ("../es", "und"), ("qq", "und")]
)
def test_a_tag_finds_its_folder(tag: str, folder: str) -> None:
    assert languages.load(tag).code == languages.choose(tag) == folder


@pytest.mark.parametrize("code", sorted(languages.available()))
def test_every_folder_has_the_same_files(code: str) -> None:
    assert all(languages.content(code, name) for name in languages.FILES)
    assert languages.content(code, "no such file") == b""


def test_rows_have_cells_and_no_comments() -> None:
    rows = languages.rows("es", "tags.tsv")
    assert rows[0] == ["N", "NOUN", ""]


@pytest.mark.parametrize("code", sorted(languages.available()))
def test_every_abbreviation_is_one_token(code: str) -> None:
    language = languages.load(code)
    assert len(set(language.abbreviations)) == len(language.abbreviations)
    for entry in language.abbreviations:
        assert entry.endswith(".")
        assert [token.word for token in tokenise(f"{entry} x", code)] == [entry, "x"]


@pytest.mark.parametrize("code", sorted(languages.available()))
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
