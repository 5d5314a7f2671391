"""Whether results are whole, lost, or made again."""

from __future__ import annotations

import shutil
from itertools import pairwise
from pathlib import Path

import pytest

from trasmallo.store import digests, run_folders
from trasmallo.store.result_soundness import edition_of, require_results
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import StoreDamaged


@pytest.fixture
def run(tmp_path: Path) -> Run:
    run = run_folders.start(tmp_path / "runs", "one", "crawl", "t/1")
    (run.folder / "pages.parquet").write_text("pages")
    digests.seal(run.folder, [run.folder / "pages.parquet"])
    run.manifest.sealed = True
    run.mark("finished")
    return run


@pytest.mark.parametrize("lost", ["pages.parquet", digests.NAME])
def test_a_finished_run_that_lost_something_is_damaged(run: Run, lost: str) -> None:
    require_results(run)
    (run.folder / lost).unlink()
    with pytest.raises(StoreDamaged, match="is missing"):
        require_results(run)


def test_results_that_were_given_up_are_not_lost_for_who_opened_the_run_before(run: Run) -> None:
    opened = run.reread()
    run.give_up_results()
    digests.unseal(run.folder)
    require_results(opened)
    run.mark("finished")
    with pytest.raises(StoreDamaged, match=r"digests\.json is missing"):
        require_results(opened)


def test_results_of_an_address_follow_their_run(run: Run) -> None:
    opened = run.reread().of_address("a")
    with pytest.raises(StoreDamaged, match=r"addresses/a/digests\.json is missing"):
        require_results(opened)
    run.give_up_results()
    require_results(opened)


def test_each_step_of_a_making_is_another_edition(run: Run) -> None:
    seen = [edition_of(run)]
    shutil.rmtree(run.parts)
    seen.append(edition_of(run))
    run.studied.mkdir()
    seen.append(edition_of(run))
    run.studied.rename(run.parts)
    seen.append(edition_of(run))
    run.give_up_results()
    seen.append(edition_of(run))
    run.mark("finished")
    seen.append(edition_of(run))
    assert all(before != after for before, after in pairwise(seen))
    assert edition_of(run) == seen[-1]
