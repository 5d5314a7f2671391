"""The command that tells what a run knows of a word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import (
    as_typed,
    folder_argument,
    number_of,
    print_json,
    print_table,
    printable,
    with_output,
    with_scope,
    with_time,
)

if TYPE_CHECKING:
    from trasmallo.results.word_figures import WordFigures


@click.command("word", epilog="Example: trasmallo word mycorpus hacer --limit 5")
@folder_argument
@click.argument("word")
@click.option("--unit", type=click.Choice(["word", "lemma"]), help="What WORD is; a lemma where the run has it if not given.")
@click.option("--category", default="", metavar="POS", help="NOUN, VERB, ...; the most frequent one if not given.")
@click.option("--language", default="", metavar="CODE", help="Only in this language; that of most occurrences if not given.")
@click.option("--limit", default=10, show_default=True, type=click.IntRange(min=1), metavar="N",
              help="At most N sites and documents.")  # fmt: skip
@with_time
@with_scope
@with_output
def word_command(
    folder: str, word: str, unit: str | None, category: str, language: str, limit: int, as_json: bool, quiet: bool
) -> None:
    """Tell what the latest run knows of a word or lemma: how often, how evenly spread, when, and on which sites and pages.

    Its company is told by `sketch`, its lines by `kwic`. DP is 0 for a word that is everywhere alike, and 1 for one that
    stands in one small place; Juilland's D the other way round.
    """
    from trasmallo.project.project import Project

    project = as_typed(Project.open(folder))
    found = project.word(word, unit=unit or "", category=category, language=language, number=limit)
    if as_json:
        print_json(found)
    else:
        _show(found, quiet=quiet)


def _show(found: WordFigures, *, quiet: bool) -> None:
    if not quiet:
        for line in _figures(found):
            click.echo(line)
    columns = ("site", "count", "documents", "per_million")
    print_table(columns, [(one.site, one.count, one.documents, one.per_million) for one in found.by_site])
    documents = [(one.title or one.url, one.count, one.words) for one in found.by_document]
    print_table(("document", "count", "words"), documents)


def _figures(found: WordFigures) -> list[str]:
    named = ", ".join(filter(None, (found.unit, found.category, found.language)))
    where = f"{number_of(found.count, 'occurrence')} in {number_of(found.documents, 'document')}"
    lines = [f"{printable(found.word)} ({named}): {where}, {found.per_million:,.1f} per million"]
    even = "" if found.spread.juilland is None else f", Juilland's D {found.spread.juilland:.3f}"
    lines.append(f"spread: DP {found.spread.dp:.3f} (normalised {found.spread.dp_norm:.3f}){even}")
    lines.append("categories: " + ", ".join(f"{name} {count:,}" for name, count in found.categories.items()))
    if found.trend:
        lines.append(f"dated: {found.trend.first_seen} to {found.trend.last_seen}" + _rise(found))
    if found.kind:
        lines.append(f"nobody lists it: {found.kind}" + (f", {found.verdict}" if found.verdict else ""))
    if found.entities:
        lines.append("names: " + ", ".join(f"{printable(one.entity)} ({one.kind}) {one.count:,}" for one in found.entities))
    return lines


def _rise(found: WordFigures) -> str:
    trend = found.trend
    if trend is None or trend.slope is None or trend.p is None:
        return ""
    return f", {trend.slope:+.1f} per million and month (p = {trend.p:.2g})"
