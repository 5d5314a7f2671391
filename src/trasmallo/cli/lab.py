"""The command that repeats experiments on a user's own project."""

from __future__ import annotations

import click

from trasmallo.cli.output import folder_argument, print_json_lines, print_table, with_rows


@click.command("lab", epilog="Example: trasmallo lab lines mycorpus 1 2 5 10 --plot lines.svg")
@click.argument("name", type=click.Choice(["lines", "cache"]))
@folder_argument
@click.argument("numbers", nargs=-1, type=click.IntRange(1, 2_000), metavar="[N]...")
@click.option("--plot", type=click.Path(dir_okay=False), metavar="FILE", help="Also draw it, as .svg or .png.")
@click.option("--pages", default=0, type=click.IntRange(min=0), metavar="N", help="lines: at most N pages a run.")
@click.option(
    "--words", default=200_000, show_default=True, type=click.IntRange(min=1), metavar="N", help="cache: at most N words."
)
@with_rows
def lab_command(
    name: str, folder: str, numbers: tuple[int, ...], plot: str | None, pages: int, words: int, as_json: bool, quiet: bool
) -> None:
    """Repeat an experiment of DAWeb on a project of your own.

    lines: crawl and study the project anew with N lines, for each N (1 2 5 10 if none is given), and tell the seconds until
    the downloads and all ended; one host is asked at once as often as `lines_per_host` in the project file allows.
    cache: how fast the words of the latest run are recognised with and without a memory of those met before.
    """
    from trasmallo.pipeline.documents import save_picture
    from trasmallo.project import lab
    from trasmallo.project.project import Project
    from trasmallo.values.errors import UsageError

    project = Project.open(folder)
    if name == "cache" and numbers:
        raise UsageError("cache takes no numbers of lines", "say how many words with --words")
    measured = []
    for row in lab.measure_lines(project, numbers or lab.LINES, pages=pages) if name == "lines" else ():
        measured.append(row)
        if as_json:
            print_json_lines([row])  # each when it is measured: a run may take hours
    points = lab.measure_cache(project, words=words) if name == "cache" else []
    if plot:
        title = project.config.name
        save_picture(lab.draw_lines(measured, title) if name == "lines" else lab.draw_cache(points, title), plot)
    if as_json:
        print_json_lines(points)
    elif measured or points:
        _print(measured or points)
        if plot and not quiet:
            click.echo(f"drawn in {plot}", err=True)


def _print(rows: object) -> None:
    assert isinstance(rows, list)
    names = rows[0].__struct_fields__
    print_table([name.replace("_", " ") for name in names], [[_shown(getattr(row, name)) for name in names] for row in rows])


def _shown(value: float) -> object:
    return f"{value:,.1f}" if isinstance(value, float) else value
