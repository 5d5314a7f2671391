"""Long questions in the app: pages show the answer of a job that asked the same, or offer to start it.

So a question about millions of words never keeps a page waiting, nor the questions of others.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import msgspec

from trasmallo.project.jobs import JobKind, JobOptions, JobState
from trasmallo.project.scopes import scope_text
from trasmallo.store.parts import TOKENS
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from trasmallo.project.project import Project
    from trasmallo.store.run_folders import Run

LONG_BYTES = 30 << 20
"""Bytes of tokens from which on questions are long: some three million words. Judgement: below that a person waits a second or
two, and a job takes as long to begin."""

_T = TypeVar("_T")


class LongQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A question that is asked as a job: `state` is that of the job that asks it, None before one does."""

    kind: JobKind
    options: JobOptions = {}
    state: JobState | None = None


def is_long(run: Run, long_bytes: int = LONG_BYTES) -> bool:
    """Whether questions about all words of a run take long."""
    try:
        return (run.folder / TOKENS).stat().st_size >= long_bytes
    except FileNotFoundError:
        return False


def ask(project: Project, kind: JobKind, options: JobOptions, run: str = "") -> LongQuestion:
    """A question with the latest job that asked the same of the results as they are now."""
    asked = {name: value for name, value in options.items() if value != ""}
    results = project.run_named(run)
    stamp = f"{results.name} {results.manifest.remade}"
    for state in project.jobs():
        job = state.job
        same = (job.kind, job.options, job.scope) == (kind, asked, scope_text(project.scope))
        if same and job.run == stamp:
            return LongQuestion(kind=kind, options=asked, state=state)
    return LongQuestion(kind=kind, options=asked)


def answer(project: Project, question: LongQuestion, shape: type[_T]) -> _T | None:
    """The answer of its job in a shape, None where there is none yet; raises StoreDamaged."""
    if question.state is None or question.state.state != "finished":
        return None
    try:
        return msgspec.convert(project.job_answer(question.state.job.number), decodable(shape), strict=False)
    except (UsageError, *UNDECODABLE):  # it was removed meanwhile, or an earlier version had another shape
        return None
