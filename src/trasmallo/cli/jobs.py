"""The command that starts long questions, tells how far they are, and prints their answers."""

from __future__ import annotations

import click

from trasmallo.cli.output import (
    as_typed,
    folder_argument,
    print_json,
    print_json_lines,
    print_table,
    with_either,
    with_scope,
    with_time,
)
from trasmallo.project.jobs import KINDS, JobState
from trasmallo.values.errors import UsageError


@click.command("jobs", epilog="Example: trasmallo jobs mycorpus --start compare --option by=lemma --wait")
@folder_argument
@click.argument("number", required=False, type=int, metavar="[NUMBER]")
@click.option("--start", type=click.Choice(KINDS), help="Ask this in a process of its own.")
@click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="What it is asked: language=es, by=lemma, name=sketches."
)
@click.option("--wait", is_flag=True, help="Wait for the end of the job, then print its answer.")
@click.option("--stop", is_flag=True, help="End the job of this number without an answer.")
@click.option("--remove", is_flag=True, help="Forget the job of this number and its answer.")
@with_time
@with_scope
@with_either("no NUMBER and no --start")
def jobs_command(
    folder: str,
    number: int | None,
    start: str | None,
    options: tuple[str, ...],
    wait: bool,
    stop: bool,
    remove: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """List the long questions of a project, start one, or print the answer of one as JSON.

    `laws` takes language and site, `compare` run, other, other_run, by and number, `table` the name of a table that is made
    when it is first asked for, such as sketches; `subcorpus` makes the --scope ready. What ended keeps its answer.
    """
    from trasmallo.project.project import Project

    project = as_typed(Project.open(folder))
    if number is None and (stop or remove):
        repair = "write its number behind the folder: trasmallo jobs {folder} NUMBER"
        raise UsageError("no job is named", repair, folder=folder)
    if start:
        number = project.start_job(start, **dict(map(_option, options)))
    if number is None:
        _list(project.jobs(), as_json=as_json, quiet=quiet)
        return
    if stop:
        project.stop_job(number)
    elif remove:
        state = project.job(number)
        project.remove_job(number)
        _tell(state, "removed", as_json=as_json, quiet=quiet)
        return
    found = project.wait_for_job(number) if wait else project.job(number)
    if stop or found.state == "running":
        _tell(found, found.state, as_json=as_json, quiet=quiet)
    elif found.progress.error:
        raise UsageError(
            "job {number} failed ({error})", "mend that and start it again", number=number, error=found.progress.error
        )
    else:
        print_json(project.job_answer(number))


def _option(text: str) -> tuple[str, str | int]:
    name, sign, value = text.partition("=")
    if not sign:
        raise UsageError("{text!r} is no option of a job", "write it like by=lemma", text=text[:80])
    return name, int(value) if name == "number" and value.isdecimal() else value


def _list(found: list[JobState], *, as_json: bool, quiet: bool) -> None:
    rows = [_row(one) for one in found]
    if as_json:
        print_json_lines(rows)
    elif rows:
        print_table(tuple(rows[0]), [tuple(row.values()) for row in rows])
    elif not quiet:
        click.echo("there is no job: start one with `trasmallo jobs DIR --start laws`")


def _tell(one: JobState, state: str, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json(_row(one) | {"state": state})
    elif not quiet:
        click.echo(
            f"job {one.job.number} ({one.job.kind}): {state}, step {one.progress.done} of {one.progress.total}", err=True
        )


def _row(one: JobState) -> dict[str, object]:
    asked = " ".join(f"{name}={value}" for name, value in one.job.options.items())
    job, progress = one.job, one.progress
    told = {
        "number": job.number,
        "kind": job.kind,
        "options": asked,
        "scope": job.scope,
        "state": one.state,
    }
    return told | {"done": progress.done, "total": progress.total, "seconds": round(one.seconds, 1)}
