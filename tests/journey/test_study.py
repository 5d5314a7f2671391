"""Studying again what a run has stored: the same results as reading everything again, however often it is killed."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from journey.test_lists import set_study, words
from support.command_line import Done, hurried, start, wait_for
from trasmallo.demo.site import Site
from trasmallo.events import Event, Studied, Warned
from trasmallo.pipeline import restudy
from trasmallo.pipeline.staleness import stale_stage
from trasmallo.project.project import Project
from trasmallo.results.registry import all_tables
from trasmallo.store import run_folders
from trasmallo.store.parts import document_id, documents_done, finished_parts
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import UsageError
from trasmallo.values.model import Drop

Command = Callable[..., Done]
Results = dict[str, list[tuple[Any, ...]]]
OTHER = {"stop": "standard", "parts": 4, "segment_frequency": 4}


def everything(project: Project) -> Results:
    """All rows of all tables; ties in a sort may come in any order, and so may what is added up."""
    with project.tables() as tables:
        return {table: sorted(map(rounded, tables.ask(table)), key=repr) for table in all_tables()}


def rounded(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(float(f"{value:.9g}") if isinstance(value, float) else value for value in row)


def unfold(project: Project, folder: Path, **study: Any) -> Project:
    """A copy of a project, under other settings."""
    shutil.copytree(project.folder, folder)
    copy = Project.open(folder)
    if study:
        set_study(copy, **study)
    return copy


def hide_archive(project: Project) -> None:
    """Nothing can be read from it then."""
    for path in (project.store / "archive").glob("*.warc.gz"):
        path.rename(path.with_suffix(".hidden"))


def latest(project: Project) -> Run:
    return run_folders.latest(project.runs)


def told(project: Project) -> list[Event]:
    events: list[Event] = []
    project.bus.listen(events.append)
    return events


@pytest.fixture(scope="module")
def small(site: Site, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project of some pages, after its run."""
    project = hurried(tmp_path_factory.mktemp("small") / "demo", site.seeds, lines=1, pages=12)
    project.run()
    return project


def cleaned_again(project: Project, folder: Path) -> Results:
    """What reading all pages again under other settings gives."""
    copy = unfold(project, folder, **OTHER)
    copy.clean()
    return everything(copy)


def test_studying_again_gives_what_cleaning_again_gives(small: Project, tmp_path: Path, trasmallo: Command) -> None:
    before, cleaned = everything(small), cleaned_again(small, tmp_path / "cleaned")
    assert cleaned != before
    project = unfold(small, tmp_path / "demo", **OTHER)
    hide_archive(project)
    done = trasmallo("study", project.folder, "--json")
    assert (done.code, done.err, done.value()["state"]) == (0, "", "finished")
    assert everything(project) == cleaned
    assert sorted(path.name for path in latest(project).folder.iterdir() if path.is_dir()) == ["frontier", "index"]


def test_killed_in_the_middle_it_goes_on_and_loses_nothing(finished: Project, tmp_path: Path) -> None:
    project = unfold(finished, tmp_path / "demo")
    hide_archive(project)
    before = everything(project)
    with start("study", project.folder, "--quiet") as process:
        wait_for(lambda: len(finished_parts(latest(project).studying)) > 1, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert everything(project) == before, "until all is studied the tables show what was there"
    done = set(documents_done(latest(project).studying))
    events = told(project)
    project.study()
    assert everything(project) == before, "the same settings give the same"
    left = {event.url for event in events if isinstance(event, Studied)}
    assert left
    assert {document_id(url) for url in left}.isdisjoint(done), "what was studied before the kill is not studied again"


class Killed(BaseException):
    """What stops a program in the middle of a call."""


def die_when_studied(run: Run) -> None:
    if run.studied.exists():
        raise Killed


def die(_run: Run) -> None:
    raise Killed


@pytest.mark.parametrize(("call", "death"), [("end", die), ("take_over", die_when_studied), ("forget_tables", die)])
def test_killed_at_the_end_the_results_are_the_old_and_then_the_new(
    small: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, death: Callable[[Run], None]
) -> None:
    project = unfold(small, tmp_path / "demo", stop="standard")
    before = everything(project)
    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(restudy, call, death)
        project.study()
    assert everything(project) == before
    again = Project.open(project.folder)
    events = told(again)
    again.study()
    after = everything(again)
    assert (after["texts"], len(after["words"]) < len(before["words"])) == (before["texts"], True)
    assert not [event for event in events if isinstance(event, Studied)], "all texts had been studied"


def test_ctrl_c_leaves_the_results_before_it_and_says_so(finished: Project, tmp_path: Path) -> None:
    project = unfold(finished, tmp_path / "demo", **OTHER)
    with start("study", project.folder, "--json") as process:
        wait_for(lambda: len(finished_parts(latest(project).studying)) > 1, process)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
    summary = Done(process.returncode, out, err).value()
    assert (process.returncode, err, summary["state"]) == (0, "", "finished")
    assert summary["ended"].startswith("the study was stopped")
    assert words(project) == words(finished)


def test_a_resumed_run_studies_again_what_it_has_and_reads_only_what_is_new(site: Site, tmp_path: Path) -> None:
    project = hurried(tmp_path / "p", site.seeds, lines=1, pages=6)
    project.crawl()
    run = latest(project)
    run.manifest.crawled = False
    run.save()
    assert project.clean().state == "stopped"
    texts = {row["document"] for row in project.table("texts")}
    project = Project.open(tmp_path / "p", pages=9)
    set_study(project, stop="standard")
    hide_archive(project)
    project.crawl()
    assert stale_stage(latest(project), project.config) == "study", "only crawling makes nothing fresh"
    done = project.run()
    assert (done.state, done.pages, set(done.dropped) <= {Drop.COPY, Drop.LISTING}) == ("finished", 9, True)
    assert texts < {row["document"] for row in project.table("texts")}
    assert not set(words(project)) & {"el", "la", "de"}


def test_verdicts_outlive_runs_and_accepted_words_become_known(small: Project, tmp_path: Path, trasmallo: Command) -> None:
    project = unfold(small, tmp_path / "demo")
    first, second = (row["word"] for row in project.table("neologisms", limit=2))
    assert trasmallo("verdict", project.folder, first, "--accept").code == 0
    (row,) = trasmallo("list", project.folder, "neologisms", "--where", "verdict=accepted", "--json").rows()
    assert row["word"] == first
    assert project.table("unknown", where=[f"word={first}"])[0]["verdict"] == "accepted"
    set_study(project, known="accepted")
    project.study()
    assert not project.table("unknown", where=[f"word={first}"])
    assert project.table("unknown", where=[f"word={second}"])
    assert words(project) == words(small), "a known word is a word like any other"
    project.judge([second], "rejected")
    assert stale_stage(latest(project), project.config) == "", "other verdicts change nothing"
    project.judge([second], "accepted")
    assert stale_stage(latest(project), project.config) == "study"


def test_of_a_run_that_was_only_crawled_there_is_nothing_to_study(site: Site, tmp_path: Path) -> None:
    project = hurried(tmp_path / "p", site.seeds, lines=1, pages=1)
    project.crawl()
    with pytest.raises(UsageError, match=r"no page of .* has been read yet: read them with: trasmallo clean "):
        project.study()


def test_other_cleaning_reads_the_pages_again_and_another_language_does_not(small: Project, tmp_path: Path) -> None:
    project = unfold(small, tmp_path / "demo")
    run = latest(project)
    assert stale_stage(run, msgspec.structs.replace(project.config, language="en")) == "study"
    clean = msgspec.structs.replace(project.config.clean, method="all")
    project.config = msgspec.structs.replace(project.config, clean=clean)
    events = told(project)
    assert project.study().words > small.summary().words
    assert [event.message for event in events if isinstance(event, Warned)] == [
        "[clean] has changed: the pages are read again before they are studied"
    ]
