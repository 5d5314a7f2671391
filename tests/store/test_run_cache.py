"""Cache of a run."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trasmallo.store.run_cache import cache_of, make_cache
from trasmallo.store.run_folders import start


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


def test_a_run_has_another_cache_when_its_results_are_made_again(tmp_path: Path) -> None:
    run = start(tmp_path / "runs", "p", "crawl", "")
    before = make_cache(run)
    assert before == cache_of(run) == make_cache(run)
    assert before.is_dir()
    run.give_up_results()
    assert cache_of(run) != before
    assert not before.is_relative_to(run.folder)
    make_cache(run)
    assert not before.exists(), "nobody needs it any more"


def test_the_cache_of_a_run_that_is_gone_goes(tmp_path: Path) -> None:
    gone, here = (make_cache(start(tmp_path / "runs", name, "crawl", "")) for name in "ab")
    shutil.rmtree(next((tmp_path / "runs").glob("a-*")))
    make_cache(start(tmp_path / "runs", "c", "crawl", ""))
    assert not gone.exists()
    assert here.exists()


def test_a_home_that_cannot_be_written_is_no_obstacle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    run = start(tmp_path / "runs", "p", "crawl", "")
    assert make_cache(run) == make_cache(run)
    assert make_cache(run).is_dir()
