"""Analyses are chosen one by one: what was not chosen takes no time, and is made when somebody asks."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from trasmallo import config, config_text
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.study.unlisted.corpus import Reason


@pytest.fixture
def copy(finished: Project, tmp_path: Path) -> Project:
    folder = shutil.copytree(finished.folder, tmp_path / "copy")
    return Project.open(folder)


def studied(project: Project, **keys: object) -> Project:
    study = msgspec.structs.replace(project.config.study, **keys)
    config_text.write(msgspec.structs.replace(project.config, study=study), project.folder / config.FILE_NAME)
    project = Project.open(project.folder)
    project.study()
    return project


def test_only_neologisms(copy: Project, finished: Project) -> None:
    project = studied(copy, analyses=("neologisms",))
    run = run_folders.latest(project.runs)
    made = {path.stem for path in run.folder.glob("*.parquet")}
    assert "neologisms" in made
    assert not made & {"words", "lemmas", "segments", "segments_by_page", "collocations", "ranks", "phrases"}
    assert not (run.folder / "index").exists()
    # Names are told by the entities, which were not asked for.
    names = {row["word"] for row in finished.table("neologisms") if row["reason"] == Reason.MENTIONED}
    found, whole = ([row for row in each.table("neologisms") if row["word"] not in names] for each in (project, finished))
    assert found == whole
    assert not list(project.check())
    assert project.table("words", columns=("word", "count")) == finished.table("words", columns=("word", "count")), "on demand"
    assert project.table("segments") == finished.table("segments")
    assert project.find("puerto").total == finished.find("puerto").total
    assert project.summary().words == finished.summary().words


def test_a_list_by_lemma_holds_in_all_tables(copy: Project) -> None:
    (copy.folder / "own.txt").write_text("lemma:barco\npuerto\n", encoding="utf-8")
    barcos = {str(row["word"]) for row in copy.table("words", where=["word~barc"])}
    assert {"barco", "barcos"} <= barcos
    project = studied(copy, stop="own.txt")
    left = {str(row["word"]) for row in project.table("words")}
    assert not left & {"barco", "barcos", "puerto"}
    assert not project.table("lemmas", where=["lemma=barco", "category=NOUN"])
    assert not project.table("lemmas_by_page", where=["lemma=barco", "category=NOUN"])
    for row in project.table("collocations"):
        assert not {row["first"], row["second"]} & {"barco", "barcos", "puerto"}
    for row in project.table("segments_by_page"):
        words = str(row["segment"]).split()
        assert not {words[0], words[-1]} & {"barco", "barcos", "puerto"}
