"""Long questions as jobs: processes of their own that tell their progress, can be stopped, and whose answers are kept.

In the folder `jobs` of a project each has a folder by its number: `job.json` (what was asked, and of which process),
`progress.json` (steps done), `answer.json`, `log` (what the process printed) and `lock`, which the process holds as long as it
lives, whoever started it.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal, get_args

import msgspec

from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import NotFound, StoreDamaged, UsageError, disk_errors
from trasmallo.values.folder_lock import is_locked, try_lock
from trasmallo.values.sealed_json import decode_sealed, encode_sealed

if TYPE_CHECKING:
    from trasmallo.pipeline.checking import Finding

FOLDER = "jobs"
MOST_KEPT = 100
"""Jobs that are remembered; of more the oldest that ended are forgotten. Judgement: some months of work, some kB each."""

MOST_AT_ONCE = 4
"""Jobs of a project that go on at once. Judgement: each may take a core and 800 MB."""

JobKind = Literal["laws", "compare", "table", "subcorpus"]
JobOptions = dict[str, str | int]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """A job as it was asked: of a user, in a scope, of the `run` that answered then."""

    number: int = 0
    kind: JobKind
    options: JobOptions = {}
    scope: str = ""
    user: str = ""
    run: str = ""
    began: float = 0.0
    process: Annotated[int, msgspec.Meta(ge=0, lt=2**31)] = 0  # who stops a job ends it: never a group, nor all

    @property
    def asked(self) -> tuple[object, ...]:
        """By what two jobs ask the same."""
        return self.kind, tuple(sorted(self.options.items())), self.scope, self.user


class JobProgress(msgspec.Struct, frozen=True, kw_only=True):
    """How far a job is: `ended` is a time, 0 before its end; `error` says why there is no answer."""

    done: int = 0
    total: int = 0
    ended: float = 0.0
    error: str = ""


class JobState(msgspec.Struct, frozen=True, kw_only=True):
    """A job and where it stands: running, finished, failed or stopped."""

    job: Job
    progress: JobProgress
    state: Literal["running", "finished", "failed", "stopped"]

    @property
    def seconds(self) -> float:
        """How long it has taken so far, or took."""
        return max(0.0, (self.progress.ended or time.time()) - self.job.began)


def start_job(folder: Path, job: Job) -> int:
    """Start a job on the project in `folder`; its number. One that asks the same and goes on is that job.

    Raises UsageError while as many as there may be go on.
    """
    going = [one for one in jobs_of(folder) if one.state == "running"]
    if same := [one for one in going if one.job.asked == job.asked]:
        return same[0].job.number
    if len(going) >= MOST_AT_ONCE:
        problem, repair = "{number} jobs of this project go on", "wait for one of them, or stop it"
        raise UsageError(problem, repair, number=len(going))
    _forget_old(folder)
    place = _new_place(folder)
    job = msgspec.structs.replace(job, number=int(place.name), began=time.time())
    lock = os.open(place / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try_lock(lock)
        write_whole(place / "job.json", msgspec.json.encode(job))
        child = _launch(place, lock)
        write_whole(place / "job.json", msgspec.json.encode(msgspec.structs.replace(job, process=child.pid)))
    finally:
        os.close(lock)
    threading.Thread(target=child.wait, daemon=True).start()  # or it stays a zombie as long as we live
    return job.number


def _launch(place: Path, lock: int) -> subprocess.Popen[bytes]:
    """The process, which inherits the lock, so that it holds it to its end."""
    command = [sys.executable, "-P", "-m", "trasmallo.project.job_process", str(place.resolve())]
    with disk_errors(place), (place / "log").open("wb") as log:
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
            start_new_session=True,
            cwd=place,
            pass_fds=(lock,),
        )


def jobs_of(folder: Path) -> list[JobState]:
    """The jobs of a project, the latest first; writes nothing."""
    return [state for place in sorted(_places(folder), reverse=True) if (state := _state(folder / FOLDER / str(place)))]


def job_of(folder: Path, number: int) -> JobState:
    """One of them; raises NotFound."""
    state = _state(folder / FOLDER / str(number))
    if state is None:
        raise NotFound("there is no job {number}", "see them with: trasmallo jobs DIR", number=number)
    return state


def stop_job(folder: Path, number: int) -> JobState:
    """End a job without an answer; raises UsageError when it does not go on."""
    state = job_of(folder, number)
    if state.state != "running" or not state.job.process:
        raise UsageError("this job does not go on", "see where each stands with: trasmallo jobs DIR")
    write_progress(folder / FOLDER / str(number), msgspec.structs.replace(state.progress, ended=time.time()))
    with suppress(ProcessLookupError):  # it ended by itself meanwhile
        os.kill(state.job.process, signal.SIGKILL)  # a database that counts hears nothing milder
    return state


def remove_job(folder: Path, number: int) -> None:
    """Forget a job and its answer; raises UsageError while it goes on."""
    if job_of(folder, number).state == "running":
        raise UsageError("this job goes on", "stop it first")
    shutil.rmtree(folder / FOLDER / str(number), ignore_errors=True)


class _Kept(msgspec.Struct, frozen=True):
    """The file of an answer."""

    answer: object


def keep_answer(place: Path, answer: object) -> None:
    """Keep what a job's process found, which is made of values of JSON."""
    write_whole(place / "answer.json", encode_sealed(_Kept(answer)))


def answer_of(folder: Path, number: int) -> object:
    """The answer of a job; raises UsageError for one that has none, StoreDamaged for one that is not as it was written."""
    state = job_of(folder, number)
    try:
        return decode_sealed((folder / FOLDER / str(number) / "answer.json").read_bytes(), _Kept).answer
    except UNDECODABLE as error:
        repair = "forget it and ask again: trasmallo jobs DIR {number} --remove"
        raise StoreDamaged("the answer of job {number} is damaged ({error})", repair, number=number, error=error) from None
    except FileNotFoundError:
        problem, repair = "job {number} has no answer: it is {state}", "wait for its end, or start another one"
        raise UsageError(problem, repair, number=number, state=state.state) from None


def answer_findings(folder: Path) -> Iterator[Finding]:
    """The answers that are not as they were written."""
    from trasmallo.pipeline.checking import Finding

    for state in jobs_of(folder):
        try:
            answer_of(folder, state.job.number)
        except StoreDamaged as damage:
            yield Finding("jobs", "", damage.problem, damage.repair)
        except UsageError:
            continue  # it has none


def read_job(place: Path) -> Job:
    """What a job's process is to do."""
    return msgspec.json.decode((place / "job.json").read_bytes(), type=decodable(Job))


def write_progress(place: Path, progress: JobProgress) -> None:
    """Tell how far a job is."""
    write_whole(place / "progress.json", msgspec.json.encode(progress))


def _state(place: Path) -> JobState | None:
    """Where a job stands; None where there is none, or another program removes it."""
    try:
        job = read_job(place)
        progress = _progress(place)
        return JobState(job=job, progress=progress, state=_standing(place, progress))
    except (FileNotFoundError, *UNDECODABLE):
        return None


def _standing(place: Path, progress: JobProgress) -> Literal["running", "finished", "failed", "stopped"]:
    if not progress.ended and is_locked(place / "lock"):
        return "running"
    if progress.error:
        return "failed"
    return "finished" if (place / "answer.json").exists() else "stopped"


def _progress(place: Path) -> JobProgress:
    try:
        return msgspec.json.decode((place / "progress.json").read_bytes(), type=decodable(JobProgress))
    except FileNotFoundError:
        return JobProgress()


def _places(folder: Path) -> Iterator[int]:
    place = folder / FOLDER
    with suppress(FileNotFoundError):
        yield from (int(path.name) for path in place.iterdir() if path.name.isdecimal())


def _new_place(folder: Path) -> Path:
    """The folder of a new job, which no other program takes."""
    home = folder / FOLDER
    with disk_errors(home):
        home.mkdir(exist_ok=True, mode=0o700)
        number = max(_places(folder), default=0)
        while True:
            number += 1
            with suppress(FileExistsError):
                (home / str(number)).mkdir(mode=0o700)
                return home / str(number)


def _forget_old(folder: Path) -> None:
    ended = [one for one in jobs_of(folder) if one.state != "running"]
    for one in ended[MOST_KEPT - 1 :]:
        shutil.rmtree(folder / FOLDER / str(one.job.number), ignore_errors=True)


KINDS: tuple[str, ...] = get_args(JobKind)
