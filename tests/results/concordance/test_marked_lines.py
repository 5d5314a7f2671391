"""Marked lines are found again in results that were made anew, and hits know their groups."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from support.concordance_run import TEXTS, make_run
from trasmallo.results.concordance.concordance import Concordance, Options
from trasmallo.results.concordance.lines import Hit
from trasmallo.results.concordance.marked_lines import count_group, find_again, lines_of
from trasmallo.results.database.tables import Tables
from trasmallo.store.line_groups import MarkedLine, put_into, take_out_of
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import NotFound


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return make_run(tmp_path)


@pytest.fixture
def concordance(run: Run) -> Iterator[Concordance]:
    with Concordance(run, "es") as found:
        yield found


def marked(run: Run, hits: tuple[Hit, ...]) -> list[MarkedLine]:
    with Tables(run) as tables:
        return lines_of(tables, ((one.document, one.url, one.start, one.end, one.title) for one in hits), "casa")


def test_hits_are_kept_with_what_stands_around_them(run: Run, concordance: Concordance) -> None:
    hits = concordance.find("casa").hits
    for hit, line in zip(hits, marked(run, hits), strict=True):
        text = TEXTS[hit.url]
        assert text[line.start : line.end] == line.hit
        assert text.find(line.left + line.hit + line.right) == line.start - len(line.left)


def test_only_the_lines_of_a_group_or_none_of_it(run: Run, concordance: Concordance) -> None:
    every = concordance.find("casa").hits
    put_into(run.project, "first two", marked(run, every[:2]))
    put_into(run.project, "second", marked(run, every[1:2]))
    assert [one.groups for one in concordance.find("casa").hits] == [("first two",), ("first two", "second"), (), (), ()]
    within = concordance.find("casa", Options(in_group="first two"))
    assert (within.total, [hit.position for hit in within.hits]) == (2, [hit.position for hit in every[:2]])
    assert concordance.find("casa", Options(in_group="first two", not_in=("second",))).total == 1
    assert concordance.find("casa", Options(not_in=("first two",))).total == 3
    assert concordance.find("la casa", Options(in_group="first two")).total == 0, "another range of tokens is another line"
    assert sum(row.count for row in concordance.breakdown("casa", "word/1", Options(in_group="first two")).rows) == 2
    take_out_of(run.project, "second", [(every[1].document, every[1].start, every[1].end)])
    assert concordance.find("casa", Options(in_group="second")).total == 0
    with pytest.raises(NotFound, match="did you mean"):
        concordance.find("casa", Options(in_group="secnd"))


def test_so_many_of_each_document(concordance: Concordance) -> None:
    every = concordance.find("casa").hits
    assert max(sum(one.document == other.document for one in every) for other in every) > 1
    for seed in (1, 2, 3):
        some = concordance.find("casa", Options(per_document=1, seed=seed))
        assert some.total == some.documents == len({one.document for one in every})
        assert some == concordance.find("casa", Options(per_document=1, seed=seed))
    chosen = {
        tuple(hit.position for hit in concordance.find("casa", Options(per_document=1, seed=seed)).hits) for seed in range(20)
    }
    assert len(chosen) > 1
    assert concordance.find("casa", Options(per_document=100)).hits == every


def test_lines_are_found_again_in_another_text(run: Run, concordance: Concordance) -> None:
    (line,) = marked(run, concordance.find('"blanca"').hits)
    with Tables(run) as tables:
        here, moved, lost, gone = find_again(
            tables,
            [
                line,
                msgspec.structs.replace(line, digest="another", start=line.start - 3, end=line.end - 3),
                msgspec.structs.replace(line, digest="another", left="una cosa "),
                msgspec.structs.replace(line, document="nowhere"),
            ],
        )
        told = count_group(tables, "g", [line, lost.line, gone.line])
    assert (here.state, here.start, here.end) == ("here", line.start, line.end)
    assert (moved.state, moved.start, moved.end) == ("moved", line.start, line.end)
    assert (lost.state, gone.state, lost.start) == ("lost", "lost", -1)
    assert (told.lines, told.documents, told.moved, told.lost) == (3, 2, 0, 2)


def test_a_line_that_stands_twice_is_lost_rather_than_mistaken(run: Run) -> None:
    (document, text), *_ = Tables(run).select("SELECT document, text FROM texts WHERE text LIKE 'Una casa es%'")
    line = MarkedLine(
        url="http://a.es/dos", document=document, start=999, end=1003, hit="casa", left="", right="", digest="another"
    )
    assert text.count("casa") > 1
    with Tables(run) as tables:
        assert find_again(tables, [line])[0].state == "lost"
