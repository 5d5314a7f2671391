"""Every door tells the same counts after every command of a journey, and they are those of the tables."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.command_line import Done, fetched, hurried, start, wait_for
from support.warc_answers import answer, files_of
from trasmallo import config
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.results.incidents import IncidentReport
from trasmallo.results.search.indexing import FINISHED, index_gap
from trasmallo.results.summary import ProjectStatus, Summary
from trasmallo.store import run_folders
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Drop
from trasmallo.web.app import build
from trasmallo.web.guard import AppDoor
from web.conftest import HOST, TOKEN, Client

Command = Callable[..., Done]
Counts = dict[str, Any]


class Doors:
    """All who tell the counts of a project."""

    def __init__(self, project: Project, trasmallo: Command) -> None:
        self.project = project
        self._trasmallo = trasmallo
        app = build(Workspace([project.folder]), AppDoor(TOKEN, frozenset({HOST})))
        self._client = Client(app, **{"Accept": "text/html", "Accept-Language": "en"})
        self._client.get(f"/?token={TOKEN}")
        self._page = f"/p/{project.folder.name}"

    def agree(self, printed: Summary | None = None) -> Counts:
        """What all of them tell, `printed` included."""
        told = {"tables": self._tables(), "status": _of_status(self.project.status())}
        told["command"] = _of_status(self._trasmallo("status", self.project.folder, "--json").value())
        told["summary"] = _of_summary(self.project.summary())
        told["live"] = _of_counts(self._client.json(f"{self._page}/live")["live"]["counts"])
        told["report"] = _of_report(self.project.incident_report())
        told["overview"] = _of_summary(self._client.json(self._page)["summary"])
        told |= {"printed": _of_summary(printed)} if printed else {}
        for name, counts in told.items():
            shared = counts.keys() & told["tables"].keys()
            assert {key: counts[key] for key in shared} == {key: told["tables"][key] for key in shared}, name
        assert told["live"] == told["command"] == told["status"]
        return told["status"]

    def _tables(self) -> Counts:
        """The sums over rows: of the catalog, and in SQL of the tables."""
        run = run_folders.latest(self.project.runs)
        with Catalog(self.project.store / "catalog", read_only=True) as catalog:
            outcomes = {str(outcome): number for outcome, number in catalog.outcomes(run.name).items()}
            received = catalog.received(run.name)
        with self.project.tables() as tables:
            drops = dict(tables.select("SELECT drop, count(*) FROM pages GROUP BY drop"))
            ((texts, copies),) = tables.select("SELECT (SELECT count(*) FROM texts), (SELECT count(*) FROM copies)")
            if run.finished:
                assert index_gap(run.folder / FINISHED, tables) is None
        studied = drops.pop("", 0)
        assert texts == studied + copies
        assert drops.get(Drop.COPY, 0) == copies
        return {
            "outcomes": outcomes,
            "received": received,
            "studied": studied,
            "drops": drops,
            "copies": copies,
            "redirects": outcomes.get("redirected", 0),
        }


def _of_status(status: Any) -> Counts:
    told = msgspec.to_builtins(status)
    assert told["outcomes"] == told["progress"]["outcomes"]
    return _of_counts(told["progress"])


def _of_counts(counts: Counts) -> Counts:
    asked = sum(counts["outcomes"].values())
    assert counts["known"] <= asked + counts["waiting"]
    assert counts["known"] >= max(asked, counts["waiting"])
    assert counts["dropped"] == sum(counts["drops"].values())
    assert counts["obtained"] == counts["outcomes"].get("fetched", 0) + counts["outcomes"].get("unchanged", 0)
    return counts


def _of_report(report: IncidentReport) -> Counts:
    assert report.asked == report.obtained + report.redirected + report.not_obtained
    return {"studied": report.documents, "drops": report.left_out, "redirects": report.redirected + report.in_vain}


def _of_summary(summary: Any) -> Counts:
    told = msgspec.to_builtins(summary)
    assert told["pages"] == told["documents"] + sum(told["dropped"].values())
    assert sum(told["languages"].values()) == told["documents"]
    named = {"studied": "documents", "drops": "dropped"}
    return {name: told[named.get(name, name)] for name in ("outcomes", "known", "waiting", "studied", "drops", "copies")}


@pytest.fixture
def doors(site: Site, tmp_path: Path, trasmallo: Command, monkeypatch: pytest.MonkeyPatch) -> Doors:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    project = hurried(tmp_path / "corpus", site.seeds, pages=10, retries=1)
    plain = msgspec.structs.replace(project.config.study, morphology=False, collocation_words=0, segment_words=1)
    config.write(msgspec.structs.replace(project.config, study=plain), project.folder / config.FILE_NAME)
    return Doors(Project.open(project.folder), trasmallo)


def _do(doors: Doors, trasmallo: Command, *command: str) -> Counts:
    done = trasmallo(*command, doors.project.folder, "--json")
    assert done.code == 0, done.err
    return doors.agree(msgspec.convert(done.value(), Summary))


def test_a_run_that_goes_on_after_a_limit_and_is_studied_again(doors: Doors, trasmallo: Command) -> None:
    first = _do(doors, trasmallo, "run")
    assert (first["obtained"], first["waiting"] > 0) == (10, True)
    again = _do(doors, trasmallo, "run")
    assert again["obtained"] == 20
    assert len(doors.project.pending(limit=10_000).found) == again["waiting"]
    assert sum(host.queued for host in doors.project.status().hosts) == again["waiting"], "shown though nobody works"
    assert _do(doors, trasmallo, "study") == again
    assert sum(host.queued for host in doors.project.status().hosts) == again["waiting"]


def test_pages_are_read_again_and_all_that_follows_from_the_archive_is_made_again(doors: Doors, trasmallo: Command) -> None:
    before = _do(doors, trasmallo, "run")
    assert _do(doors, trasmallo, "clean") == before
    run = run_folders.latest(doors.project.runs)
    run.progress.unlink()
    (run.frontier / "state").unlink()
    assert {step.kind for step in doors.project.repair()} == {"run", "frontier", "results"}
    assert doors.agree() == before, "also of sitemaps at their usual places, asked for or not"


def test_a_run_that_is_killed_and_goes_on(doors: Doors, trasmallo: Command) -> None:
    with start("run", doors.project.folder, "--delay", "0.5", "--quiet") as process:
        wait_for(lambda: fetched(doors.project) >= 5, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert doors.agree()["obtained"] >= 5
    assert doors.project.status().state == "interrupted"
    assert _do(doors, trasmallo, "run")["obtained"] == 10, "what was stored and not noted in the frontier counts, too"


def test_a_run_that_pauses_and_is_ended(doors: Doors) -> None:
    project = doors.project
    with start("run", project.folder, "--delay", "0.1", "--pages", "0", "--quiet") as process:
        wait_for(lambda: fetched(project) >= 6, process)
        project.pause()
        wait_for(lambda: _is_quiet(project.status()), process)
        paused = doors.agree()
        process.send_signal(signal.SIGTERM)
        process.communicate()
    stopped = doors.agree()
    assert stopped["obtained"] == paused["obtained"]
    assert stopped["waiting"] == paused["waiting"] > 0


def _is_quiet(status: ProjectStatus) -> bool:
    """Whether all that was obtained has been read, and nothing is on its way."""
    busy = [line for line in status.lines if line.state in ("downloading", "keeping")]
    return status.paused and not busy and 0 < status.progress.obtained == status.progress.pages


def test_a_crawl_alone_and_then_its_reading(doors: Doors, trasmallo: Command) -> None:
    crawled = _do(doors, trasmallo, "crawl", "--into")
    assert (crawled["obtained"], crawled["studied"], crawled["dropped"]) == (10, 0, 0)
    read = _do(doors, trasmallo, "run")
    assert (read["obtained"], read["studied"] + read["dropped"]) == (10, 10)


def test_an_import_with_copies(doors: Doors, trasmallo: Command, tmp_path: Path) -> None:
    with Archive(tmp_path / "warc", software="t/0") as archive:
        for number in range(3):
            body = f"<html lang=es><p>{'La barca vuelve al puerto. ' * 9}</p><p>{number * 'una red '}</p></html>".encode()
            archive.append(answer(body=body, url=f"http://a.es/{number}"))
    imported = doors.agree(doors.project.import_file(files_of(tmp_path / "warc")[0]))
    assert (imported["known"], imported["waiting"], imported["obtained"]) == (3, 0, 3)
    assert imported["copies"] > 0
    assert imported["studied"] + imported["copies"] == 3
    assert _do(doors, trasmallo, "study") == imported
