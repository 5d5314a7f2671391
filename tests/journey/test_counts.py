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
from trasmallo import config, config_text
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.results.incidents import IncidentReport
from trasmallo.results.search.indexing import FINISHED, index_gap
from trasmallo.results.summary import ProjectStatus, Summary
from trasmallo.store import run_folders
from trasmallo.store.archive import Archive
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Drop, Outcome
from trasmallo.values.run_status import CrawlLeft
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
        told["live"] = _of_counts(self.live()["counts"])
        told["report"] = _of_report(self.project.incident_report())
        told["overview"] = _of_summary(self._client.json(self._page)["summary"])
        told |= {"printed": _of_summary(printed)} if printed else {}
        for name, counts in told.items():
            shared = counts.keys() & told["tables"].keys()
            assert {key: counts[key] for key in shared} == {key: told["tables"][key] for key in shared}, name
        assert told["live"] == told["command"] == told["status"]
        self._agree_on_what_is_left(printed)
        return told["status"]

    def live(self) -> Any:
        """What the live page tells."""
        return self._client.json(f"{self._page}/live")["live"]

    def _agree_on_what_is_left(self, printed: Summary | None) -> None:
        """An older crawl that waits is told by all, and its queue can be looked at."""
        status = self.project.status()
        page = self.live()["left"], self._client.json(self._page)["summary"]["left"]
        command = self._trasmallo("status", self.project.folder, "--json").value()["left"]
        told = [*page, command, *(msgspec.to_builtins(each.left) for each in (self.project.summary(), printed or status))]
        assert told == [msgspec.to_builtins(status.left)] * 5
        waiting = status.left.waiting if status.left else status.progress.waiting
        assert (self.project.pending().matching > 0) == (waiting > 0)

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
    config_text.write(msgspec.structs.replace(project.config, study=plain), project.folder / config.FILE_NAME)
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
    return status.paused and not _busy(status) and 0 < status.progress.obtained == status.progress.pages


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


def test_a_crawl_that_goes_on_when_a_later_run_was_completed(doors: Doors, trasmallo: Command) -> None:
    first = _do(doors, trasmallo, "run")
    assert (first["obtained"], first["waiting"] > 0) == (10, True)
    (crawl,) = doors.project.runs.iterdir()
    assert _do(doors, trasmallo, "revisit", "--budget", "3")["studied"] == first["studied"]
    left = doors.project.status().left
    assert left == CrawlLeft(crawl.name, first["waiting"], "the limit of 10 pages is reached")
    assert "it ended early" in trasmallo("status", doors.project.folder).out
    on = _do(doors, trasmallo, "run")
    after = doors.project.status().left
    assert after is not None
    assert 0 < after.waiting != left.waiting, "what it has taken in is a run of its own, and the crawl still waits"
    with doors.project.tables() as tables:
        pages = {row[0] for row in tables.select("SELECT url FROM pages")}
    with Catalog(doors.project.store / "catalog", read_only=True) as catalog:
        assert pages == {fetch.url for fetch in catalog.of_run(crawl.name, Outcome.FETCHED)}, (
            "what it has brought since is there, too"
        )
    assert len(pages) == 20
    assert _do(doors, trasmallo, "clean") == on, "the same from the archive"
    _do(doors, trasmallo, "run")
    assert len(list(doors.project.table("pages"))) == 30, "and it goes on once more"


def test_an_older_crawl_is_told_of_and_obeys_while_it_goes_on(doors: Doors, trasmallo: Command) -> None:
    project = doors.project
    _do(doors, trasmallo, "run")
    (crawl,) = project.runs.iterdir()
    _do(doors, trasmallo, "revisit", "--budget", "3")
    with start("run", project.folder, "--delay", "0.1", "--pages", "0", "--quiet") as process:
        wait_for(lambda: project.status().run == crawl.name and project.status().progress.obtained >= 12, process)
        status = project.status()
        assert (status.run, status.state, status.left) == (crawl.name, "running", None)
        assert status.lines
        project.pause()
        wait_for(lambda: project.status().paused and not _busy(project.status()), process)
        paused = project.status()
        live = doors.live()
        assert (live["run"], live["state"], live["counts"]["obtained"]) == (crawl.name, "paused", paused.progress.obtained)
        assert project.summary().outcomes == paused.outcomes
        assert project.incident_report().asked == sum(paused.outcomes.values())
        assert project.pending().matching == paused.progress.waiting > 0, "of the queue that is at work"
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert project.status().left is not None, "the revisit is the latest again, and the crawl waits"


def _busy(status: ProjectStatus) -> list[str]:
    return [line.state for line in status.lines if line.state in ("downloading", "keeping")]


def test_an_interrupted_crawl_that_goes_on_after_an_import(doors: Doors, trasmallo: Command, tmp_path: Path) -> None:
    with start("run", doors.project.folder, "--delay", "0.5", "--quiet") as process:
        wait_for(lambda: fetched(doors.project) >= 3, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    pages = tmp_path / "pages"
    pages.mkdir()
    (pages / "a.html").write_text("<html lang=es><p>La barca vuelve al puerto con las redes rotas.</p>", "utf-8")
    assert _do(doors, trasmallo, "import", pages, "--into")["studied"] == 1
    both = _do(doors, trasmallo, "run")
    assert both["studied"] + both["dropped"] == 11


def test_files_and_mail_as_they_change(trasmallo: Command, tmp_path: Path) -> None:
    notes, box = tmp_path / "notes", tmp_path / "box.mbox"
    notes.mkdir()
    for number in range(4):
        (notes / f"{number}.txt").write_text(f"La barca {number} vuelve al puerto con {number} redes nuevas.", "utf-8")
    (notes / "copy.txt").write_text((notes / "3.txt").read_text("utf-8"), "utf-8")
    letter = "From ana@x Mon Oct 12 10:00:00 2026\nFrom: ana@x\nSubject: {0}\nMessage-ID: <{0}@x>\n\nHola, {0} redes.\n\n"
    box.write_text(letter.format("dos") + letter.format("tres"), "utf-8")
    own = Doors(Project.new(tmp_path / "own", [str(notes), f"mbox:{box}"]), trasmallo)
    first = _do(own, trasmallo, "run")
    assert (first["obtained"], first["studied"] + first["dropped"]) == (7, 7)
    (notes / "0.txt").write_text("Otra cosa, del faro y de su luz.", "utf-8")
    (notes / "1.txt").unlink()
    (notes / "new.txt").write_text("Un texto que antes no estaba, sobre la lonja.", "utf-8")
    with box.open("a", encoding="utf-8") as file:
        file.write(letter.format("cuatro"))
    changed = _do(own, trasmallo, "run", "--files")
    assert (changed["obtained"], changed["studied"] + changed["dropped"]) == (3, 8)
    assert _do(own, trasmallo, "study") == changed


def test_revisits_and_sites_that_are_taken_out(doors: Doors, trasmallo: Command) -> None:
    before = _do(doors, trasmallo, "run")
    visited = _do(doors, trasmallo, "revisit", "--budget", "3")
    assert (visited["obtained"], visited["studied"]) == (3, before["studied"])
    hosts = [site.host for site in doors.project.sites()]
    without = doors.agree(doors.project.take_out(*hosts))
    assert (without["studied"], without["drops"]) == (0, {})
    again = doors.agree(doors.project.put_back(*hosts))
    assert (again["studied"], again["drops"]) == (before["studied"], before["drops"])


def test_the_parts_of_a_collection_sum_to_it(doors: Doors, trasmallo: Command) -> None:
    told = _do(doors, trasmallo, "run", "--pages", "0")
    summary = doors.project.summary()
    parts = [doors.project.subcorpus(f"language={language}") for language in summary.languages]
    assert sum(part.summary().documents for part in parts) == told["studied"]
    assert sum(part.summary().words for part in parts) == summary.words
    hosts = [doors.project.subcorpus(f"site={site.host}").summary() for site in doors.project.sites()]
    # A page that is a copy of one on another site is none where only its own site is asked.
    assert told["studied"] <= sum(each.documents for each in hosts) <= told["studied"] + told["copies"]
    assert doors.project.as_of(summary.run).summary() == summary
