"""Long questions from Python."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from trasmallo.project.project import Project
from trasmallo.values.errors import UsageError


@pytest.fixture
def own(finished: Project, tmp_path: Path) -> Project:
    shutil.copytree(finished.folder, tmp_path / "own")
    return Project.open(tmp_path / "own")


def test_a_scope_is_made_ready_and_then_asked_at_once(own: Project) -> None:
    part = own.subcorpus("site=127.0.0.1 words>5")
    assert (own.is_ready, part.is_ready) == (True, False)
    number = part.start_job("subcorpus")
    found = own.wait_for_job(number)
    assert (found.state, found.job.scope, found.progress.done) == ("finished", "site=127.0.0.1 'words>5'", 5)
    assert part.is_ready
    assert own.job_answer(number) == {"documents": part.size().documents, "words": part.size().words}


def test_a_question_is_asked_in_the_scope_of_the_project(own: Project) -> None:
    part = own.subcorpus("site=127.0.0.1")
    number = part.start_job("laws", language="es")
    own.wait_for_job(number)
    assert own.job_answer(number) == msgspec.json.decode(msgspec.json.encode(part.laws(language="es")))
    own.remove_job(number)
    assert own.jobs() == []


def test_what_cannot_be_asked_is_told_before_a_process_starts(own: Project) -> None:
    with pytest.raises(UsageError, match="choose one of laws, compare, table, subcorpus"):
        own.start_job("word")
    with pytest.raises(UsageError, match="it takes language, site"):
        own.start_job("laws", word="x")
    with pytest.raises(UsageError, match="it takes nothing"):
        own.start_job("subcorpus", word="x")
    assert own.jobs() == []
