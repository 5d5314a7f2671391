"""The command that tells languages."""

from __future__ import annotations

import click

from trasmallo.cli.output import print_json_lines, print_separated, tell_of_loss, with_cells, with_rows


@click.command("languages", epilog="Example: trasmallo languages news.html")
@click.argument("document", required=False, metavar="[DOC]")
@with_cells
@with_rows
def languages_command(document: str | None, as_json: bool, quiet: bool) -> None:
    """Print the language of each block of a document's main text, tab-separated; without one, the languages that are known."""
    if document is None:
        _print_known(as_json=as_json)
    else:
        _print_blocks(document, as_json=as_json, quiet=quiet)


def _print_known(*, as_json: bool) -> None:
    from trasmallo.study import languages

    rows = [(one.code, one.description.english, one.description.spanish, one.parts) for one in languages.known()]
    names = ("code", "english", "spanish", "has")
    if as_json:
        print_json_lines(dict(zip(names, row, strict=True)) for row in rows)
    else:
        print_separated(names, ((*row[:3], " ".join(row[3])) for row in rows), tabs=True)


def _print_blocks(document: str, *, as_json: bool, quiet: bool) -> None:
    from trasmallo.pipeline.documents import extract_from
    from trasmallo.study.detection import by_block
    from trasmallo.study.language_detection import detect_language

    found = extract_from(document)
    tell_of_loss(found.cause, quiet=quiet)
    blocks = [line for line in found.text.split("\n") if line.strip()]
    codes = by_block(blocks, detect_language, found.language)
    if as_json:
        print_json_lines({"language": code, "text": text} for code, text in zip(codes, blocks, strict=True))
    else:
        print_separated(("language", "text"), zip(codes, blocks, strict=True), tabs=True)
