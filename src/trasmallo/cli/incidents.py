"""The command that tells what was asked, what came of it, and why not more."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import folder_argument, print_json, print_json_lines, print_table, with_rows

if TYPE_CHECKING:
    from trasmallo.results.incidents import IncidentReport


@click.command("incidents", epilog="Example: trasmallo incidents mycorpus --totals")
@folder_argument
@click.option("--totals", is_flag=True, help="Only how many were asked, obtained and not; with --json one object.")
@with_rows
def incidents_command(folder: str, totals: bool, as_json: bool, quiet: bool) -> None:
    """What was asked, obtained and not obtained in the latest run, and why; then each address that gave no document.

    With --json the addresses, an object a line.
    """
    from trasmallo.project.project import Project

    project = Project.open(folder)
    if totals and as_json:
        print_json(project.incident_report())
    elif as_json:
        print_json_lines(project.incidents())
    else:
        if totals or not quiet:
            _print_report(project.incident_report())
        if not totals:
            rows = ((item.url, item.what, item.number, item.cause) for item in project.incidents())
            print_table(("address", "what", "number", "cause"), rows)


def _print_report(report: IncidentReport) -> None:
    rows = [("asked", "", report.asked), ("obtained", "", report.obtained)]
    rows += [("redirected", f"{report.in_vain} more in vain" if report.in_vain else "", report.redirected)]
    rows += [("not obtained", "", report.not_obtained), *(("", cause, number) for cause, number in report.causes.items())]
    rows += [("documents", "", report.documents), *(("left out", reason, number) for reason, number in report.left_out.items())]
    rows += [("kept out of the queue", "", report.kept_out)] if report.kept_out else []
    rows += [("rendered", reason, number) for reason, number in report.rendered.items()]
    rows += [("not rendered", cause, number) for cause, number in report.hidden.items()]
    print_table(("addresses", "cause", "number"), rows, title=report.run)
