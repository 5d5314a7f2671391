"""What a project answers about its latest run."""

from __future__ import annotations

import pytest

from trasmallo.project.project import Project
from trasmallo.values.errors import TrasmalloError, UsageError


def test_the_answers_of_a_run_agree_with_each_other(finished: Project) -> None:
    documents = finished.summary().documents
    with finished.tables() as tables:
        assert tables.number("pages", ("drop=",)) == documents
    words = finished.table("words", limit=3)
    assert len(words) == 3
    (most,) = finished.table("words", sort="-count", limit=1)
    assert most["word"] in finished.frequent_words(5)


def test_a_word_of_the_tables_is_found_in_the_texts(finished: Project) -> None:
    (row,) = finished.table("words", where=("documents>1",), sort="-count", limit=1)
    assert finished.find(row["word"], limit=1).hits
    with finished.concordance() as concordance:
        assert concordance is not None
    assert finished.kwic(row["word"], limit=1).hits


def test_verdicts_are_given_and_taken_back(unfinished: Project) -> None:
    unfinished.judge(["guasapear"], "accepted", note="seen twice")
    (verdict,) = unfinished.verdicts()
    assert (verdict.word, verdict.verdict, verdict.note) == ("guasapear", "accepted", "seen twice")
    unfinished.judge(["guasapear"], "")
    assert unfinished.verdicts() == []


def test_a_project_without_runs_says_what_to_do(unfinished: Project) -> None:
    with pytest.raises(TrasmalloError, match="trasmallo run"):
        unfinished.summary()
    with pytest.raises(UsageError):
        unfinished.judge(["x"], "perhaps")


def test_a_word_over_time(finished: Project) -> None:
    found = finished.trend("siestabús", by="week")
    assert (found.unit, found.by, found.count) == ("word", "week", sum(period.count for period in found.periods))
    assert found.first_seen <= finished.kwic("siestabús", sort="date", limit=1).hits[0].date <= found.last_seen
    for wrong in ({"by": "year"}, {"unit": "form"}, {"language": 3}):
        with pytest.raises(UsageError, match=f"`{next(iter(wrong))}`"):
            finished.trend("siestabús", **wrong)  # type: ignore[arg-type]
