"""The command that slices a document: what it says about a criterion, or everything else."""

from __future__ import annotations

from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, TypedDict, Unpack

import click

from trasmallo.cli.documents import document_argument
from trasmallo.cli.output import STANDARD_OUTPUT, print_json, printable, tell_of_loss, with_output, write_file

if TYPE_CHECKING:
    from trasmallo.clean.slicing.sliced import Filter, SlicedPage


class _SliceOptions(TypedDict):
    tolerance: tuple[str, ...]
    inverse: bool
    view: Literal["keep", "collapse", "bare"]
    where: Literal["text", "attributes", "elements", "both"]
    case: bool
    accents: bool
    part: bool
    forms: bool
    in_context: bool
    related: str | None
    then: tuple[str, ...]
    without: tuple[str, ...]
    main: Literal["before", "after"] | None
    mark: bool
    language: str
    kind: Literal["html", "text"]
    rule: Literal["command", "css", "ublock"] | None
    output: str | None


_MOST_RELATED = 10
"""Words of related meaning, or attributes, that are told in one line. Judgement."""
_VIEWS = click.Choice(["keep", "collapse", "bare"])


@click.command(
    "slice", epilog="Example: trasmallo slice https://example.org/ 'madrid AND NOT liga' --tolerance 1 -o sliced.html"
)
@document_argument
@click.argument("criterion")
@click.option(
    "--tolerance",
    multiple=True,
    metavar="N|near:N|meaning:N",
    help="How much around it: levels up the tree, words, or words of related meaning; again for each --then.",
)
@click.option("--inverse", is_flag=True, help="Hide what matches instead of everything else.")
@click.option(
    "--view", default="collapse", show_default=True, type=_VIEWS, help="Keep the space of what is hidden, or no tree."
)
@click.option(
    "--in",
    "where",
    default="both",
    show_default=True,
    type=click.Choice(["text", "attributes", "elements", "both"]),
    help="Where to look: text, attributes, both, or the names of elements.",
)
@click.option("--case", is_flag=True, help="Capitals matter.")
@click.option("--accents", is_flag=True, help="Accents matter.")
@click.option("--part", is_flag=True, help="A part of a word is enough.")
@click.option("--forms", is_flag=True, help="Any form of a word will do (Spanish, English); for one word write word~.")
@click.option(
    "--in-context", is_flag=True, help="Of word~ and --forms only what is a form of that word in its sentence: vino as venir."
)
@click.option("--then", multiple=True, metavar="CRITERION", help="Filter again inside what is left; repeatable.")
@click.option("--without", multiple=True, metavar="CRITERION", help="Then hide this in what is left; repeatable.")
@click.option("--main", type=click.Choice(["before", "after"]), help="Take the main block before the criterion or after it.")
@click.option("--mark", is_flag=True, help="Mark the words in the page.")
@click.option(
    "--related",
    type=click.Path(exists=True, dir_okay=False),
    metavar="FILE",
    help="Your own tree of related words for meaning:N, as XML or JSON.",
)
@click.option("--language", default="", metavar="CODE", help="Language for forms and meaning:N; found out when not given.")
@click.option("--format", "kind", default="html", show_default=True, type=click.Choice(["html", "text"]))
@click.option("--rule", type=click.Choice(["command", "css", "ublock"]), help="Print the slice as a rule instead.")
@click.option("--output", "-o", type=click.Path(dir_okay=False), metavar="FILE", help="Write there instead of printing.")
@with_output
def slice_command(document: str, criterion: str, as_json: bool, quiet: bool, **options: Unpack[_SliceOptions]) -> None:
    """Print what a page says about CRITERION: words, "phrases", word*, word~ (all forms), AND, OR, NOT, XOR, MIN(word, n)."""
    from trasmallo.pipeline.documents import slice_from

    steps = _steps(criterion, options)
    found = slice_from(
        document,
        steps,
        options["view"],
        main=options["main"] or "",
        mark=options["mark"],
        language=options["language"],
        related=_related(options, steps),
    )
    tell_of_loss(found.cause, quiet=quiet)
    if not found.count and not quiet:
        click.echo(f"trasmallo: {_unfound(found)}", err=True)
    if found.nodes and not found.text.strip() and options["kind"] == "text" and not (quiet or as_json or options["rule"]):
        click.echo(f"trasmallo: {_without_text(found)}", err=True)
    if options["rule"]:
        rule = found.rule(options["rule"], document)
        print_json({"rule": rule}) if as_json else _give(rule, options["output"])
    elif not as_json:
        _give(found.html if options["kind"] == "html" else found.text, options["output"])
    else:
        if options["output"] not in (None, STANDARD_OUTPUT):
            _give(found.html if options["kind"] == "html" else found.text, options["output"])
        print_json(_told(found))


def _related(options: _SliceOptions, steps: list[Filter]) -> dict[str, dict[str, int]] | None:
    """The tree of related words in a file; that of another tolerance would change nothing."""
    from trasmallo.clean.slicing.related_words import LONGEST, check_needed, read_related

    check_needed(options["related"], (step.tolerance for step in steps))
    if options["related"] is None:
        return None
    with Path(options["related"]).open(encoding="utf-8", errors="replace") as file:
        return read_related(file.read(LONGEST + 1))


def _unfound(found: SlicedPage) -> str:
    """What is said where no word was found itself; words of related meaning may be shown all the same."""
    if not found.related:
        return "nothing on the page matches"
    nearest = ", ".join(f"{word.word} ({word.distance})" for word in found.related[:_MOST_RELATED])
    return f"the words themselves are not on the page; shown for their meaning: {nearest}"


def _without_text(found: SlicedPage) -> str:
    """What is said where all that was found has no text: what matched, and how it is seen."""
    matched = (f'{one.tag} {one.name}="{one.value}"' for node in found.nodes for one in node.attributes)
    told = ", ".join(printable(one) for one in dict.fromkeys(islice(matched, _MOST_RELATED)))
    return f"no text matches, but {told or 'names of elements'}: see where with --format html --mark"


def _steps(criterion: str, options: _SliceOptions) -> list[Filter]:
    """The steps that were asked for; each criterion is read before the document is."""
    from trasmallo.clean.slicing.criterion import parse
    from trasmallo.clean.slicing.matching import WordComparison
    from trasmallo.clean.slicing.sliced import Filter, check_context
    from trasmallo.clean.slicing.tolerance import read_tolerance

    names = ("where", "case", "accents", "part", "forms", "in_context")
    reading = WordComparison(**{name: options[name] for name in names})  # type: ignore[literal-required]
    kept = [criterion, *options["then"]]
    if len(options["tolerance"]) > len(kept):
        raise click.UsageError("There are more tolerances than criteria")
    sizes = [*options["tolerance"], *["0"] * len(kept)]
    steps = [
        Filter(text, read_tolerance(size), not number and options["inverse"], reading)
        for number, (text, size) in enumerate(zip(kept, sizes, strict=False))
    ]
    steps += [Filter(text, inverse=True, reading=reading) for text in options["without"]]
    for step in steps:
        parse(step.criterion)
    check_context(steps)
    return steps


def _told(found: SlicedPage) -> dict[str, object]:
    steps = [
        {"criterion": s.criterion, "tolerance": str(s.tolerance), "inverse": s.inverse, "main": s.main} for s in found.history
    ]
    return {
        "count": found.count,
        "most_tolerance": found.most_tolerance,
        "steps": steps,
        "nodes": found.nodes,
        "related": found.related,
        "html": found.html,
        "text": found.text,
    }


def _give(text: str, output: str | None) -> None:
    if output:
        write_file(output, text)
    else:
        click.echo(text, nl=not text.endswith("\n"))
