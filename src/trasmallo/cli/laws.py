"""The command that shows the laws of a corpus."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import (
    as_typed,
    folder_argument,
    print_json,
    print_json_lines,
    print_separated,
    print_table,
    with_cells,
    with_either,
    with_scope,
    with_time,
)

if TYPE_CHECKING:
    from trasmallo.study.laws import Laws

_TABLES = {
    "summary": ("law", "what", "value"),
    "zipf": ("rank", "word", "frequency", "probability", "rp"),
    "shares": ("occurrences", "words", "expected", "share", "predicted"),
    "growth": ("documents", "words", "types", "heaps"),
}
_Rows = list[tuple[object, ...]]


@click.command("laws", epilog="Example: trasmallo laws mycorpus --table zipf --plot laws.svg")
@folder_argument
@click.option("--plot", type=click.Path(dir_okay=False), metavar="FILE", help="Also draw them, as .svg or .png.")
@click.option("--table", type=click.Choice([*_TABLES]), default="summary", show_default=True, help="What to print.")
@click.option("--language", default="", metavar="CODE", help="Only words in this language.")
@click.option("--site", default="", metavar="HOST", help="Only documents of this host.")
@click.option("--format", "kind", type=click.Choice(["table", "csv", "tsv"]), default="table", show_default=True)
@with_time
@with_scope
@with_cells
@with_either("--table zipf, shares or growth")
def laws_command(
    folder: str, plot: str | None, table: str, language: str, site: str, kind: str, as_json: bool, quiet: bool
) -> None:
    """Zipf, Mandelbrot, hapax legomena, words by frequency and Heaps of the latest run; copies are counted once."""
    from trasmallo.pipeline.documents import save_picture
    from trasmallo.project.project import Project
    from trasmallo.study.laws.pictures import draw

    project = as_typed(Project.open(folder))
    laws = project.laws(language=language, site=site)
    if plot:
        save_picture(draw(laws, project.config.name), plot)
        if not quiet and not as_json:
            click.echo(f"drawn in {plot}", err=True)
    if as_json and table == "summary":
        print_json(laws)
    elif as_json:
        print_json_lines(dict(zip(_TABLES[table], row, strict=True)) for row in _rows(laws, table))
    elif kind == "table":
        print_table(_TABLES[table], [tuple(map(_shown, row)) for row in _rows(laws, table)])
    else:
        print_separated(_TABLES[table], _rows(laws, table), tabs=kind == "tsv")


def _shown(value: object) -> object:
    """A figure as people read it; probabilities need more digits than other tables have."""
    if not isinstance(value, float) or abs(value) >= 10:
        return value
    return f"{value:.6f}" if 0 < abs(value) < 0.01 else f"{value:.4f}"


def _rows(laws: Laws, table: str) -> _Rows:
    if table == "zipf":
        return [(row.rank, row.word, row.frequency, row.probability, row.rp) for row in laws.ranks]
    if table == "shares":
        return [(row.occurrences, row.words, row.expected, row.share, row.predicted) for row in laws.shares]
    if table == "growth":
        law = laws.heaps
        return [(row.documents, row.words, row.types, law.types(row.words) if law else None) for row in laws.growth]
    return _summary(laws)


def _summary(laws: Laws) -> _Rows:
    rows: _Rows = [("corpus", name, getattr(laws, name)) for name in ("documents", "words", "types", "hapax")]
    rows += [("corpus", "more than 1,000 times", laws.frequent), ("corpus", "hapax / types", laws.hapax / laws.types)]
    rows += [("Zipf", "mean r P of the first 50", laws.constant)]
    for name, law in (("Mandelbrot", laws.mandelbrot), ("Heaps", laws.heaps)):
        if law is not None:
            rows += [(name, field, getattr(law, field)) for field in law.__struct_fields__]
    return rows
