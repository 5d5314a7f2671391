"""Jobs as processes: their folder, their end, and what is left of them."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest

from support.waiting import until
from trasmallo.project import jobs
from trasmallo.project.jobs import FOLDER, MOST_KEPT, Job, JobProgress, JobState
from trasmallo.project.project import Project
from trasmallo.values.errors import NotFound, StoreDamaged, UsageError


@pytest.fixture
def own(finished: Project, tmp_path: Path) -> Path:
    shutil.copytree(finished.folder, tmp_path / "own")
    return tmp_path / "own"


def ended(folder: Path, number: int) -> JobState:
    until(lambda: jobs.job_of(folder, number).state != "running", "the job to end", 90)
    return jobs.job_of(folder, number)


def test_a_job_goes_on_by_itself_and_keeps_its_answer(own: Path) -> None:
    number = jobs.start_job(own, Job(kind="laws"))
    state = ended(own, number)
    assert (state.state, state.progress.done, state.progress.total, state.progress.error) == ("finished", 4, 4, "")
    assert msgspec.convert(jobs.answer_of(own, number), dict)["types"] == Project.open(own).laws().types
    assert [one.job.number for one in jobs.jobs_of(own)] == [number]
    jobs.remove_job(own, number)
    with pytest.raises(NotFound, match="trasmallo jobs DIR"):
        jobs.job_of(own, number)


def test_a_misfortune_is_told_where_the_job_is(own: Path) -> None:
    state = ended(own, jobs.start_job(own, Job(kind="laws", options={"language": "xx"})))
    assert (state.state, "has no words in 'xx'" in state.progress.error) == ("failed", True)
    with pytest.raises(UsageError, match="has no answer: it is failed"):
        jobs.answer_of(own, state.job.number)


def stopped_place(folder: Path, number: int) -> Path:
    """A job whose process somebody killed."""
    place = folder / FOLDER / str(number)
    place.mkdir(parents=True)
    (place / "job.json").write_bytes(msgspec.json.encode(Job(kind="laws", number=number, process=1)))
    return place


def test_a_job_that_was_killed_is_stopped_and_can_be_forgotten(own: Path) -> None:
    place = stopped_place(own, 7)
    jobs.write_progress(place, JobProgress(done=1, total=4))
    assert jobs.job_of(own, 7).state == "stopped"
    with pytest.raises(UsageError, match="does not go on"):
        jobs.stop_job(own, 7)
    jobs.remove_job(own, 7)
    assert jobs.jobs_of(own) == []


def test_what_is_damaged_is_no_job(own: Path) -> None:
    (stopped_place(own, 3) / "job.json").write_text("{")
    (own / FOLDER / "note.txt").write_text("x")
    assert jobs.jobs_of(own) == []


@pytest.mark.parametrize("content", [b"", b"{", b'{"answer":{"rows":8}}', b'{"digest":"0","answer":1}', b"\xff", b"[" * 5_000])
def test_an_answer_that_is_not_as_it_was_written_is_told(own: Path, content: bytes) -> None:
    place = stopped_place(own, 4)
    jobs.keep_answer(place, {"rows": 7, "share": 0.1})
    assert jobs.answer_of(own, 4) == {"rows": 7, "share": 0.1}
    sealed = (place / "answer.json").read_bytes()
    (place / "answer.json").write_bytes(
        sealed.replace(b'{"rows":7', b'{"rows":8') if content.startswith(b'{"answer') else content
    )
    with pytest.raises(StoreDamaged, match="trasmallo jobs DIR 4 --remove"):
        jobs.answer_of(own, 4)
    assert [finding.kind for finding in Project.open(own).check()] == ["jobs"]


@pytest.mark.parametrize("process", [-1, -7, 2**31])
def test_what_names_no_process_is_no_job_to_be_ended(own: Path, process: int) -> None:
    place = stopped_place(own, 5)
    (place / "job.json").write_bytes(msgspec.json.encode(Job(kind="laws", number=5, process=process)))
    with pytest.raises(NotFound):
        jobs.stop_job(own, 5)


def test_old_jobs_are_forgotten(own: Path) -> None:
    for number in range(1, MOST_KEPT + 6):
        stopped_place(own, number)
    number = jobs.start_job(own, Job(kind="table", options={"name": "nothing"}))
    assert (number, len(jobs.jobs_of(own))) == (MOST_KEPT + 6, MOST_KEPT)
    assert "nothing" in ended(own, number).progress.error
