"""A project that version 0.1.0 made: it opens, answers, goes on where it was killed, and is studied again.

The fixture has a finished run of eight pages of the demo's site, a verdict, and a run that was killed with a queue left.
"""

from __future__ import annotations

import shutil
import tarfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.values.errors import StoreError, UsageError

FIXTURE = Path(__file__).resolve().parent.parent / "project" / "fixtures" / "project-0.1.0.tar.gz"
PORT = 47391
"""The port at which the site was served that the project knows."""


@pytest.fixture(scope="module")
def unpacked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("old")
    with tarfile.open(FIXTURE) as archive:
        archive.extractall(folder, filter="data")
    return folder / "project-0.1.0"


@pytest.fixture
def old(unpacked: Path, tmp_path: Path) -> Project:
    return Project.open(shutil.copytree(unpacked, tmp_path / "old"), delay=0.0)


@pytest.fixture
def site() -> Iterator[Site]:
    try:
        with Site(PORT) as site:
            yield site
    except UsageError as error:
        pytest.skip(str(error))


def test_it_answers(old: Project) -> None:
    finished, killed = (run.name for run in run_folders.find(old.runs))
    status = old.status()
    assert (status.run, status.state, status.process) == (killed, "interrupted", 0)
    assert (status.progress.obtained, status.progress.waiting) == (23, 69), "one more than it had time to tell"
    assert old.summary().outcomes == {"fetched": 23}
    assert list(old.incidents())
    assert len(old.pending(limit=5).found) == 5
    assert [verdict.word for verdict in old.verdicts()] == ["barcoteca"]
    pages = old.table("pages", run=finished, where=["drop="])
    assert len(pages) == 5
    assert all(row["words"] for row in pages)
    for name in ("words", "lemmas", "segments", "collocations", "links", "ranks", "dispersion", "category_pairs"):
        assert old.table(name, run=finished, limit=3), name
    with old.concordance(finished) as concordance:
        assert concordance.find("la").total > 10
    assert old.finder(finished).find("mar").total
    assert old.kwic("la").total
    assert old.find("mar").total
    with old.documents(finished) as documents:
        assert documents.text(str(pages[0]["document"]))
        assert documents.stored(str(pages[0]["document"])).content


def test_it_goes_on_to_its_end_and_is_studied_again(old: Project, site: Site) -> None:
    killed = run_folders.latest(old.runs).name
    summary = old.run()
    assert (summary.run, summary.state, summary.outcomes["fetched"]) == (killed, "finished", 40)
    assert len(site.requests) < 40, "what was stored is not asked for again"
    assert summary.documents > 10
    assert old.find("mar").total
    studied = Project.open(old.folder).study()
    assert (studied.state, studied.words) == ("finished", summary.words)


def test_an_old_finished_run_is_cleaned_and_studied_again(old: Project) -> None:
    finished, killed = run_folders.find(old.runs)
    shutil.rmtree(killed.folder)
    before = old.summary()
    assert (before.run, before.pages, before.documents) == (finished.name, 8, 5)
    assert old.study().words == before.words
    cleaned = old.clean()
    assert (cleaned.pages, cleaned.documents) == (8, 5)


def test_a_later_version_is_refused_with_the_repair(old: Project) -> None:
    run = run_folders.latest(old.runs)
    path = run.folder / "run.json"
    manifest = msgspec.json.decode(path.read_bytes())
    path.write_bytes(msgspec.json.encode(manifest | {"version": run_folders.VERSION + 1}))
    for ask in (old.status, old.summary, lambda: old.table("words"), old.run):
        with pytest.raises(StoreError, match="was made by a later version of trasmallo: install that version, or move"):
            ask()
