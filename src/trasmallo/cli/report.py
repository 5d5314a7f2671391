"""Commands for who publishes: the citation of a corpus, and a report of it."""

from __future__ import annotations

from pathlib import Path

import click

from trasmallo.cli.output import (
    STANDARD_OUTPUT,
    as_typed,
    folder_argument,
    print_json,
    with_output,
    with_scope,
    with_time,
    write_octets,
)


@click.command("cite", epilog="Example: trasmallo cite mycorpus --language es --scope language=es")
@folder_argument
@click.option("--language", type=click.Choice(["en", "es"]), default="en", show_default=True, help="What it is written in.")
@click.option("--bibtex", is_flag=True, help="As an entry of BibTeX.")
@with_time
@with_scope
@with_output
def cite_command(folder: str, language: str, bibtex: bool, as_json: bool, quiet: bool) -> None:  # noqa: ARG001
    """Print how the corpus is cited: what it is, when it was obtained, how much there is of it, and a digest of its results.

    Freeze the results first, so that they stay: trasmallo snapshot DIR NAME; then cite them with --as-of NAME.
    """
    from trasmallo.project.project import Project

    found = as_typed(Project.open(folder)).cite()
    if as_json:
        print_json(found)
    else:
        click.echo(found.bibtex if bibtex else found.text(language), nl=not bibtex)


@click.command("report", epilog="""Example: trasmallo report mycorpus --query '[lemma="hacer"]' --word red -o report.html""")
@folder_argument
@click.option("--query", "queries", multiple=True, metavar="QUERY", help="Tell of this corpus query, word or phrase, too.")
@click.option("--word", "words", multiple=True, metavar="WORD", help="Tell what is known of this word or lemma, too.")
@click.option(
    "--lines", default=50, show_default=True, type=click.IntRange(1, 10_000), metavar="N", help="Lines of each query."
)
@click.option("--seed", default=1, show_default=True, type=click.IntRange(min=0), help="Which lines are drawn by chance.")
@click.option(
    "--output",
    "-o",
    default="report.html",
    show_default=True,
    metavar="FILE",
    help="Where to write it: a page of HTML, or a PDF where it ends in .pdf; - prints the page.",
)
@click.option("--language", type=click.Choice(["en", "es"]), default="en", show_default=True, help="What it is written in.")
@with_time
@with_scope
@with_output
def report_command(
    folder: str,
    queries: tuple[str, ...],
    words: tuple[str, ...],
    lines: int,
    seed: int,
    output: str,
    language: str,
    as_json: bool,
    quiet: bool,
) -> None:
    """Write a report as one page: the corpus, its citation, digests, settings, frequent words, laws, and what you ask.

    Each part names the command that prints the same. A PDF is printed by the Chromium of this machine.
    """
    from trasmallo.project.project import Project
    from trasmallo.project.report import as_file

    project = as_typed(Project.open(folder))
    found = project.report(queries=queries, words=words, lines=lines, seed=seed, language=language)
    octets = as_file(found, Path(output).suffix)
    write_octets(output, octets)
    if as_json and output != STANDARD_OUTPUT:
        print_json({"file": output, "bytes": len(octets)})
    elif not quiet and output != STANDARD_OUTPUT:
        click.echo(f"report in {output}", err=True)
