"""The command that follows a site: its sitemaps and feeds, and its pages as they change."""

from __future__ import annotations

import click

from trasmallo.cli.output import folder_argument, print_json, with_output


@click.command("follow", epilog="Example: trasmallo follow harbour https://example.org/ --budget 500/day")
@folder_argument
@click.argument("urls", nargs=-1, metavar="[URL]...")
@click.option("--every", default="1h", show_default=True, metavar="PERIOD", help="Look for what is due so often: 30m, 6h, 1d.")
@click.option("--budget", default="", metavar="N|N/day", help="Visits.  [default: 1/30 of the pages a day]")
@click.option("--language", default="es", show_default=True, help="Language of the pages of a new project.")
@click.option(
    "--timetable", "file", type=click.Path(dir_okay=False), metavar="FILE", help="Another timetable than the user's own."
)
@with_output
def follow_command(
    folder: str, urls: tuple[str, ...], every: str, budget: str, language: str, file: str | None, as_json: bool, quiet: bool
) -> None:
    """Follow whole sites: crawl them by their sitemaps, feeds and links, then visit again what most needs it, by the timetable.

    A folder without a project gets one. `trasmallo scheduler` does the visits; `schedule DIR --remove` ends them.
    """
    from trasmallo.cli.progress import bars
    from trasmallo.project.project import Project

    project = Project.to_follow(folder, urls, language=language)
    with bars(project.bus, quiet=quiet or as_json):
        found = project.follow(every=every, budget=budget, timetable=file)
    if as_json:
        print_json(found)
    elif not quiet:
        _tell(folder, found.entry.when)


def _tell(folder: str, when: str) -> None:
    click.echo(f"{folder} is followed: a revisit {when}. Next: trasmallo scheduler")
