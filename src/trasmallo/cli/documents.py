"""Commands for one document: a file, `-` or a URL."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from trasmallo import plugins
from trasmallo.cli.output import (
    STANDARD_OUTPUT,
    print_json,
    print_json_lines,
    print_separated,
    print_table,
    tell_of_loss,
    with_cells,
    with_output,
    with_rows,
    write_file,
)

if TYPE_CHECKING:
    from trasmallo.values.model import AnalysedToken

_SHOWN = 120  # judgement: characters of a block that a terminal's line can show
# Each is made when it is asked for.
_FORMATS = {"text": "text", "md": "markdown", "html": "html"}
_TOLD = ("url", "title", "language", "charset", "metadata", "text", "fields", "blocks", "truncated")

document_argument = click.argument("document", metavar="DOC")


@click.command("text", epilog="Example: trasmallo text https://example.org/news.html --format md")
@document_argument
@click.option(
    "--method",
    default="best",
    show_default=True,
    metavar="NAME",
    help=f"How to find the main text: {', '.join(plugins.own_names('trasmallo.methods'))}; all keeps everything.",
)
@click.option("--favour", default=0.5, show_default=True, type=click.FloatRange(0, 1), help="0 = precision, 1 = recall.")
@click.option("--headline", is_flag=True, help="The headline beside the main text belongs to it.")
@click.option(
    "--role", default="main", show_default=True, metavar="NAME", help="Or what is no main text: comments, related, menu, other."
)
@click.option("--format", "kind", default="text", show_default=True, type=click.Choice([*_FORMATS, "json"]))
@with_output
def text_command(
    document: str,
    method: str,
    favour: float,
    headline: bool,
    role: str,
    kind: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the main text of a page, or its comments, related lists or menus."""
    from trasmallo.pipeline.documents import extract_from

    found = extract_from(document, method=method, favour=favour, headline=headline)
    found = found if role == "main" else found.take(role)
    tell_of_loss(found.cause, quiet=quiet)
    if as_json or kind == "json":
        print_json({name: getattr(found, name) for name in _TOLD})
    else:
        click.echo(getattr(found, _FORMATS[kind]))


@click.command("convert", epilog="Example: trasmallo convert report.docx -o report.html")
@document_argument
@click.option("--output", "-o", type=click.Path(dir_okay=False), metavar="FILE", help="Write there instead of printing.")
@with_output
def convert_command(document: str, output: str | None, as_json: bool, quiet: bool) -> None:
    """Turn a document of any format into HTML with its headings, emphasis, lists, tables and links."""
    from trasmallo.pipeline.documents import convert_from

    found = convert_from(document)
    tell_of_loss(found.cause, quiet=quiet)
    if output and not (as_json and output == STANDARD_OUTPUT):
        write_file(output, found.html)
    if as_json:
        print_json({"html": found.html, "charset": found.charset, "lost": found.cause})
    elif not output:
        click.echo(found.html)


@click.command("blocks", epilog="Example: trasmallo blocks news.html --count 3 --plot news.svg")
@document_argument
@click.option(
    "--count", default=10, show_default=True, type=click.IntRange(1, 200), metavar="N", help="How many blocks at most."
)
@click.option("--menus", is_flag=True, help="Menus, by links per node, instead of blocks of text.")
@click.option("--favour", default=0.5, show_default=True, type=click.FloatRange(0, 1), help="0 = precision, 1 = recall.")
@click.option("--plot", type=click.Path(dir_okay=False), metavar="FILE", help="Also draw the page, as .svg or .png.")
@click.option(
    "--picture", multiple=True, metavar="NAME", help="Draw only this: nodes, curve, tree, cnr, cetr or slope; repeatable."
)
@with_rows
def blocks_command(
    document: str,
    count: int,
    menus: bool,
    favour: float,
    plot: str | None,
    picture: tuple[str, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the blocks of a page with their ratio and path, the main one first."""
    from trasmallo.pipeline.documents import extract_from, save_picture

    found = extract_from(document, method="all")
    tell_of_loss(found.cause, quiet=quiet)
    if plot:
        save_picture(found.picture(*picture, favour=favour), plot)
        if not quiet and not as_json:
            click.echo(f"drawn in {plot}", err=True)
    blocks = (found.menus if menus else found.ranked_blocks)(count, favour=favour)
    if as_json:
        print_json_lines(blocks)
    else:
        rows = ((block.rank, block.ratio, block.size, block.path, block.text[:_SHOWN]) for block in blocks)
        print_table(("", "ratio", "links" if menus else "characters", "path", "text"), rows)


@click.command("words", epilog="Example: trasmallo words news.html --in-context > words.tsv")
@document_argument
@click.option("--language", default="", metavar="CODE", help="Language of the text; found out when not given.")
@click.option("--in-context", is_flag=True, help="Only the reading that each word has in its sentence.")
@click.option("--convention", default="", metavar="NAME", help="With --in-context, whose habits to follow: ancora or gsd.")
@click.option("--split-contractions", is_flag=True, help="Read del as de with el behind it, and al as a.")
@click.option("--old-spanish", is_flag=True, help="Read words as they were written once too: agora, desta, dixo.")
@click.option(
    "--frequencies",
    default="",
    metavar="REF",
    help="Whose frequencies split German compounds: a project, a file with a word, a tab and a count a line, or wordfreq:de.",
)
@with_cells
@with_rows
def words_command(
    document: str,
    language: str,
    in_context: bool,
    convention: str,
    split_contractions: bool,
    old_spanish: bool,
    frequencies: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print each token of a document's main text with its lemmas, categories, prefix, clitics and parts, tab-separated.

    A token has a row for each of its readings; with --json an object with all of them. The parts are those of German
    compounds and of Arabic words with affixes.
    """
    from trasmallo.cli.progress import prepare_language
    from trasmallo.pipeline.documents import extract_from, splitter_for
    from trasmallo.study import languages
    from trasmallo.study.morphology import guessed_words
    from trasmallo.study.morphology.reading_options import ReadingOptions
    from trasmallo.study.readings import readings, readings_in_context

    if language:
        languages.check_known(language)
    found = extract_from(document)
    tell_of_loss(found.cause, quiet=quiet)
    code = language or found.language or "und"
    prepare_language(code, quiet=quiet)
    split = splitter_for(code, found.text, frequencies)
    options = ReadingOptions(split_contractions=split_contractions, old_spanish=old_spanish)
    if in_context:
        tokens = readings_in_context(found.text, code, convention, split, options)
    else:
        tokens = readings(found.text, code, split, options)
    if not quiet and (guessed := guessed_words(code)):
        click.echo(f"trasmallo: {guessed}", err=True)
    if as_json:
        print_json_lines(tokens)
    else:
        print_separated(_WORD_COLUMNS, (row for token in tokens for row in _word_rows(token)), tabs=True)


_WORD_COLUMNS = ("start", "end", "word", "kind", "lemma", "category", "features", "prefix", "clitics", "by", "tag", "parts")


def _word_rows(token: AnalysedToken) -> Iterator[tuple[object, ...]]:
    place = (token.start, token.end, token.word, token.kind)
    parts = " ".join(token.parts)
    for found in token.analyses:
        clitics = " ".join(found.clitics)
        yield (*place, found.lemma, found.category, found.features, found.prefix, clitics, found.by, found.tag, parts)
