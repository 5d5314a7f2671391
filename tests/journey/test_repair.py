"""Repair: whatever follows from the project file and the archive can be lost, and comes back as it was."""

from __future__ import annotations

import shutil
import signal
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done, fetched, hurried, start, wait_for
from support.killing import results
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.digests import digest_of
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Drop

Command = Callable[..., Done]


@pytest.fixture
def copy(finished: Project, tmp_path: Path) -> Project:
    """The finished project, in another folder and free to be damaged."""
    shutil.copytree(finished.folder, tmp_path / "copy")
    return Project.open(tmp_path / "copy")


def tables_of(project: Project) -> dict[str, str]:
    """The digests of all tables and of the tokens."""
    folder = run_folders.latest(project.runs).folder
    return {path.name: digest_of(path) for path in (*folder.glob("*.parquet"), folder / "tokens.columns")}


def test_the_archive_and_the_project_file_are_enough(copy: Project, finished: Project) -> None:
    shutil.rmtree(copy.runs)
    shutil.rmtree(copy.store / "catalog")
    assert {finding.kind for finding in copy.check()} >= {"catalog", "run"}
    copy.repair()
    assert tables_of(copy) == tables_of(finished), "byte for byte"
    assert copy.summary() == finished.summary()
    assert copy.status().progress == finished.status().progress
    assert list(copy.incidents()) == list(finished.incidents())
    assert not list(copy.check())
    assert not copy.repair(), "there is nothing left to do"


def test_good_results_are_never_replaced_by_fewer(copy: Project, trasmallo: Command) -> None:
    (file,) = (copy.store / "archive").glob("*.warc.gz")
    content = bytearray(file.read_bytes())
    for place in range(len(content) // 3, len(content) // 3 + 30_000, 3_000):
        content[place] ^= 0xFF
    file.write_bytes(content)
    before, documents = tables_of(copy), len(copy.table("pages", where=["drop="]))
    refused = trasmallo("clean", copy.folder)
    assert refused.code == 1
    assert refused.refusal().endswith(f"go on without these pages: trasmallo clean {copy.folder} --accept-loss")
    assert tables_of(copy) == before, "the results before are kept"
    assert copy.summary().documents == documents
    accepted = trasmallo("clean", copy.folder, "--accept-loss", "--json")
    assert accepted.code == 0
    assert documents > copy.summary().documents > documents // 2, "what lies behind the damage is read"
    assert {row["drop"] for row in copy.table("pages") if "damaged at byte" in row["cause"]} == {Drop.DAMAGED}
    assert trasmallo("clean", copy.folder).code == 0, "what was accepted is not asked again"


def test_an_interrupted_reading_goes_on_beside_the_results(copy: Project, finished: Project) -> None:
    run = run_folders.latest(copy.runs)
    before = tables_of(copy)
    with start("clean", copy.folder, "--quiet") as process:
        wait_for(lambda: any(run.studying.glob("*/pages.jsonl")), process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    assert tables_of(copy) == before
    assert copy.summary().documents == finished.summary().documents
    copy.clean()
    assert tables_of(copy) == before


def test_a_project_does_not_take_in_its_own_archive(copy: Project, trasmallo: Command) -> None:
    for path in (*(copy.store / "archive").glob("*.warc.gz"), copy.store / "archive", copy.folder.parent):
        refused = trasmallo("import", path, "--into", copy.folder)
        assert refused.code == 2
        assert "belongs to the project" in refused.refusal()
        assert refused.refusal().endswith(f"trasmallo repair {copy.folder}")
    assert not list(copy.check())


def test_a_crawl_whose_queue_was_lost_goes_on_without_asking_again(site: Site, finished: Project, tmp_path: Path) -> None:
    again = {incident.url for incident in finished.incidents()}
    project = hurried(tmp_path / "demo", site.seeds, delay=0.1)
    with start("run", project.folder, "--quiet") as process:
        wait_for(lambda: fetched(project) >= 12, process)
        process.send_signal(signal.SIGINT)
        process.communicate()
    run = run_folders.latest(project.runs)
    waiting = project.status().progress.waiting
    assert waiting
    shutil.rmtree(run.frontier)
    with pytest.raises(StoreDamaged, match="trasmallo repair"):
        project.run()
    project.repair()
    assert project.status().progress.waiting >= waiting - len(site.seeds), "but for sitemaps that are not there"
    Project.open(project.folder, delay=0.0).run()
    asked = Counter(record.url for _, record in ArchiveReader(project.store / "archive").records() if record.kind == "response")
    assert {url for url, times in asked.items() if times > 1 and not url.endswith("robots.txt")} <= again
    assert results(project) == results(finished)
