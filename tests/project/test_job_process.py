"""What the process of a job asks, in its scope and of its date."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trasmallo.project.job_process import answer, run
from trasmallo.project.jobs import FOLDER, Job
from trasmallo.project.project import Project
from trasmallo.values.errors import UsageError


@pytest.fixture
def own(finished: Project, tmp_path: Path) -> Project:
    shutil.copytree(finished.folder, tmp_path / "own")
    return Project.open(tmp_path / "own")


def test_each_kind_asks_what_the_verb_answers(own: Project) -> None:
    assert answer(own, Job(kind="laws", options={"language": "es"})) == own.laws(language="es")
    assert answer(own, Job(kind="table", options={"name": "sketches"})) == {
        "table": "sketches",
        "rows": len(list(own.table("sketches"))),
    }
    part = own.subcorpus("site=127.0.0.1")
    assert answer(part, Job(kind="subcorpus")) == part.size()
    with pytest.raises(UsageError, match="no run before"):
        answer(own, Job(kind="compare"))


def test_a_fault_is_no_silence(own: Project, capsys: pytest.CaptureFixture[str]) -> None:
    place = own.folder / FOLDER / "1"
    place.mkdir(parents=True)
    (place / "job.json").write_text('{"kind":"laws","options":{"nothing":"x"}}')
    assert "the job made a mistake (TypeError): look into" in run(place).error
    assert "Traceback" in capsys.readouterr().err
