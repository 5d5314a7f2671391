"""The segments of each page: those of the corpus, counted in each document."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from support.counted_documents import rows_of as counted
from trasmallo.config import Config, StudyConfig
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.builders.counts import TokenSource
from trasmallo.results.builders.page_segments import segments_by_page
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.rows import PageRow
from trasmallo.results.run_corpus import compile_corpus, open_corpus
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Builder
from trasmallo.study.sentences import cut

TEXTS = {
    "a": "La red de pesca. La red de arrastre. La red de pesca rota.",
    "b": "Una red de pesca y la red de pesca.",
    "c": "Nada que ver.",
    "d": "La Red de Pesca.",
}


@pytest.fixture
def run(tmp_path: Path) -> Run:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    builder = Builder()
    for url, text in TEXTS.items():
        builder.add(document_tokens(document_id(url), *cut(text, "es")))
    pages = [PageRow(document_id(url), url, "h", 1.0, "t", "es", "utf-8", "text/html", 9, "x", 5) for url in TEXTS]
    write_part(run.parts, "1", {"pages": pages}, builder)
    return run


def rows_of(run: Run, study: StudyConfig, table: str = "segments_by_page") -> list[tuple[object, ...]]:
    """Rows as they are made: a document comes first."""
    with Tables(run, study) as tables:
        names = sorted(tables.columns_of(table), key=lambda name: name != "document")
        return list(tables.ask(table, Question(columns=tuple(names))))


def naive(text: str, longest: int) -> Counter[str]:
    """Every sequence of words inside a sentence."""
    found: Counter[str] = Counter()
    for sentence in text.lower().split("."):
        words = sentence.split()
        for length in range(2, longest + 1):
            found.update(" ".join(words[at : at + length]) for at in range(len(words) - length + 1))
    return found


@pytest.mark.parametrize("at_once", [1, 1 << 18])
def test_each_document_has_its_share_of_the_segments(run: Run, at_once: int) -> None:
    study = StudyConfig(segment_words=4, segment_frequency=2)
    totals = sum((naive(text, 4) for text in TEXTS.values()), Counter[str]())
    expected = {
        (document_id(url), segment, count)
        for url, text in TEXTS.items()
        for segment, count in naive(text, 4).items()
        if totals[segment] >= 2
    }
    rows = counted(segments_by_page(TokenSource(open_corpus(run), study, at_once=at_once)))
    assert rows == rows_of(run, study)
    assert {(row[0], row[1], row[3]) for row in rows} == expected
    assert len(rows) == len(expected)
    summed: Counter[object] = Counter()
    for _, segment, _, count, *_ in rows:
        summed[segment] += int(str(count))
    assert summed == {row[0]: row[2] for row in rows_of(run, study, "segments")}, "the same as those of the corpus"
    assert rows == sorted(rows, key=lambda row: (row[0], row[4], -int(str(row[3])), -int(str(row[2])), row[1]))


def test_lists_and_choices_hold_for_pages_too(run: Run) -> None:
    study = StudyConfig(segments="maximal", segments_of=("words", "characters"), segment_frequency=3)
    rows = rows_of(run, study)
    assert {row[4] for row in rows} == {"words", "characters"}
    of_corpus = {(row[0], row[4]) for row in rows_of(run, study, "segments")}
    assert {(row[1], row[4]) for row in rows} == of_corpus
    assert rows_of(run, StudyConfig(segment_words=1)) == []


def test_ranges_tell_the_rows_of_each_page(run: Run) -> None:
    study = StudyConfig(segment_frequency=2)
    compile_corpus(run)
    compile_tables(run, study)
    with Tables(run) as tables:
        only = Question(columns=("document",))
        listed = {name: [row[0] for row in tables.ask(name, only)] for name in ("words_by_page", "segments_by_page")}
        names = ("document", "words_first", "words_last", "segments_first", "segments_last")
        ranges = list(tables.ask("ranges", Question(columns=names)))
    assert len(ranges) == len(TEXTS)
    for document, words_first, words_last, first, last in ranges:
        assert listed["words_by_page"][words_first - 1 : words_last] == [document] * listed["words_by_page"].count(document)
        own = listed["segments_by_page"].count(document)
        assert (first, last) == (None, None) if not own else listed["segments_by_page"][first - 1 : last] == [document] * own
