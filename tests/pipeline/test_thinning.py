"""Results of old revisits are removed, and what they stored stays."""

from __future__ import annotations

import calendar
from pathlib import Path

import pytest

from support.editable_web import EditableWeb
from trasmallo.pipeline.checking import check_project
from trasmallo.pipeline.thinning import dispensable, thin_out
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.result_soundness import require_results
from trasmallo.store.run_folders import REVISIT, Run
from trasmallo.values.errors import NotFound


def revisit_of(folder: Path, day: str) -> Run:
    run = run_folders.start(folder, f"corpus-{day}", REVISIT, "trasmallo/0")
    run.manifest.began = float(calendar.timegm((*map(int, day.split("-")), 12, 0, 0)))
    run.manifest.state = "finished"
    run.save()
    return run


def test_the_latest_and_the_last_of_each_month_stay(tmp_path: Path) -> None:
    days = ("2021-01-05", "2021-01-20", "2021-02-01", "2021-02-02", "2021-02-03", "2021-02-04")
    runs = [revisit_of(tmp_path, day) for day in days]
    assert dispensable(runs, 2) == [runs[0], runs[2], runs[3]]
    assert dispensable(runs, 6) == []
    assert thin_out(tmp_path, 2) == [runs[place].name for place in (0, 2, 3)]
    assert thin_out(tmp_path, 2) == [], "once"
    assert thin_out(tmp_path, 0) == []
    assert [run.name for run in run_folders.with_results(tmp_path)] == [runs[place].name for place in (1, 4, 5)]


def test_what_a_kill_left_is_removed_the_next_time(tmp_path: Path) -> None:
    run = revisit_of(tmp_path, "2021-01-05")
    run.manifest.thinned = True
    run.save()
    (run.folder / "words.parquet").touch()
    thin_out(tmp_path, 5)
    assert not (run.folder / "words.parquet").exists()


def test_a_collection_whose_old_results_are_gone_is_sound_and_says_so(tmp_path: Path) -> None:
    with EditableWeb() as web:
        web.write("/", "Los barcos salen del puerto al amanecer y vuelven con la red llena de sardinas.")
        # Others may fill the disk meanwhile: then a revisit ends before anything is asked for, and thins nothing out.
        options = {"delay": 0.0, "address_delay": 0.0, "sitemaps": False, "free_megabytes": 0}
        project = Project.new(tmp_path / "p", [web.url("/")], **options)
        file = project.folder / "trasmallo.toml"
        file.write_text(file.read_text(encoding="utf-8").replace("results_kept = 24", "results_kept = 1"), encoding="utf-8")
        project = Project.open(project.folder)
        project.run()
        opened: Run | None = None
        for number in range(3):
            web.write("/", f"Los barcos salen del puerto al amanecer y vuelven con {number + 2} redes llenas de sardinas.")
            told = project.revisit("5")
            assert (told.state, told.ended) == ("finished", ""), "one that was stopped thins nothing out"
            opened = opened or run_folders.current(project.runs)
        first, *middle, last = run_folders.find(project.runs)
        assert [run.manifest.thinned for run in (first, *middle, last)] == [False, True, True, False]
        for run in middle:
            assert not [
                path for path in run.folder.iterdir() if path.suffix == ".parquet" or path.name in ("index", "tokens.columns")
            ]
            with pytest.raises(NotFound, match="were thinned out") as refused:
                project.table("words", run=run.name)
            assert f"{first.name} or {last.name}" in refused.value.repair
        assert opened is not None
        assert not opened.manifest.thinned, "somebody opened it before"
        with pytest.raises(NotFound, match="were thinned out"):
            require_results(opened)
        assert len(project.versions(web.url("/")).versions) == 4
        assert project.table("words", where=["word=redes"], run=last.name)
        assert list(check_project(project.folder, project.config.study)) == []
        assert project.repair() == []
