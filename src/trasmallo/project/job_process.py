"""The process of a job: asks its question, tells its steps, and keeps the answer.

`python -m trasmallo.project.job_process PLACE` is started by `jobs.start_job`; PLACE is the folder of the job.
"""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path

import msgspec

from trasmallo.project.jobs import Job, JobKind, JobOptions, JobProgress, keep_answer, read_job, write_progress
from trasmallo.project.project import Project
from trasmallo.results.database.planner import Question
from trasmallo.results.dates import as_told
from trasmallo.values.errors import TrasmalloError
from trasmallo.values.steps import tell_step, told_to

_NICE = 10
"""How much a job gives way to the app and to crawls. Judgement: half of the scale."""


def answer(project: Project, job: Job) -> object:
    """What a job asks of a project."""
    return _ASKED[job.kind](project, job.options)


def _laws(project: Project, options: JobOptions) -> object:
    return project.laws(**{name: str(value) for name, value in options.items()})


def _compare(project: Project, options: JobOptions) -> object:
    return project.compare(**options)  # type: ignore[arg-type]


def _table(project: Project, options: JobOptions) -> object:
    """A table that is made when it is first asked for; afterwards it is there."""
    name = str(options["name"])
    tell_step(0, 1)
    with project.tables() as tables:
        tables.ask(name, Question(limit=1))
        found = {"table": name, "rows": tables.number(name)}
    tell_step(1, 1)
    return found


def _subcorpus(project: Project, _options: JobOptions) -> object:
    """The documents of the scope that the job was asked in, made ready to be asked."""
    return project.size()


_ASKED: dict[JobKind, Callable[[Project, JobOptions], object]] = {
    "laws": _laws,
    "compare": _compare,
    "table": _table,
    "subcorpus": _subcorpus,
}


def run(place: Path) -> JobProgress:
    """Do a job, and keep its answer or why there is none."""
    job, told = read_job(place), JobProgress()

    def tell(done: int, total: int) -> None:
        nonlocal told
        told = JobProgress(done=done, total=total)
        write_progress(place, told)

    try:
        with told_to(tell):
            found = answer(_opened(place, job), job)
        keep_answer(place, as_told(found))
        error = ""
    except TrasmalloError as misfortune:
        problem, repair = misfortune.said
        error = f"{problem}: {repair}"
    except Exception as fault:  # it is told where the job is, not lost in a log
        traceback.print_exc()
        error = f"the job made a mistake ({type(fault).__name__}): look into {place / 'log'}"
    told = msgspec.structs.replace(told, ended=time.time(), error=error)
    write_progress(place, told)
    return told


def _opened(place: Path, job: Job) -> Project:
    project = Project.open(place.parent.parent, user=job.user)
    return project.subcorpus(job.scope) if job.scope else project


if __name__ == "__main__":
    os.nice(_NICE)
    sys.exit(1 if run(Path(sys.argv[1])).error else 0)
