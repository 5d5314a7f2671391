"""The command that makes and edits lists of words."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import STANDARD_OUTPUT, print_json_lines, with_rows

if TYPE_CHECKING:
    from trasmallo.project.project import Project
    from trasmallo.study import stop_lists

_PATH = click.Path(dir_okay=False)


@click.command("stoplist", epilog="Example: trasmallo stoplist mycorpus --standard es --frequent 50 --remove vino -o own.txt")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(file_okay=False))
@click.option("--standard", multiple=True, metavar="CODE", help="Begin with the function words of a language; repeatable.")
@click.option(
    "--from", "files", multiple=True, type=_PATH, metavar="FILE", help="Begin with an own list, or shared:NAME; repeatable."
)
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
@click.option(
    "--key",
    "typical",
    default=0,
    type=click.IntRange(0, 999_999),
    metavar="N",
    help="Begin with the N words most typical of DIR.",
)
@click.option("--against", default="", metavar="REFERENCE", help="What --key compares with, as `trasmallo keyness` does.")
@click.option("--add", multiple=True, metavar="WORD", help="Put a word in; repeatable.")
@click.option("--remove", multiple=True, metavar="WORD", help="Take a word out; repeatable.")
@click.option("--output", "-o", type=_PATH, metavar="FILE", help="Save the list there instead of printing it.")
@click.option("--save", default="", metavar="NAME", help="Save it as shared:NAME, for all your projects.")
@click.option("--names", is_flag=True, help="Show the names of the lists that your projects share.")
@with_rows
def stoplist_command(
    folder: str | None,
    standard: tuple[str, ...],
    files: tuple[str, ...],
    frequent: int,
    field: str,
    typical: int,
    against: str,
    add: tuple[str, ...],
    remove: tuple[str, ...],
    output: str | None,
    save: str,
    names: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Make, edit and save a list of words, for `stop`, `only` or `known` in the project files of one project or of many."""
    from trasmallo.study import stop_lists

    words = stop_lists.make(add)
    for code in standard:
        words |= stop_lists.standard(code)
    for file in files:
        words |= stop_lists.load(stop_lists.find(file, Path()))
    if frequent:
        words |= _frequent(folder, frequent, field)
    if typical:
        words |= _typical(folder, typical, against)
    words -= stop_lists.make(remove)
    path = stop_lists.shared_path(save) if save else Path(output) if output and output != STANDARD_OUTPUT else None
    if path:
        stop_lists.save(words, path)
        if not quiet and not as_json:
            click.echo(f"Wrote {len(words):,} words to {path}.")
    if as_json or not path:
        _show("list" if names else "word", stop_lists.shared_names() if names else words.lines(), as_json=as_json)


def _show(what: str, lines: list[str], *, as_json: bool) -> None:
    if as_json:
        print_json_lines({what: line} for line in lines)
    elif lines:
        click.echo("\n".join(lines))


def _frequent(folder: str | None, number: int, field: str) -> stop_lists.StopList:
    from trasmallo.results.frequent_words import most_frequent

    with _open(folder, "--frequent", "--frequent 50").tables() as tables:
        return most_frequent(tables, number, field)


def _typical(folder: str | None, number: int, against: str) -> stop_lists.StopList:
    from trasmallo.study import stop_lists
    from trasmallo.values.errors import UsageError

    project = _open(folder, "--key", "--key 50 --against wordfreq:es")
    if not against:
        raise UsageError(
            "--key needs something to compare with", "add --against with a project, a file of counts, or wordfreq:es"
        )
    return stop_lists.make(one.word for one in project.keywords(against, number=number))


def _open(folder: str | None, option: str, example: str) -> Project:
    from trasmallo.project.project import Project
    from trasmallo.values.errors import UsageError

    if folder is None:
        raise UsageError(
            "{option} counts the words of a project",
            "name its folder: trasmallo stoplist DIR {example}",
            option=option,
            example=example,
        )
    return Project.open(folder)
