"""The command that makes and edits lists of words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import print_json, with_output

if TYPE_CHECKING:
    from trasmallo.study import stop

_PATH = click.Path(dir_okay=False)


@click.command("stoplist", epilog="Example: trasmallo stoplist mycorpus --standard es --frequent 50 --remove vino -o own.txt")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(file_okay=False))
@click.option("--standard", multiple=True, metavar="CODE", help="Begin with the function words of a language; repeatable.")
@click.option("--from", "files", multiple=True, type=_PATH, metavar="FILE", help="Begin with an own list; repeatable.")
@click.option(
    "--frequent", default=0, type=click.IntRange(0, 999_999), metavar="N", help="Begin with the N most frequent words of DIR."
)
@click.option(
    "--field",
    type=click.Choice(["text", "titles", "anchors"]),
    default="text",
    show_default=True,
    help="Where --frequent counts.",
)
@click.option("--add", multiple=True, metavar="WORD", help="Put a word in; repeatable.")
@click.option("--remove", multiple=True, metavar="WORD", help="Take a word out; repeatable.")
@click.option("--output", "-o", type=_PATH, metavar="FILE", help="Save the list there instead of printing it.")
@with_output
def stoplist_command(
    folder: str | None,
    standard: tuple[str, ...],
    files: tuple[str, ...],
    frequent: int,
    field: str,
    add: tuple[str, ...],
    remove: tuple[str, ...],
    output: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Make, edit and save a list of words, for `stop` or `only` in the project files of one project or of many."""
    from trasmallo.study import stop

    words = stop.make(add)
    for code in standard:
        words |= stop.standard(code)
    for file in files:
        words |= stop.load(Path(file))
    if frequent:
        words |= _frequent(folder, frequent, field)
    words -= stop.make(remove)
    if output:
        stop.save(words, Path(output))
        if not quiet and not as_json:
            click.echo(f"Wrote {len(words):,} words to {output}.")
    elif as_json:
        print_json(sorted(words.words))
    else:
        click.echo("\n".join(sorted(words.words)))


def _frequent(folder: str | None, number: int, field: str) -> stop.StopList:
    from trasmallo.errors import UsageError
    from trasmallo.project.project import Project
    from trasmallo.project.results.frequent import most_frequent

    if folder is None:
        raise UsageError("--frequent counts the words of a project", "name its folder: trasmallo stoplist DIR --frequent 50")
    with Project.open(folder).tables() as tables:
        return most_frequent(tables, number, field)
