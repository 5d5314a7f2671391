"""The command that measures a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.documents import document_argument
from trasmallo.cli.output import print_json, print_separated, tell_of_loss, with_cells, with_output

if TYPE_CHECKING:
    from trasmallo.study.document_measures import DocumentStudy


@click.command("measures", epilog="Example: trasmallo measures news.html --language es")
@document_argument
@click.option("--language", default="", metavar="CODE", help="Language of the text; found out when not given.")
@with_cells
@with_output
def measures_command(document: str, language: str, as_json: bool, quiet: bool) -> None:
    """Print how rich and how readable a document's main text is, tab-separated."""
    from trasmallo.pipeline.documents import extract_from
    from trasmallo.study.document_measures import study_document
    from trasmallo.values.model import Document

    found = extract_from(document)
    tell_of_loss(found.cause, quiet=quiet)
    spoken = language or found.language or "und"
    text = Document(id="", url="", at=0.0, title=found.title, language=spoken, text=found.text)
    figures = _figures(study_document(text))
    if as_json:
        print_json(figures)
    else:
        shown = ((name, f"{value:.4f}" if isinstance(value, float) else value) for name, value in figures.items())
        print_separated(("measure", "value"), shown, tabs=True)


def _figures(studied: DocumentStudy) -> dict[str, object]:
    """All measures that the text has."""
    rich, readable = studied.richness, studied.readability
    found: dict[str, object] = {"language": studied.language, "sentences": studied.sentences}
    found |= {name: getattr(rich, name) for name in rich.__struct_fields__}
    found |= {name: getattr(readable, name) for name in readable.__struct_fields__}
    return {name: value for name, value in found.items() if value is not None}
