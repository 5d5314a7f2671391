"""The card of a candidate for a new word."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.counted_documents import tokens_of
from support.runs import PAGES, make_run
from trasmallo.config import Config
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.candidates import find_candidate
from trasmallo.results.database.tables import Tables
from trasmallo.results.rows import PageRow, TextRow, UnknownRow
from trasmallo.results.tables.words import WordRow
from trasmallo.store.parts import write_part
from trasmallo.values.errors import UsageError


def test_a_card_tells_where_and_when(tmp_path: Path) -> None:
    with Tables(make_run(tmp_path)) as tables:
        card = find_candidate(tables, "guasapeo")
        assert find_candidate(tables, "Guasapeo") == card
        with pytest.raises(UsageError, match="neologisms"):
            find_candidate(tables, "casa")
    assert card.figures["count"] == 5
    assert card.figures["verdict"] == ""
    assert dict(card.sites) == {"a0.es": 2, "a1.es": 1, "a2.es": 1, "a3.es": 1}
    assert card.days == (("1970-01-01", 5),)
    assert card.countries == (("es", 5),)
    first = card.contexts[0]
    assert (first.document, first.left, first.word, first.right) == (PAGES[0], "un ", "guasapeo", " más")
    assert len({context.url for context in card.contexts[:4]}) == 4


@pytest.mark.parametrize(
    ("word", "text", "start"),
    [
        ("net", "la internet y la net de todos", 17),
        ("chatear", "Chatear y chatear y chatear", 10),
        ("chatear", "Chatear y\n chatear y chatear", 11),
        ("chatear", "chatear, chatear", 0),
        ("o'hare", "O’Hare voló", 0),
    ],
)
def test_the_occurrence_itself_is_marked(tmp_path: Path, word: str, text: str, start: int) -> None:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    page = PageRow(PAGES[0], "http://a.es/", "a.es", 1.0, "t", "es", "utf-8", "text/html", 9, "x", 5)
    context = " ".join(text.split())
    listed = {
        "pages": [page],
        "texts": [TextRow(PAGES[0], text, "00")],
        "unknown": [UnknownRow(PAGES[0], word, "candidate", "", start, context)],
        "profiles": [],
        "links": [],
    }
    write_part(run.parts, "1", listed, tokens_of([WordRow(PAGES[0], word, 1, 0)]))
    with Tables(run) as tables:
        (found,) = find_candidate(tables, word).contexts
    assert found.title == "t"
    assert " ".join(found.quotation.split()) in context
    assert (found.left + found.word + found.right, found.word) == (context, text[start : start + len(word)])
    assert found.left.split() == text[:start].split()


def test_a_quotation_is_the_sentence_of_the_word(tmp_path: Path) -> None:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    page = PageRow(PAGES[0], "http://a.es/", "a.es", 1.0, "t", "es", "utf-8", "text/html", 9, "x", 5)
    text = "Uno dos tres. " * 60 + "Hoy abre la barcoteca del puerto. " + "Luego no hay nada. " * 90
    start = text.index("barcoteca")
    listed = {
        "pages": [page],
        "texts": [TextRow(PAGES[0], text, "00")],
        "unknown": [UnknownRow(PAGES[0], "barcoteca", "candidate", "", start, "la barcoteca del")],
    }
    write_part(run.parts, "1", listed, tokens_of([WordRow(PAGES[0], "barcoteca", 1, 0)]))
    with Tables(run) as tables:
        (found,) = find_candidate(tables, "barcoteca").contexts
    assert found.quotation == "Hoy abre la barcoteca del puerto."
