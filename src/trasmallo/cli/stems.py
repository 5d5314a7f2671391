"""The command that compares stemmers on a document."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.documents import document_argument
from trasmallo.cli.output import print_json_lines, print_separated, tell_of_loss, with_cells, with_rows

if TYPE_CHECKING:
    from trasmallo.study.stem.comparison import Strength

_COLUMNS = ("stemmer", "words", "stems", "changed", "class_size", "compression", "removed", "examples")


@click.command("stems", epilog="Example: trasmallo stems news.html --stemmer porter,porter2,krovetz,s --classes")
@document_argument
@click.option(
    "--stemmer",
    default="",
    metavar="A,B",
    help="s, porter, porter2, krovetz, light10 (Arabic), snowball (of the text's language), or a Snowball algorithm such as "
    "spanish. Those that suit the language when not given.",
)
@click.option("--language", default="", metavar="CODE", help="Language of the text; found out when not given.")
@click.option("--classes", is_flag=True, help="How many words each stemmer brings together, instead of the words.")
@with_cells
@with_rows
def stems_command(document: str, stemmer: str, language: str, classes: bool, as_json: bool, quiet: bool) -> None:
    """Print the words of a document's main text with their stems side by side, tab-separated."""
    from trasmallo.pipeline.documents import extract_from
    from trasmallo.study.stem import choose, defaults
    from trasmallo.study.stem.comparison import side_by_side, strength, vocabulary

    names = [name.strip() for name in stemmer.split(",") if name.strip()]
    if names and language:
        choose(names, language)
    found = extract_from(document)
    tell_of_loss(found.cause, quiet=quiet)
    language = language or found.language or "und"
    stemmers = choose(names or defaults(language), language)
    counts = vocabulary(found.text, language)
    if classes:
        strengths = [strength(name, stem, counts) for name, stem in stemmers.items()]
        print_json_lines(strengths) if as_json else print_separated(_COLUMNS, map(_row, strengths), tabs=True)
    elif as_json:
        print_json_lines(side_by_side(counts, stemmers))
    else:
        rows = ((row.word, row.count, *row.stems.values()) for row in side_by_side(counts, stemmers))
        print_separated(("word", "count", *stemmers), rows, tabs=True)


def _row(strength: Strength) -> tuple[object, ...]:
    examples = "; ".join(f"{found.stem}: {' '.join(found.words)}" for found in strength.examples)
    figures = (strength.class_size, strength.compression, strength.removed)
    shown = (f"{figure:.3f}" for figure in figures)
    return (strength.stemmer, strength.words, strength.stems, strength.changed, *shown, examples)
