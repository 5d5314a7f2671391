"""Who asks while parts are merged, or while the run ends, gets an answer, and every document once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from trasmallo.config import Config
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.pipeline.completion import complete, remove_parts
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.concordance.concordance import Concordance
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.rows import PageRow, TextRow
from trasmallo.store.parts import document_id, merge_parts, write_part
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Builder
from trasmallo.study.sentences import cut

PARTS = 150
TEXT = "La casa está en la costa."


@pytest.fixture
def run(tmp_path: Path) -> Run:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    run.save()
    add_part(run, 0)
    return run


def add_part(run: Run, number: int) -> None:
    """A part of one document."""
    url, builder = f"http://a.es/{number}", Builder()
    document = document_id(url)
    builder.add(document_tokens(document, *cut(TEXT, "es")))
    page = PageRow(document, url, "a.es", 0.0, "Casa", "es", "utf-8", "text/html", 1, "", words=6)
    write_part(run.parts, f"{number + 1:08d}-7", {"pages": [page], "texts": [TextRow(document, TEXT, "")]}, builder)


def write_and_merge(run: Run) -> None:
    """What a crawl at full speed does to the parts."""
    for number in range(1, PARTS):
        add_part(run, number)
        merge_parts(run.parts, most=6)


def test_every_answer_is_whole_while_parts_are_merged(run: Run) -> None:
    writing = threading.Thread(target=write_and_merge, args=(run,))
    writing.start()
    seen = 0
    try:
        with Tables(run) as held:
            while writing.is_alive():
                with Concordance(run, "es") as concordance:
                    found = concordance.find("casa")
                assert found.total == found.documents >= seen
                assert len({hit.url for hit in found.hits}) == min(found.total, 20)
                seen = found.total
                rows = list(held.ask("pages", Question(columns=("url",), limit=PARTS)))
                assert len({row[0] for row in rows}) == len(rows) >= 1
    finally:
        writing.join()
    with Concordance(run, "es") as concordance:
        assert concordance.find("casa").total == PARTS


def test_who_asked_before_a_run_ended_goes_on_asking(run: Run) -> None:
    write_and_merge(run)
    with Tables(run) as tables, Concordance(run, "es") as concordance:
        before = list(tables.ask("pages", Question(limit=PARTS, sort="url"))), concordance.find("casa")
        complete(run, Config(), lambda _event: None, finished=True)
        remove_parts(run)
        run.mark("finished")
        assert (list(tables.ask("pages", Question(limit=PARTS, sort="url"))), concordance.find("casa")) == before
        assert tables.number("pages") == tables.number("pages", ("words>1",)) == PARTS
