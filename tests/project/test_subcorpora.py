"""Which folder answers: the project's own, or that of a subcorpus."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trasmallo.project.project import Project
from trasmallo.store.subcorpora import Scope
from trasmallo.values.errors import NotFound, UsageError


@pytest.fixture
def own(finished: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    """A project that has run, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    shutil.copytree(finished.folder, tmp_path / "own")
    return Project.open(tmp_path / "own")


def test_who_may_read_all_and_asks_about_all_is_answered_by_the_project(own: Project) -> None:
    assert own.home == own.folder
    assert own.store == own.folder / "store"
    assert not own.restricted
    assert not own.scope


def test_every_figure_is_of_the_subcorpus(own: Project) -> None:
    pages = [row for row in own.table("pages") if row["language"] == "es"]
    documents = [row for row in pages if not row["drop"]]
    spanish = own.subcorpus("language=es")
    assert 0 < len(documents) < sum(not row["drop"] for row in own.table("pages"))
    assert {row["url"] for row in spanish.table("pages")} == {row["url"] for row in pages}
    counted = sum(row["count"] for row in spanish.table("words"))
    assert counted == sum(row["count"] for row in own.table("words_by_page") if row["document"] in _ids(documents))
    assert spanish.summary().words == spanish.laws().words == counted
    assert spanish.folder == own.folder


def _ids(rows: list[dict[str, object]]) -> set[object]:
    return {row["document"] for row in rows}


def test_a_subcorpus_is_made_once(own: Project) -> None:
    first = own.subcorpus("language=es").home
    before = (first / "runs").stat().st_mtime_ns
    again = own.subcorpus(Scope(languages=("es",)))
    assert again.home == first
    assert (first / "runs").stat().st_mtime_ns == before
    assert first.parents[1].stat().st_mode & 0o077 == 0
    assert own.subcorpus("language=en").home != first


def test_earlier_results_are_asked_in_a_scope_too(own: Project) -> None:
    own.snapshot("thesis")
    run = own.run_named().name
    for name in ("thesis", run):
        chosen = own.as_of(name).subcorpus("language=es")
        assert {row["language"] for row in chosen.table("pages")} == {"es"}


def test_subcorpora_are_saved_and_removed(own: Project) -> None:
    assert own.subcorpora() == {}
    scope = own.save_subcorpus("press", "language=es words>1")
    assert own.subcorpora() == {"press": scope}
    assert own.subcorpus("press").scope == scope
    assert own.remove_subcorpus("press") == scope
    with pytest.raises(NotFound, match="no subcorpus"):
        own.subcorpus("press")
    with pytest.raises(UsageError, match="no name"):
        own.save_subcorpus("../x", "language=es")


def test_a_scope_without_documents_is_answered_with_nothing(own: Project) -> None:
    nothing = own.subcorpus("language=la")
    assert list(nothing.table("pages")) == []
    assert list(nothing.table("words")) == []
    assert nothing.find("casa").total == 0
    assert nothing.kwic("casa").total == 0


def test_what_changes_a_project_changes_all_of_it(own: Project) -> None:
    spanish = own.subcorpus("language=es")
    spanish.judge(["palabrota"], "rejected")
    assert [one.word for one in own.verdicts()] == ["palabrota"]
    assert [one.word for one in spanish.verdicts()] == ["palabrota"]
