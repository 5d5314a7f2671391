"""What was asked, what came of it, and why not more, on the command line."""

from __future__ import annotations

from collections.abc import Callable

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_incidents_as_rows(finished: Project, trasmallo: Command) -> None:
    rows = trasmallo("incidents", finished.folder, "--json").rows()
    assert {tuple(row) for row in rows} == {("url", "what", "cause", "at", "number")}


def test_the_report_stands_before_the_list(finished: Project, trasmallo: Command) -> None:
    shown = trasmallo("incidents", finished.folder).out
    assert shown.index("not obtained") < shown.index("robots.txt line")
    assert "asked" not in trasmallo("incidents", finished.folder, "--quiet").out


def test_totals_are_one_object(finished: Project, trasmallo: Command) -> None:
    totals = trasmallo("incidents", finished.folder, "--totals", "--json").value()
    assert totals["asked"] == totals["obtained"] + totals["redirected"] + totals["not_obtained"]
    shown = trasmallo("incidents", finished.folder, "--totals").out
    assert "refused by robots.txt" in shown
    assert "robots.txt line" not in shown
