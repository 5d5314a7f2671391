"""Queries that a project keeps, from Python."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trasmallo.project.project import Project
from trasmallo.results.concordance.concordance import Options
from trasmallo.values.errors import NotFound, TrasmalloError, UsageError


@pytest.fixture
def own(finished: Project, tmp_path: Path) -> Project:
    shutil.copytree(finished.folder, tmp_path / "own", ignore=shutil.ignore_patterns("queries"))
    return Project.open(tmp_path / "own")


def test_a_saved_query_gives_the_same_again(own: Project) -> None:
    asked = own.kwic('[lemma="red"]', sort="word/1,word/-1", sample=7, seed=3, where=["words>20"])
    kept = own.save_query("nets", '[lemma="red"]', sort="word/1,word/-1", sample=7, seed=3, where=["words>20"], limit=50)
    assert kept.options == {"sort": "word/1,word/-1", "sample": 7, "seed": 3, "where": ("words>20",)}
    again = own.ask_saved("nets", limit=20)
    assert (again.hits, again.total) == (asked.hits, asked.total)
    assert [one.name for one in own.saved_queries()] == ["nets"]
    assert own.remove_query("nets").query == '[lemma="red"]'
    with pytest.raises(NotFound, match="there is no saved query"):
        own.ask_saved("nets")


def test_it_keeps_its_scope(own: Project) -> None:
    part = own.subcorpus("site=127.0.0.1")
    part.save_query("nets", "red")
    assert own.saved_query("nets").scope == "site=127.0.0.1"
    assert own.ask_saved("nets").total == part.kwic("red").total < own.kwic("red").total
    other = own.subcorpus("site=127.0.0.2")
    assert other.ask_saved("nets").total == other.kwic("red").total


def test_what_cannot_be_asked_is_not_saved(own: Project) -> None:
    for query, options in (('[lemma="red"', {}), ("red", {"sample": "x"}), ("red", {"nothing": 1})):
        with pytest.raises((TrasmalloError, TypeError)):
            own.save_query("bad", query, **options)
    with pytest.raises(UsageError, match="no name for a query"):
        own.save_query("../bad", "red")
    assert own.saved_queries() == []


def test_the_history_is_written_when_it_is_asked_to_be(own: Project) -> None:
    own.kwic("red")
    assert own.query_history() == []
    own.remember_query("red", Options(sort="right", limit=3, offset=9), 47)
    (one,) = own.query_history()
    assert (one.query, one.options, one.hits) == ("red", {"sort": "right"}, 47)
    assert own.forget_history() == 1
