"""Commands about a collection over time: visits that keep it young, its age, and the versions of its pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import folder_argument, print_json, print_json_lines, print_table, with_either, with_output
from trasmallo.results.dates import local
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from trasmallo.crawl.revisit.collection import PlannedVisit
    from trasmallo.pipeline.freshness import Freshness
    from trasmallo.pipeline.visit_calendar import VisitCalendar
    from trasmallo.results.versions import PageHistory, VersionDifference, VersionText

    _Asked = PageHistory | VersionDifference | VersionText

_SIGNS = {"same": " ", "removed": "-", "added": "+"}


@click.command("revisit", epilog="Example: trasmallo revisit mycorpus --budget 500/day")
@folder_argument
@click.option("--budget", default="", metavar="N|N/day", help="Visits: N now, or N a day.  [default: 1/30 of the pages a day]")
@click.option("--for", "duration", default="", metavar="TIME", help="Go on for so long, such as 12h or 7d.")
@click.option("--plan", is_flag=True, help="Only show which pages would be visited, and why.")
@with_either("--plan")
def revisit_command(folder: str, budget: str, duration: str, plan: bool, as_json: bool, quiet: bool) -> None:
    """Ask again for the pages that most need it, and read what has changed; new links are followed within the scope.

    Pages that have not changed are neither sent nor read again. An interrupted revisit goes on where it was.
    """
    from trasmallo.cli.projects import watched
    from trasmallo.project.project import Project

    project = Project.open(folder)
    if plan:
        _show_plan(project.planned_visits(budget), as_json=as_json)
    else:
        watched(project, lambda: project.revisit(budget, duration=duration), as_json=as_json, quiet=quiet)


def _show_plan(visits: Sequence[PlannedVisit], *, as_json: bool) -> None:
    if as_json:
        print_json_lines(visits)
        return
    print_table(("expected age", "address", "why"), [(f"{visit.age:.2f} d", visit.url, visit.reason) for visit in visits])


@click.command("fresh", epilog="Example: trasmallo fresh mycorpus --plot age.svg")
@folder_argument
@click.option("--plot", metavar="FILE", help="Draw how copies age at the rates of this collection (SVG or PNG).")
@click.option("--calendar", is_flag=True, help="Only how many visits are planned for each of the next days.")
@click.option("--day", default="", metavar="DATE", help="Only the visits that are planned for a day, and why.")
@click.option("--budget", default="", metavar="N/day", help="Visits a day of the calendar.  [default: 1/30 of the pages]")
@with_output
def fresh_command(folder: str, plot: str | None, calendar: bool, day: str, budget: str, as_json: bool, quiet: bool) -> None:
    """How old the collection is, measured and expected: pages new, changed and gone, bytes saved, rates of sites and pages."""
    from trasmallo.project.project import Project

    if calendar or day or budget:
        _show_calendar(Project.open(folder).visit_calendar(budget, day), as_json=as_json, quiet=quiet)
        return
    found = Project.open(folder).freshness()
    if plot:
        _draw(found, plot)
    if as_json:
        print_json(found)
    elif not quiet:
        _show_freshness(found)


def _show_calendar(found: VisitCalendar, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json(found)
    elif found.date and not quiet:
        _show_plan(found.visits, as_json=False)
    elif not quiet:
        print_table(("day", "visits"), [(day.date, f"{day.visits:,}") for day in found.days])


def _draw(found: Freshness, name: str) -> None:
    from trasmallo.crawl.revisit.age_figure import draw_chosen_ages
    from trasmallo.pipeline.documents import save_picture

    save_picture(draw_chosen_ages(site.rate.mean for site in found.sites), name)


def _show_freshness(found: Freshness) -> None:
    expected, measured, traffic = found.expected, found.measured, found.traffic
    click.echo(f"Pages       {expected.pages:,}, and {found.gone:,} that are gone")
    click.echo(f"Expected    {expected.age:.2f} days old on average, {expected.fresh:.1%} as their pages are now")
    if measured.visits:
        told = f"{measured.age:.2f} days old on average, {measured.fresh:.1%} as their pages were"
        click.echo(f"Measured    {told} ({measured.visits:,} visits)")
    else:
        click.echo("Measured    nothing yet: no page was visited again")
    click.echo("Visits      " + ", ".join(f"{number:,} {finding}" for finding, number in sorted(found.findings.items())))
    saved = f"{traffic.unchanged:,} answers of {traffic.requests:,} had nothing to send, {traffic.saved / 1e6:,.1f} MB saved"
    click.echo(f"Traffic     {traffic.received / 1e6:,.1f} MB received; {saved}")
    rows = [
        (each.site, f"{each.pages:,}", f"{each.rate.mean:.3f}", f"{each.rate.low:.3f} to {each.rate.high:.3f}")
        for each in found.sites
    ]
    click.echo()
    print_table(("pages change", "pages"), [(each.name, f"{each.pages:,}") for each in found.rates])
    click.echo()
    print_table(("site", "pages", "changes a day of a page", "in nine of ten cases"), rows)


@click.command("versions", epilog="Example: trasmallo versions mycorpus https://example.org/ --diff")
@folder_argument
@click.argument("url")
@click.option("--diff", is_flag=True, help="What changed in the main text between two versions.")
@click.option("--of", "numbers", nargs=2, type=int, default=(0, 0), metavar="N M", help="Which two.  [default: the last two]")
@click.option("--as-of", "date", default="", metavar="DATE", help="The main text of the page as it was on a date.")
@with_output
def versions_command(
    folder: str, url: str, diff: bool, numbers: tuple[int, int], date: str, as_json: bool, quiet: bool
) -> None:
    """The dated versions of a page and the visits to it, what changed between two, or what it said on a date."""
    from trasmallo.project.project import Project

    project = Project.open(folder)
    compared = diff or any(numbers)
    if compared and date:
        raise UsageError("--as-of shows one version, --diff compares two", "leave one of them out")
    if date:
        found: _Asked = project.version_as_of(url, date)
    else:
        found = project.compare_versions(url, *numbers) if compared else project.versions(url)
    if as_json:
        print_json(found)
    elif not quiet:
        _show(found)


def _show(found: _Asked) -> None:
    from trasmallo.results.versions import PageHistory, VersionText

    if isinstance(found, PageHistory):
        _show_history(found)
    elif isinstance(found, VersionText):
        click.echo(found.text)
    else:
        _show_difference(found)


def _show_history(found: PageHistory) -> None:
    rows = [
        (str(each.number), _moment(each.at), _moment(each.seen), f"{each.visits:,}", f"{each.size:,}", each.digest)
        for each in found.versions
    ]
    print_table(("version", "obtained", "last seen", "visits", "bytes", "digest"), rows)
    click.echo()
    visits = [(_moment(each.at), each.outcome, str(each.version or ""), each.cause) for each in found.visits]
    print_table(("visit", "outcome", "version", "cause"), visits)


def _show_difference(found: VersionDifference) -> None:
    click.echo(f"--- version {found.before.number}, {_moment(found.before.at)}")
    click.echo(f"+++ version {found.after.number}, {_moment(found.after.at)}")
    for change in found.changes:
        click.echo(f"{_SIGNS[change.kind]} {change.text}")


def _moment(at: float) -> str:
    return local(at, seconds=True)
