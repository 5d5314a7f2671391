"""The command that tells languages."""

from __future__ import annotations

import click

from trasmallo.cli.documents import document_argument
from trasmallo.cli.output import print_json, print_separated, with_output


@click.command("languages", epilog="Example: trasmallo languages news.html")
@document_argument
@with_output
def languages_command(document: str, as_json: bool, quiet: bool) -> None:  # noqa: ARG001 - every command has --quiet
    """Print the language of each block of a document's main text, tab-separated."""
    from trasmallo.clean.read import detect_language
    from trasmallo.pipeline.documents import extract_from
    from trasmallo.study.detection import by_block

    found = extract_from(document)
    blocks = [line for line in found.text.split("\n") if line.strip()]
    codes = by_block(blocks, detect_language, found.language)
    if as_json:
        rows = [{"language": code, "text": text} for code, text in zip(codes, blocks, strict=True)]
        print_json({"language": found.language, "blocks": rows})
    else:
        print_separated(("language", "text"), zip(codes, blocks, strict=True), tabs=True)
