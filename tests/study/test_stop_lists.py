from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.study import stop_lists
from trasmallo.values.errors import UsageError

steady = settings(deadline=None, derandomize=True)


def test_standard_lists_hold_function_words_only() -> None:
    spanish, english = stop_lists.standard("es"), stop_lists.standard("en")
    assert all(word in spanish for word in ("El", "de", "habíamos", "según", "QUE"))
    assert all(word in english for word in ("The", "don’t", "itself", "of"))
    assert not any(word in spanish for word in ("casa", "Madrid", "comer"))
    assert len(stop_lists.standard("xx")) == 0


def test_union_and_difference() -> None:
    both = stop_lists.make(["uno", "dos"]) | stop_lists.make(["tres"])
    assert both - stop_lists.make(["dos"]) == stop_lists.make(["uno", "tres"])


def test_a_lemma_stands_for_all_its_forms(tmp_path: Path) -> None:
    made = stop_lists.make(["Casa", "lemma: Ir", "lemma:", " "])
    assert (made.words, made.lemmas, len(made)) == ({"casa"}, {"ir"}, 2)
    assert made.lists("fueron", "ir")
    assert made.lists("casa", "casar")
    assert not made.lists("ir", "irse")
    stop_lists.save(made, tmp_path / "own.txt")
    assert stop_lists.load(tmp_path / "own.txt") == made
    assert made.lines() == ["casa", "lemma:ir"]
    assert (made - stop_lists.make(["lemma:ir"])).lemmas == set()


def test_most_frequent_breaks_ties_by_alphabet() -> None:
    assert stop_lists.most_frequent({"de": 9, "la": 5, "casa": 1, "el": 5, "a": 5}, 3) == stop_lists.make(["de", "a", "el"])
    assert len(stop_lists.most_frequent({"de": 9}, 0)) == 0


def test_load_tolerates_a_mark_comments_and_blank_lines(tmp_path: Path) -> None:
    file = tmp_path / "own.txt"
    file.write_bytes("\ufeff# own words\r\nCasa  # a comment\n\n  día\n".encode())
    assert stop_lists.load(file) == stop_lists.make(["casa", "día"])


@steady
@given(st.lists(st.text(alphabet="aáñü-'bC", min_size=1)))
def test_what_is_saved_is_loaded(tmp_path_factory: pytest.TempPathFactory, words: list[str]) -> None:
    file = tmp_path_factory.mktemp("lists") / "own.txt"
    stop_lists.save(stop_lists.make(words), file)
    assert stop_lists.load(file) == stop_lists.make(words)
    assert [found.name for found in file.parent.iterdir()] == ["own.txt"]


@pytest.mark.parametrize("line", ["canción".encode("latin-1"), b"a\0b", "uno".encode("utf-16")])
def test_a_bad_encoding_names_the_line(tmp_path: Path, line: bytes) -> None:
    file = tmp_path / "own.txt"
    file.write_bytes(b"bien\n" + line)
    with pytest.raises(UsageError, match=r"own\.txt, line 2: .*: .*UTF-8"):
        stop_lists.load(file)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        stop_lists.load(tmp_path / "none.txt")
    with pytest.raises(UsageError, match="cannot read"):
        stop_lists.load(tmp_path)


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("fr", "les qu' était"),
        ("pt-BR", "das não você"),
        ("de", "und dass würde"),
        ("it", "della perché l'"),
        ("ca", "amb dels això"),
        ("gl", "unha máis"),
    ],
)
def test_standard_lists_of_languages_without_a_folder(language: str, words: str) -> None:
    assert all(word in stop_lists.standard(language) for word in words.split())


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("", stop_lists.StopListParts()),
        ("none", stop_lists.StopListParts()),
        ("standard", stop_lists.StopListParts(standard=True)),
        ("frequent:50", stop_lists.StopListParts(frequent=50)),
        ("standard + frequent:9 + own.txt", stop_lists.StopListParts(True, 9, ("/lists/own.txt",))),
        ("a+b.txt + /c/d.txt", stop_lists.StopListParts(files=("/lists/a+b.txt", "/c/d.txt"))),
    ],
)
def test_parts(text: str, parts: stop_lists.StopListParts) -> None:
    assert stop_lists.parse(text, Path("/lists")) == parts


def test_a_list_is_built_for_a_language(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("Barco\n", encoding="utf-8")
    built = stop_lists.build(stop_lists.parse("standard + own.txt", tmp_path), "es")
    assert built is not None
    assert all(word in built for word in ("barco", "el"))
    assert stop_lists.build(stop_lists.StopListParts(frequent=5), "es") is None
    assert "the" not in built


def test_a_list_that_has_changed_is_read_again(tmp_path: Path) -> None:
    parts = stop_lists.parse("own.txt", tmp_path)
    (tmp_path / "own.txt").write_text("barco\n")
    assert stop_lists.build(parts, "es") == stop_lists.make(["barco"])
    (tmp_path / "own.txt").write_text("muelle\n")
    assert stop_lists.build(parts, "es") == stop_lists.make(["muelle"])
    (tmp_path / "own.txt").unlink()
    with pytest.raises(UsageError, match="cannot read"):
        stop_lists.build(parts, "es")


def test_function_words_of_all_languages_that_matter() -> None:
    spanish, english = stop_lists.standard("es"), stop_lists.standard("en")
    assert stop_lists.standard_of("es", {}) == stop_lists.standard_of("es", {"es": 70, "en": 2, "": 1}) == spanish
    assert stop_lists.standard_of("es", {"es": 62, "en": 8, "xx": 9}).words == spanish.words | english.words
