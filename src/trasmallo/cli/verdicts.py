"""The command that judges words which nobody lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import (
    STANDARD_OUTPUT,
    folder_argument,
    print_json,
    print_json_lines,
    print_table,
    with_either,
    write_file,
)
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from trasmallo.project.project import Project
    from trasmallo.results.candidates import Candidate

_FLAGS = {
    "accept": ("accepted", "They are new words of the language."),
    "reject": ("rejected", "They are not worth a look."),
    "typo": ("typo", "They are misspelt."),
    "name": ("name", "They are proper names."),
    "foreign": ("foreign", "They are foreign words."),
    "later": ("later", "They are to be judged later."),
    "forget": ("", "Take back what was said of them."),
}


def _with_flags(command: click.decorators.FC) -> click.decorators.FC:
    for name, (_, meaning) in reversed(_FLAGS.items()):
        command = click.option(f"--{name}", is_flag=True, help=meaning)(command)
    return command


@click.command("verdict", epilog="Example: trasmallo verdict mycorpus barcoteca flumbear --accept")
@folder_argument
@click.argument("words", nargs=-1, metavar="[WORD]...")
@_with_flags
@click.option(
    "--where",
    multiple=True,
    metavar="CONDITION",
    help="Judge all words of `neologisms` that meet this, as affix=re-; several must all hold.",
)
@click.option("--note", default="", metavar="TEXT", help="Why, to be kept beside the verdict.")
@click.option("--evidence", is_flag=True, help="Show what there is of the words: quotations, sources, countries, days.")
@click.option("--list", "listed", is_flag=True, help="Show all verdicts.")
@click.option(
    "--import",
    "source",
    metavar="FILE",
    type=click.Path(dir_okay=False),
    help="Take over verdicts; words alone get the flag's.",
)
@click.option("--export", "target", metavar="FILE", help="Write all verdicts to FILE, - is standard output.")
@with_either("--list or --evidence")
def verdict_command(
    folder: str,
    words: tuple[str, ...],
    where: tuple[str, ...],
    note: str,
    evidence: bool,
    listed: bool,
    source: str | None,
    target: str | None,
    as_json: bool,
    quiet: bool,
    **flags: bool,
) -> None:
    """Say what words that nobody lists are; it is kept in DIR/verdicts.tsv over all runs, and shown in their tables.

    Judging a word again replaces its verdict. `known = "accepted"` in [study] makes accepted words known to the next study.
    """
    from trasmallo.project.project import Project

    project, verdict = Project.open(folder), _given(flags)
    if evidence:
        _show_evidence(project, words, verdict, as_json=as_json)
        return
    if where and not words and verdict is not None:
        words = tuple(str(row["word"]) for row in project.table("neologisms", where=where, columns=("word",)))
        if not words:
            raise UsageError("no word meets these conditions", "see them with: trasmallo list DIR neologisms")
    if bool(words) + listed + bool(source) + bool(target) != 1:
        raise UsageError(
            "nothing or too much to do", "give words or --where and a verdict, or one of --list, --import and --export"
        )
    if target:
        _export(project, target, as_json=as_json)
    elif listed:
        _show(project, as_json=as_json)
    else:
        number = _judge(project, words, verdict, note) if words else project.import_verdicts(str(source), verdict or "")
        if as_json:
            print_json({"words": number, "verdict": verdict or ""})
        elif not quiet:
            click.echo(f"Judged {number:,} {'word' if number == 1 else 'words'}; {len(project.verdicts()):,} have a verdict.")


def _given(flags: dict[str, bool]) -> str | None:
    """The verdict of the flag that was given, None without one."""
    chosen = [name for name, given in flags.items() if given]
    if len(chosen) > 1:
        raise UsageError("--{chosen} contradict each other", "give one of them", chosen=" and --".join(chosen))
    return _FLAGS[chosen[0]][0] if chosen else None


def _judge(project: Project, words: tuple[str, ...], verdict: str | None, note: str) -> int:
    if verdict is None:
        raise UsageError("no verdict", "give one of --{flags}", flags=", --".join(_FLAGS))
    return len(project.judge(words, verdict, note=note))


def _show(project: Project, *, as_json: bool) -> None:
    if as_json:
        print_json_lines(project.verdicts())
    else:
        rows = ((one.word, one.verdict, one.when, one.note, one.edition) for one in project.verdicts())
        print_table(("word", "verdict", "when", "note", "edition"), rows)


def _show_evidence(project: Project, words: tuple[str, ...], verdict: str | None, *, as_json: bool) -> None:
    if not words or verdict is not None:
        raise UsageError("--evidence is of words, and judges none", "give words and no verdict")
    found = [project.evidence(word) for word in words]
    if as_json:
        print_json_lines(found)
        return
    for card in found:
        click.echo("\n".join(_card_lines(card)))


def _card_lines(card: Candidate) -> Iterator[str]:
    """A card as text: what is said of the word, its sources, and quotations with where and when."""
    figures = card.figures
    said = f"{figures['kind']} ({figures['reason']})" if figures["reason"] else str(figures["kind"])
    yield f"{card.word}: {said}, {figures['count']:,} times in {figures['documents']:,} documents" + (
        f"; {figures['verdict']}" if figures["verdict"] else ""
    )
    by = f"{figures['by_document']:,} documents dated by themselves, {figures['by_visit']:,} by their visit"
    yield f"  seen {figures['first_seen'] or 'without a date'} to {figures['last_seen'] or 'without a date'} ({by})"
    yield "  sites: " + ", ".join(f"{site} {number:,}" for site, number in card.sites)
    if card.countries:
        yield "  countries: " + ", ".join(f"{country} {number:,}" for country, number in card.countries)
    for one in card.contexts:
        yield f"  “{one.quotation or one.left + one.word + one.right}”"
        yield f"      {one.title or one.url}, {one.date or 'no date'}{f' ({one.date_origin})' if one.date else ''}, {one.url}"


def _export(project: Project, target: str, *, as_json: bool) -> None:
    from trasmallo.study.verdicts import write

    found = project.verdicts()
    write_file(target, write(found))
    if as_json and target != STANDARD_OUTPUT:
        print_json({"file": target, "words": len(found)})
