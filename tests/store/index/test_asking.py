"""How a question becomes a query of tantivy."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.store.index.asking import Asked, Manner
from trasmallo.store.index.entries import IndexEntry
from trasmallo.store.index.folder import IndexWriter
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
