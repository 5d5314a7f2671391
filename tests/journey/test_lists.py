"""Lists of words through a whole run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.command_line import hurried
from trasmallo import config, config_text
from trasmallo.demo.site import Site
from trasmallo.pipeline.staleness import stale_stage
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.study.stop_lists import standard
from trasmallo.values.errors import UsageError


def set_study(project: Project, **keys: Any) -> None:
    study = msgspec.structs.replace(project.config.study, **keys)
    project.config = msgspec.structs.replace(project.config, study=study)
    config_text.write(project.config, project.folder / config.FILE_NAME)


def words(project: Project) -> dict[str, int]:
    return {row["word"]: row["count"] for row in project.table("words")}


def test_lists_are_shared_edited_and_studied_again(site: Site, finished: Project, tmp_path: Path) -> None:
    everything = words(finished)
    (tmp_path / "own.txt").write_text("muelle\nBarco  # a boat\n", encoding="utf-8")
    project = hurried(tmp_path / "project", site.seeds)
    set_study(project, stop="standard + ../own.txt + frequent:2")
    project.run()
    left = words(project)
    assert not {"muelle", "barco", "según"} & set(left)
    # A function word of Spanish may stand in an English page, and the other way round.
    function_words = standard("es") | standard("en")
    assert all(left[word] == everything[word] for word in left if word not in function_words)
    gone = [word for word in everything if word not in left and word not in function_words]
    assert len(gone) == 2 + len({"muelle", "barco"} & everything.keys())

    set_study(Project.open(project.folder), stop="none", only="../own.txt")
    project = Project.open(project.folder)
    project.clean()
    assert words(project) == {word: everything[word] for word in ("muelle", "barco") if word in everything}

    (tmp_path / "own.txt").write_text("muelle\n", encoding="utf-8")
    assert stale_stage(run_folders.latest(project.runs), project.config) == "study"
    project.clean()
    assert words(project) == {"muelle": everything["muelle"]}


def test_a_missing_list_stops_before_anything_is_lost(finished: Project) -> None:
    project = Project.open(finished.folder)
    study = msgspec.structs.replace(project.config.study, stop="none.txt")
    project.config = msgspec.structs.replace(project.config, study=study)
    with pytest.raises(UsageError, match="cannot read .*none.txt"):
        project.clean()
    assert words(finished)
