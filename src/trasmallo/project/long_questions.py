"""Long questions of a project, asked as jobs that go on by themselves and whose answers are kept."""

from __future__ import annotations

import time
from pathlib import Path
from typing import cast

from trasmallo.project import jobs
from trasmallo.project.jobs import KINDS, Job, JobKind, JobState
from trasmallo.project.kept_queries import KeptQueries
from trasmallo.project.working import works
from trasmallo.values.errors import UsageError

_POLL = 0.1
"""Seconds between two looks at a job that is waited for."""

_OPTIONS: dict[JobKind, frozenset[str]] = {
    "laws": frozenset({"language", "site"}),
    "compare": frozenset({"other", "run", "other_run", "other_scope", "by", "measure", "least", "number"}),
    "table": frozenset({"name"}),
    "subcorpus": frozenset(),
}


class LongQuestions(KeptQueries):
    """The verbs of a project for questions that take long."""

    def start_job(self, kind: str, **options: str | int) -> int:
        """Start a long question in a process of its own; its number. It is asked as this project is: in its scope, of its date.

        `laws` and `compare` take the keywords of these verbs; `table` makes the table of a `name` ready that is made when it is
        first asked for, such as sketches; `subcorpus` makes the scope ready. One that is asked already is that job.
        """
        from trasmallo.project.scopes import scope_text

        if kind not in KINDS:
            raise UsageError("there is no job {kind!r}", "choose one of {kinds}", kind=kind[:80], kinds=", ".join(KINDS))
        known = _OPTIONS[cast("JobKind", kind)]
        if strange := options.keys() - known:
            repair = "it takes {known}" if known else "it takes nothing"
            raise UsageError(
                "`{name}` is nothing that {kind} takes", repair, name=min(strange), kind=kind, known=", ".join(sorted(known))
            )
        run = self.whole().run_named(self._chosen)
        wish = Job(
            kind=cast("JobKind", kind),
            options={name: value for name, value in options.items() if value != ""},
            scope=scope_text(self.scope),
            run=f"{run.name} {run.manifest.remade}",
        )
        return self._start(wish)

    def jobs(self) -> list[JobState]:
        """The jobs of the project, the latest first; none for who may not read all of it."""
        return [] if self.restricted else jobs.jobs_of(self.folder)

    def job(self, number: int) -> JobState:
        """One of them: what it asks, how far it is, and whether it goes on."""
        return jobs.job_of(self.whole().folder, number)

    def job_answer(self, number: int) -> object:
        """The answer of a job that has ended, as JSON says it; raises UsageError for one that has none, or StoreDamaged."""
        return jobs.answer_of(self.whole().folder, number)

    def wait_for_job(self, number: int) -> JobState:
        """Where a job stands when it has ended."""
        while (found := self.job(number)).state == "running":
            time.sleep(_POLL)
        return found

    @works
    def stop_job(self, number: int) -> JobState:
        """End a job without an answer; where it stood."""
        return jobs.stop_job(self.folder, number)

    @works
    def remove_job(self, number: int) -> None:
        """Forget a job and its answer."""
        jobs.remove_job(self.folder, number)

    @works
    def _start(self, wish: Job) -> int:
        return jobs.start_job(Path(self.folder), wish)
