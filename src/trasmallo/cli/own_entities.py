"""The commands about a project's entities: users' own kinds, what is one entity, and names marked by hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import (
    STANDARD_OUTPUT,
    folder_argument,
    number_of,
    place_for,
    print_json,
    print_json_lines,
    print_table,
    with_either,
    with_rows,
)
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from trasmallo.project.project import Project
    from trasmallo.results.annotating import AgreementReport
    from trasmallo.study.entities.learning import Method

_RULE = ("number", "kind", "by", "what", "options")
_DECISION = ("act", "kind", "entity", "other", "when")
_LEARNT_NAME = ("name", "score", "count", "patterns", "example")
_LEARNT_PATTERN = ("before", "after", "score", "seeds", "others")
_SUGGESTION = ("text", "kind", "score", "document", "start", "end", "title")
_SHOWN = 20  # judgement: a screen


@click.command("kinds", epilog="Example: trasmallo kinds mycorpus --list DRUG drugs.txt --inflected")
@folder_argument
@click.option(
    "--list", "listed", nargs=2, metavar="KIND FILE", help="Names of FILE (a line each, a tab before a value) are KIND."
)
@click.option("--pattern", nargs=2, metavar="KIND QUERY", help='Hits of a corpus query are KIND, as DOSE \'[pos="NUM"] "mg"\'.')
@click.option("--inflected", is_flag=True, help="With --list: names are also met in plural and by lemmas.")
@click.option("--case", is_flag=True, help="With --list: capital and small letters count.")
@click.option("--accents", is_flag=True, help="With --list: accents count.")
@click.option("--verified", is_flag=True, help="With --list: names count only inside hits of a pattern that verifies KIND.")
@click.option(
    "--titles", is_flag=True, help="With --list: the names behind those of FILE are KIND, as behind minister, doctor."
)
@click.option("--before", default="", metavar="QUERY", help="With --pattern: what must stand right before it.")
@click.option("--after", default="", metavar="QUERY", help="With --pattern: what must stand right behind it.")
@click.option(
    "--verifies", multiple=True, metavar="KIND", help="With --pattern: names of these kinds count inside; repeatable."
)
@click.option("--model", default="", metavar="FILE", help="Names are found by a model that `annotations --train` wrote.")
@click.option("--score", default=1.0, type=click.FloatRange(0, 1), metavar="S", help="With --pattern: how sure its hits are.")
@click.option(
    "--remove", multiple=True, type=int, metavar="N", help="Take out the list, pattern or model of this number; repeatable."
)
@with_rows
def kinds_command(
    folder: str,
    listed: tuple[str, str] | None,
    pattern: tuple[str, str] | None,
    inflected: bool,
    case: bool,
    accents: bool,
    verified: bool,
    titles: bool,
    before: str,
    after: str,
    verifies: tuple[str, ...],
    model: str,
    score: float,
    remove: tuple[int, ...],
    as_json: bool,
    quiet: bool,
) -> None:
    """Show or change kinds of entities of your own, found by lists, patterns and models; kept in DIR/entities.toml.

    A pattern sees what lists, rules and the model found as [ent="KIND"]. `trasmallo study DIR` finds them in the whole corpus,
    `trasmallo entities DOC --kinds DIR` in a document.
    """
    from trasmallo.project.project import Project

    if bool(listed) + bool(pattern) + bool(model) + bool(remove) > 1:
        raise UsageError("too much to do at once", "give one of --list, --pattern, --model and --remove")
    project = Project.open(folder)
    if listed:
        project.add_list(*listed, inflected=inflected, case=case, accents=accents, verified=verified, titles=titles)
    elif pattern:
        project.add_pattern(*pattern, before=before, after=after, verifies=verifies, score=score)
    elif model:
        project.add_model(model)
    elif remove:
        project.remove_kinds(*remove)
    rules = project.own_kinds()
    if as_json:
        print_json_lines(rules)
    elif not quiet:
        print_table(_RULE, [tuple(getattr(one, name) for name in _RULE) for one in rules])


@click.command("learn", epilog="Example: trasmallo learn mycorpus DRUG --seed aspirina --seed ibuprofeno")
@folder_argument
@click.argument("kind")
@click.option(
    "--seed", "seeds", multiple=True, metavar="NAME", help="A name of the kind, besides those in its lists; repeatable."
)
@click.option("--accept", multiple=True, metavar="NAME", help="It is of the kind: put it into learnt-KIND.txt; repeatable.")
@click.option("--reject", multiple=True, metavar="NAME", help="It is not: never offer or find it as that; repeatable.")
@click.option("--patterns", is_flag=True, help="Show what stands beside names of the kind, as patterns, in the place of names.")
@click.option("--limit", default=_SHOWN, show_default=True, type=click.IntRange(1, 10_000), metavar="N", help="Names at most.")
@with_rows
def learn_command(
    folder: str,
    kind: str,
    seeds: tuple[str, ...],
    accept: tuple[str, ...],
    reject: tuple[str, ...],
    patterns: bool,
    limit: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Look for more names of a kind of your own: those that stand where its names do, with the evidence.

    Nothing is taken over before you accept it. `trasmallo kinds DIR --pattern` takes a pattern, `trasmallo entity DIR --undo` a
    rejection back.
    """
    from trasmallo.project.project import Project

    project = Project.open(folder)
    if accept or reject:
        if seeds or patterns:
            raise UsageError("too much to do at once", "accept and reject without --seed and --patterns")
        if accept:
            project.accept_names(kind, accept)
        if reject:
            project.block_entities(reject, kind)
        _say_judged(len(accept), len(reject), as_json=as_json, quiet=quiet)
        return
    found = project.learn_kind(kind, seeds, limit=limit)
    columns, rows = (_LEARNT_PATTERN, found.patterns[:limit]) if patterns else (_LEARNT_NAME, found.names)
    if as_json:
        print_json_lines(rows)
    elif not quiet:
        title = f"seeds met {found.met:,} times; names are {found.shape}"
        print_table(columns, [tuple(_cell(getattr(one, name)) for name in columns) for one in rows], title=title)


def _cell(value: object) -> object:
    return " | ".join(value) if isinstance(value, tuple) else value


def _say_judged(accepted: int, rejected: int, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        print_json({"accepted": accepted, "rejected": rejected})
    elif not quiet:
        click.echo(f"Accepted {accepted:,}, rejected {rejected:,}. `trasmallo study DIR` finds what was accepted.")


@click.command("entity", epilog="Example: trasmallo entity mycorpus 'A. Pérez' --kind PER --into 'Ana Pérez'")
@folder_argument
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option("--kind", default="", metavar="KIND", help="The kind that the names have in the table of entities.")
@click.option("--into", default="", metavar="NAME", help="They are one with this entity, or are to be called so.")
@click.option("--split", multiple=True, metavar="TEXT", help="What is written so is not the entity NAME; repeatable.")
@click.option("--block", is_flag=True, help="They are no entities.")
@click.option("--as", "other_kind", default="", metavar="KIND", help="They are of this kind.")
@click.option("--undo", is_flag=True, help="Take the last decision back.")
@click.option("--list", "listed", is_flag=True, help="Show all decisions.")
@with_either("--list")
def entity_command(
    folder: str,
    names: tuple[str, ...],
    kind: str,
    into: str,
    split: tuple[str, ...],
    block: bool,
    other_kind: str,
    undo: bool,
    listed: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Say what is one entity, what is not, and what is none; it is kept in DIR/entities.tsv over all runs, and shown at once.

    `list DIR variants` shows what the program joined by itself, and why.
    """
    from trasmallo.project.project import Project

    project = Project.open(folder)
    acts = [bool(into), bool(split), block, bool(other_kind)]
    if listed or undo:
        if names or any(acts) or (listed and undo):
            raise UsageError("--list and --undo take nothing else", "give one of them alone")
        _list_or_undo(project, undo=undo, as_json=as_json, quiet=quiet)
        return
    if not names or not kind or sum(acts) != 1 or (split and len(names) != 1):
        raise UsageError(
            "nothing or too much to decide", "give names, --kind, and one of --into, --split (of one name), --block and --as"
        )
    if into:
        given = project.merge_entities(names, into, kind)
    elif split:
        given = project.split_entity(names[0], split, kind)
    elif block:
        given = project.block_entities(names, kind)
    else:
        given = project.change_kind(names, kind, other_kind)
    if as_json:
        print_json({"decisions": len(given)})
    elif not quiet:
        click.echo(f"Decided {len(given)}; {len(project.entity_decisions())} in all. --undo takes the last one back.")


def _list_or_undo(project: Project, *, undo: bool, as_json: bool, quiet: bool) -> None:
    if undo:
        taken = project.undo_decision()
        if as_json:
            print_json({"undone": taken})
        elif not quiet:
            click.echo(f"Took back: {taken.act} {taken.kind} {taken.entity} {taken.other}" if taken else "There was nothing.")
        return
    found = project.entity_decisions()
    if as_json:
        print_json_lines(found)
    else:
        print_table(_DECISION, [tuple(getattr(one, name) for name in _DECISION) for one in found])


@click.command("annotations", epilog="Example: trasmallo annotations mycorpus --export marked.jsonl")
@folder_argument
@click.option("--doubts", is_flag=True, help="Show names that the model is least sure of, for marking.")
@click.option("--kind", default="", metavar="KIND", help="With --doubts: only of this kind.")
@click.option("--limit", default=_SHOWN, show_default=True, type=click.IntRange(1, 100_000), metavar="N", help="With --doubts.")
@click.option("--agreement", is_flag=True, help="Show how far the program agrees with people, in complete documents.")
@click.option(
    "--export", "target", default="", metavar="FILE", help="Write marked documents as JSON lines; .conll for training."
)
@click.option("--import", "source", default="", metavar="FILE", help="Take over documents that were exported as JSON lines.")
@click.option("--train", "model", default="", metavar="MODEL", help="Train a model of names on complete documents.")
@click.option("--method", default="crf", show_default=True, type=click.Choice(["crf", "hmm"]), help="With --train.")
@with_either("no option, --doubts")
def annotations_command(
    folder: str,
    doubts: bool,
    kind: str,
    limit: int,
    agreement: bool,
    target: str,
    source: str,
    model: str,
    method: Method,
    as_json: bool,
    quiet: bool,
) -> None:
    """Show, exchange and use names that people marked in documents; the app's page Marking makes them, kept in DIR/annotations.

    What is marked counts at once in all tables. Complete documents train and test; of partial ones only the marks are known.
    """
    from trasmallo.project.project import Project

    if doubts + agreement + bool(target) + bool(source) + bool(model) > 1:
        raise UsageError("too much to do at once", "give one of --doubts, --agreement, --export, --import and --train")
    project = Project.open(folder)
    if doubts:
        _print_rows(_SUGGESTION, project.suggestions(kind=kind, limit=limit), as_json=as_json)
    elif agreement:
        _print_agreement(project.agreement(), as_json=as_json)
    elif model:
        _train(project, model, method, as_json=as_json, quiet=quiet)
    elif target or source:
        number = _exported(project, target) if target else project.import_annotations(source)
        _tell(number, target or source, as_json=as_json, quiet=quiet)
    else:
        _print_annotations(project, as_json=as_json)


def _train(project: Project, model: str, method: Method, *, as_json: bool, quiet: bool) -> None:
    told = project.train_names(model, method=method)
    if as_json:
        print_json(told)
    elif not quiet:
        click.echo(f"{told.model}: {told.method} of {', '.join(told.kinds)}, {told.sentences:,} sentences")


def _tell(number: int, file: str, *, as_json: bool, quiet: bool) -> None:
    if file == STANDARD_OUTPUT:
        return
    if as_json:
        print_json({"file": file, "documents": number})
    elif not quiet:
        click.echo(number_of(number, "document"))


def _print_annotations(project: Project, *, as_json: bool) -> None:
    columns = ("url", "names", "complete", "when", "document")
    told = [(one.url, len(one.spans), one.complete, one.when, one.document) for one in project.annotations()]
    if as_json:
        print_json_lines(dict(zip(columns, row, strict=True)) for row in told)
    else:
        print_table(columns, told)


def _exported(project: Project, target: str) -> int:
    with place_for(target) as place:
        return project.export_annotations(place)


def _print_rows(columns: Sequence[str], rows: Sequence[object], *, as_json: bool) -> None:
    if as_json:
        print_json_lines(rows)
    else:
        print_table(columns, [tuple(getattr(one, name) for name in columns) for one in rows])


def _print_agreement(found: AgreementReport, *, as_json: bool) -> None:
    if as_json:
        print_json(found)
        return
    title = f"{found.documents:,} complete documents, {found.partial:,} partial, {found.stale:,} of another text"
    rows = [(one.kind, one.precision, one.recall, one.f1, one.right, one.found, one.wanted) for one in found.scores]
    print_table(("kind", "precision", "recall", "F1", "right", "found", "wanted"), rows, title=title)
    print_table(("wanted", "found", "times"), [(one.wanted, one.found, one.count) for one in found.confusion[:_SHOWN]])
