"""The command that repeats experiments: of DAWeb on a user's own project, of the textbook with a user's own figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn

import click

from trasmallo.cli.output import print_json_lines, print_table, with_rows

if TYPE_CHECKING:
    from trasmallo.values.drawing import Drawing

_MOST_LINES = 2_000  # judgement: as many as the project file allows
_MOST_PAGES = 10**15  # judgement: more than anybody has counted


@click.command("lab", epilog="Example: trasmallo lab lines mycorpus 1 2 5 10 --plot lines.svg")
@click.argument("name", type=click.Choice(["lines", "cache", "age", "capacity"]))
@click.argument("arguments", nargs=-1, metavar="[DIR] [N | RATE]...")
@click.option("--plot", type=click.Path(dir_okay=False), metavar="FILE", help="Also draw it, as .svg or .png.")
@click.option(
    "--pages", type=click.IntRange(min=0), metavar="N",
    help="lines: at most N pages a run; capacity: time N pages.  [default: all, and 400]",
)  # fmt: skip
@click.option(
    "--words", default=200_000, show_default=True, type=click.IntRange(min=1), metavar="N", help="cache: at most N words."
)
@click.option(
    "--days", multiple=True, type=click.FloatRange(min=0, min_open=True, max=1e5), metavar="N",
    help="age: so many days after the visit; may be said several times.  [default: 1, 3, 7 and 14]",
)  # fmt: skip
@click.option(
    "--figure", "given", multiple=True, metavar="NAME=VALUE",
    help="capacity: a figure in the place of that which is measured or known; may be said several times.",
)  # fmt: skip
@with_rows
def lab_command(
    name: str, arguments: tuple[str, ...], plot: str | None, pages: int | None, words: int, days: tuple[float, ...],
    given: tuple[str, ...], as_json: bool, quiet: bool,
) -> None:  # fmt: skip
    """Repeat an experiment of DAWeb on a project of your own, or of the textbook with your own figures.

    lines DIR [N]...: crawl and study the project anew with N lines, for each N (1 2 5 10 if none is given), and tell the
    seconds until the downloads and all ended; one host is asked at once as often as `lines_per_host` in its file allows.
    cache DIR: how fast the words of the latest run are recognised with and without a memory of those met before.
    age [RATE]...: expected age of the copy of a page that changes RATE times a day (such as 1/7, 0.5 or weekly), so many days
    after its visit, and on the average if it is visited that often (figure 3.7).
    capacity [DIR] [N]...: hosts, connections, disks and cores for N pages (10 million, 1 and 10 billion if none is given), and
    the textbook's examples (3.2.2, 3.2.7). What a page takes is measured on the project's latest run, else it is that of a test
    web.
    """
    from trasmallo.pipeline.documents import save_picture

    if plot and name == "capacity":
        _no_picture()
    if name == "age":
        rows, draw = _age(arguments, days)
    elif name == "capacity":
        rows, draw = _capacity(arguments, pages, given)
    else:
        # Each when it is measured: a run may take hours.
        rows, draw = _on_project(name, arguments, pages or 0, words, lambda row: print_json_lines([row]) if as_json else None)
    if plot:
        save_picture(draw(), plot)
    if as_json:
        print_json_lines(rows if name != "lines" else ())
    elif rows:
        _print(rows)
        if plot and not quiet:
            click.echo(f"drawn in {plot}", err=True)


Found = tuple[Sequence[Any], Callable[[], "Drawing"]]
"""What an experiment tells: structs of one kind, and who draws them."""


def _age(rates: Sequence[str], days: Sequence[float]) -> Found:
    from trasmallo.crawl.revisit.age_figure import DAYS, RATES, age_points, draw_ages, parse_rate

    wanted, times = [parse_rate(rate) for rate in rates or RATES], sorted(set(days)) or DAYS
    return age_points(wanted, times), lambda: draw_ages(wanted, times)


def _no_picture() -> NoReturn:
    from trasmallo.values.errors import UsageError

    raise UsageError("capacity has no picture", "leave out --plot")


def _capacity(arguments: Sequence[str], sample: int | None, given: Sequence[str]) -> Found:
    from trasmallo.project.capacity import SIZES, CapacityFigures, read_figures, set_figures, sum_up
    from trasmallo.project.page_figures import SAMPLE, measure_pages
    from trasmallo.project.project import Project

    folders = [text for text in arguments[:1] if not text.isdecimal()]
    sizes = _numbers(arguments[len(folders) :], _MOST_PAGES) or SIZES
    figures, wanted = CapacityFigures(), read_figures(given)
    set_figures(figures, wanted)  # what is typed wrongly is told before anything is measured
    if folders:
        figures = measure_pages(Project.open(folders[0]), sample=SAMPLE if sample is None else sample)
    return sum_up(set_figures(figures, wanted), sizes), _no_picture


def _on_project(name: str, arguments: Sequence[str], pages: int, words: int, tell: Callable[[Any], None]) -> Found:
    from trasmallo.project import lab
    from trasmallo.project.project import Project
    from trasmallo.values.errors import UsageError

    if not arguments:
        raise UsageError("{name} needs a project", "say its folder: trasmallo lab {name} DIR", name=name)
    project = Project.open(arguments[0])
    title = project.config.name
    if name == "lines":
        measured = []
        for row in lab.measure_lines(project, _numbers(arguments[1:]) or lab.LINES, pages=pages):
            measured.append(row)
            tell(row)
        return measured, lambda: lab.draw_lines(measured, title)
    if arguments[1:]:
        raise UsageError("cache takes no numbers of lines", "say how many words with --words")
    points = lab.measure_cache(project, words=words)
    return points, lambda: lab.draw_cache(points, title)


def _numbers(texts: Sequence[str], most: int = _MOST_LINES) -> list[int]:
    """Numbers of lines or pages as they were typed."""
    kind = click.IntRange(1, most)
    return [click.types.convert_type(kind)(text, None, click.get_current_context()) for text in texts]


def _print(rows: Sequence[Any]) -> None:
    names = rows[0].__struct_fields__
    print_table([name.replace("_", " ") for name in names], [[_shown(getattr(row, name)) for name in names] for row in rows])


def _shown(value: float) -> object:
    """Large figures with one digit, those of ages and shares as far as they tell something."""
    return value if not isinstance(value, float) else f"{value:,.1f}" if abs(value) >= 100 else f"{value:.4g}"
