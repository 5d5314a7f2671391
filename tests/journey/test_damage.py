"""Damaged projects: every file, in every way, for every command that reads: the right answer, or one line with the repair."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from support.damage_matrix import DAMAGES, KINDS, USERS, Answers, answers, damaged_copies, judge
from trasmallo.project.project import Project

ROUNDS = int(os.environ.get("TRASMALLO_DAMAGE_ROUNDS", "1"))


@pytest.fixture(scope="module")
def sound(finished: Project, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished project with verdicts and a list of its own."""
    folder = tmp_path_factory.mktemp("sound") / "demo"
    shutil.copytree(finished.folder, folder)
    Project.open(folder).judge(["nieblario"], "accepted")
    return folder


@pytest.fixture(scope="module")
def expected(sound: Path, tmp_path_factory: pytest.TempPathFactory) -> Answers:
    """What a sound project answers."""
    return answers(sound, tmp_path_factory.mktemp("expected"))


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("kind", KINDS)
def test_no_traceback_and_no_other_answer(kind: str, damage: str, sound: Path, expected: Answers, tmp_path: Path) -> None:
    wrong = []
    for name in damaged_copies(sound, tmp_path / "copy", kind, damage, ROUNDS):
        found = answers(tmp_path / "copy", tmp_path / "out")
        if kind not in USERS:
            wrong += [f"{name}: {problem}" for problem in judge(found, expected)]
    assert not wrong
