"""The command that shows the sketch of a word."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import (
    as_typed,
    folder_argument,
    number_of,
    print_json,
    print_separated,
    print_table,
    printable,
    with_cells,
    with_output,
    with_scope,
    with_time,
)

if TYPE_CHECKING:
    from trasmallo.results.sketches import Partner, Sketch, SketchedRelation, SketchedWord

_COLUMNS = ("relation", "side", "between", "partner", "category", "count", "log_dice", "other_count", "other_log_dice")


@click.command("sketch", epilog="Example: trasmallo sketch mycorpus hacer --limit 10")
@folder_argument
@click.argument("word")
@click.argument("other", default="")
@click.option("--category", default="", metavar="POS", help="NOUN, VERB, ADJ or ADV; the most frequent one if not given.")
@click.option("--language", default="", metavar="CODE", help="Only in this language; that of most occurrences if not given.")
@click.option(
    "--least", default=1, show_default=True, type=click.IntRange(min=1), metavar="N", help="Fewest occurrences of a pair."
)
@click.option("--limit", default=10, show_default=True, type=click.IntRange(min=0), metavar="N",
              help="At most N partners of a relation; 0 is all.")  # fmt: skip
@click.option("--format", "kind", type=click.Choice(["table", "csv", "tsv"]), default="table", show_default=True)
@with_time
@with_scope
@with_cells
@with_output
def sketch_command(
    folder: str,
    word: str,
    other: str,
    category: str,
    language: str,
    least: int,
    limit: int,
    kind: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show what a lemma of the latest run governs and is governed by, and the words with similar company.

    With OTHER, two lemmas side by side. Relations are found by the order of categories; log_dice says how strongly a pair
    attracts (14 at most), beside the word's and the partner's other pairs of the relation.
    """
    from trasmallo.project.project import Project

    project = as_typed(Project.open(folder))
    sketch = project.sketch(word, other, category=category, language=language, least=least, number=limit)
    if as_json:
        print_json(sketch)
    elif kind == "table":
        _show(sketch, quiet=quiet)
    else:
        print_separated(_COLUMNS, _rows(sketch), tabs=kind == "tsv")


def _rows(sketch: Sketch) -> Iterator[tuple[object, ...]]:
    for one in sketch.relations:
        for partner in one.partners:
            figures = (partner.count, partner.log_dice, partner.other_count, partner.other_log_dice)
            yield (one.relation, one.side, one.between, partner.word, partner.category, *figures)


def _show(sketch: Sketch, *, quiet: bool) -> None:
    """A table for each relation."""
    if not quiet:
        for word in filter(None, (sketch.word, sketch.other)):
            click.echo(_seen(word))
    for one in sketch.relations:
        print_table(_headings(sketch, one), [_row(sketch, partner) for partner in one.partners])
    if sketch.near:
        rows = [(near.word, f"{near.nearness:.3f}", near.partners) for near in sketch.near]
        print_table(("words with similar company", "share", "partners"), rows)
    if not (sketch.relations or quiet):
        click.echo("no pair of it occurs often enough: see collocation_frequency in [study]", err=True)


def _seen(word: SketchedWord) -> str:
    where = f"{number_of(word.count, 'occurrence')} in {number_of(word.documents, 'document')}"
    return f"{printable(word.word)} ({word.category}, {word.language}): {where}, {word.per_million:,.1f} per million"


def _headings(sketch: Sketch, one: SketchedRelation) -> tuple[str, ...]:
    first = (one.title.en, sketch.word.word if sketch.other else "count", "log_dice")
    return (*first, sketch.other.word, "log_dice") if sketch.other else first


def _row(sketch: Sketch, partner: Partner) -> tuple[object, ...]:
    first = (partner.word, partner.count, _strength(partner.log_dice))
    return (*first, partner.other_count, _strength(partner.other_log_dice)) if sketch.other else first


def _strength(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"
