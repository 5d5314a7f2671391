"""How a question becomes a query of tantivy."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.store.index.asking import Asked, Manner
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter, begin_with
from trasmallo.store.index.searcher import Searcher


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder: Path = tmp_path_factory.mktemp("store") / "index"
    texts = ["la red rota", "las redes nuevas", "un barco"]
    with IndexWriter(folder) as writer:
        writer.add(
            [
                IndexEntry(
                    f"{number:016x}", f"http://a.es/{number}", "a.es", 0.0, "", "es", "text/html", text, groups=("ours",)
                )
                for number, text in enumerate(texts)
            ]
        )
        writer.seal()
    return Searcher(folder)


def ask(searcher: Searcher, query: str, **manner: object) -> Asked:
    return searcher.ask(query, Manner(**manner), lambda term, _listing: ["redes"] if term == "red" else [])  # type: ignore[arg-type]


def test_a_word_stands_for_its_mates_and_a_quoted_one_for_itself(searcher: Searcher) -> None:
    assert ask(searcher, "red", groups=None).mates == {"red": ("redes",)}
    assert ask(searcher, '"red"', groups=None).mates == {}


def test_who_may_not_see_a_document_is_told_so_in_the_query(searcher: Searcher) -> None:
    assert ask(searcher, "red", groups=None).limits is None
    for groups, found in (((), 0), (("others",), 0), (("ours",), 2)):
        assert searcher.search(ask(searcher, "red", groups=groups)).total == found


def test_terms_to_highlight_are_those_asked_for(searcher: Searcher) -> None:
    asked = ask(searcher, "red barco -vela", groups=None)
    assert {"red", "redes", "barco"} <= set(asked.terms)
    assert "vela" not in asked.terms
    assert asked.words == ("red", "barco")


@pytest.fixture(scope="module")
def bilingual(tmp_path_factory: pytest.TempPathFactory) -> Searcher:
    folder: Path = tmp_path_factory.mktemp("store") / "index"
    texts = [
        ("es", "la casa blanca"),
        ("es", "casas de campo"),
        ("en", "in any case the house"),
        ("en", "casa is Spanish, casas too"),
    ]
    with IndexWriter(folder) as writer:
        writer.add(
            IndexEntry(f"{number:016x}", f"http://a.es/{number}", "a.es", 0.0, "", language, "text/html", text)
            for number, (language, text) in enumerate(texts)
        )
        writer.seal()
    return Searcher(folder)


def mates_of_casa(term: str, _listing: object) -> list[str]:
    return ["casas", "case"] if term == "casa" else []


@pytest.mark.parametrize(("language", "found"), [("es", {0, 1, 3}), ("en", {0, 2, 3}), ("", {0, 1, 2, 3}), ("fr", {0, 3})])
def test_other_forms_count_in_documents_of_their_language(bilingual: Searcher, language: str, found: set[int]) -> None:
    for all_words in (False, True):
        asked = bilingual.ask("casa", Manner(language=language, all_words=all_words), mates_of_casa)
        assert {int(hit.document.id, 16) for hit in bilingual.search(asked).hits} == found
    conjunction = bilingual.conjunction("casa", Manner(language=language), mates_of_casa)
    assert bilingual.number_of(conjunction) == len(found)


def test_other_forms_are_marked_in_documents_of_their_language(bilingual: Searcher) -> None:
    asked = bilingual.ask("casa", Manner(language="es"), mates_of_casa)
    hits = {int(hit.document.id, 16): hit.snippet.pieces for hit in bilingual.search(asked).hits}
    marked = {number: [piece.text for piece in pieces if piece.hit] for number, pieces in hits.items()}
    assert marked == {0: ["casa"], 1: ["casas"], 3: ["casa"]}


def test_a_public_document_that_was_removed_does_not_open_another(tmp_path: Path) -> None:
    """Frequencies still count what was removed: two of two documents would seem to be public."""
    before, folder = tmp_path / "before", tmp_path / "index"
    about = ("http://a.es/", "a.es", 0.0, "", "es", "text/html", "una red")
    with IndexWriter(before) as writer:
        writer.add(IndexEntry(f"{number:016x}", *about) for number in range(2))
        writer.seal()
    begin_with(before, folder)
    with IndexWriter(folder, whole=True) as writer:
        writer.remove([f"{1:016x}"])
        writer.add([IndexEntry(f"{2:016x}", *about, groups=("ours",))])
        writer.seal(removed=1)
    searcher = Searcher(folder)
    assert [searcher.search(searcher.ask("red", Manner(groups=groups))).total for groups in ((), ("ours",), None)] == [1, 2, 2]
