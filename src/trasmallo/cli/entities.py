"""The command of names in texts: finds them, trains models, tests them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from trasmallo.cli.output import (
    print_json,
    print_json_lines,
    print_separated,
    print_table,
    tell_of_loss,
    with_cells,
    with_rows,
    write_file,
)
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from trasmallo.study.entities.evaluation import Evaluation
    from trasmallo.study.entities.learning import Method
    from trasmallo.values.model import Entity

_COLUMNS = ("text", "kind", "start", "end", "value", "source", "score")
_FORMATS = ("table", "csv", "json", "xml", "tei", "conll")
_VERBS = {"train": "FILE -o MODEL", "test": "FILE [--model MODEL]"}
_SHOWN_FAILURES = 20  # judgement: a screen


@click.command("entities", epilog="Example: trasmallo entities news.html --format tei")
@click.argument("words", nargs=-1, required=True, metavar="DOC | train FILE | test FILE")
@click.option("--language", default="", metavar="CODE", help="Language of the text; found out when not given, es for training.")
@click.option(
    "--format", "form", default="table", show_default=True, type=click.Choice(_FORMATS), help="How entities of DOC are told."
)
@click.option(
    "--kind", "kinds", multiple=True, metavar="KIND", help="Only these: PER, LOC, ORG, MISC, DATE, MONEY...; repeatable."
)
@click.option("--model", default="", metavar="MODEL", help="A model of your own, for DOC and for test.")
@click.option(
    "--kinds", "own_kinds", default="", metavar="FILE|DIR", help="Kinds of your own too: a file, or a project's folder."
)
@click.option(
    "--output", "-o", default="", metavar="FILE", help="With train, where the model goes; with DOC instead of printing."
)
@click.option("--method", default="crf", show_default=True, type=click.Choice(["crf", "hmm"]), help="With train and --folds.")
@click.option("--folds", default=0, type=click.IntRange(0, 100), metavar="N", help="With test: cross-validate on FILE itself.")
@with_cells
@with_rows
def entities_command(
    words: tuple[str, ...],
    language: str,
    form: str,
    kinds: tuple[str, ...],
    model: str,
    own_kinds: str,
    output: str,
    method: Method,
    folds: int,
    as_json: bool,
    quiet: bool,
) -> None:
    """Print the names, dates, quantities, money and addresses of a document.

    `entities train FILE -o MODEL` makes a model of labelled sentences (CoNLL columns, or XML), `entities test FILE` tells how
    well a model finds their names: precision, recall and F1 by kind, what was taken for what, and the failures. With --json
    both print one object.
    """
    verb, file = (words[0], words[1]) if len(words) == 2 and words[0] in _VERBS else ("", words[0])
    if not verb and len(words) > 1:
        raise UsageError("too many documents", "give one; or entities train FILE -o MODEL, or entities test FILE")
    if verb == "train":
        _train(file, output, language or "es", method, as_json=as_json, quiet=quiet)
    elif verb == "test":
        _test(file, model, language or "es", method, folds=folds, as_json=as_json)
    else:
        find = partial(_finder, kinds=kinds, model=model, own_kinds=own_kinds)
        _find(file, language, "json" if as_json else form, find, output, is_told=not (quiet or model), quiet=quiet)


def _find(
    document: str,
    language: str,
    form: str,
    finder: Callable[[str], Callable[[str], list[Entity]]],
    output: str,
    *,
    is_told: bool,
    quiet: bool,
) -> None:
    from trasmallo.cli.progress import prepare_language
    from trasmallo.pipeline.documents import extract_from, load
    from trasmallo.study import languages
    from trasmallo.study.entities.found import nameless_in
    from trasmallo.study.entities.markup import as_columns, as_element, as_tei, in_markup, in_text

    if language:
        languages.check_known(language)
    writes = {"xml": as_element, "tei": as_tei}
    if form in writes and document.endswith((".xml", ".tei")):
        find = finder(language or "es")
        _tell(in_markup(load(document).content, find, writes[form]), output)
        return
    page = extract_from(document)
    tell_of_loss(page.cause, quiet=quiet)
    code = language or page.language or "und"
    prepare_language(code, quiet=True)
    found = finder(code)(page.text)
    if is_told and (nameless := nameless_in(code)):
        click.echo(f"trasmallo: {nameless}", err=True)
    if form in writes:
        _tell(f"<text>{in_text(page.text, found, writes[form])}</text>", output)
    elif form == "conll":
        _tell(as_columns(page.text, found, code).rstrip("\n"), output)
    elif form == "json":
        print_json_lines(found)
    else:
        _print_rows(found, form)


def _tell(text: str, output: str) -> None:
    if output:
        write_file(output, text + "\n")
    else:
        click.echo(text)


def _print_rows(found: Sequence[Entity], form: str) -> None:
    rows = [tuple(getattr(one, name) for name in _COLUMNS) for one in found]
    if form == "csv":
        print_separated(_COLUMNS, rows)
    else:
        print_table(_COLUMNS, rows)


def _finder(language: str, *, kinds: Sequence[str], model: str, own_kinds: str) -> Callable[[str], list[Entity]]:
    """What finds entities of some kinds, with a user's model and kinds where there are such."""
    from trasmallo.study.entities.found import find_entities
    from trasmallo.study.entities.learning import entities_with
    from trasmallo.study.entities.model_files import load

    own = load(Path(model)) if model else None
    wanted = {kind.upper() for kind in kinds}

    def find(text: str) -> list[Entity]:
        found = entities_with(own, text, language, own_kinds) if own else find_entities(text, language, kinds=own_kinds)
        return [one for one in found if not wanted or one.kind in wanted]

    return find


def _train(file: str, output: str, language: str, method: Method, *, as_json: bool, quiet: bool) -> None:
    from trasmallo.study.entities.labelled_files import lone_kind, read_labelled
    from trasmallo.study.entities.learning import train_model
    from trasmallo.study.entities.model_files import save

    if not output:
        raise UsageError("a model needs a place", "name it with -o MODEL")
    sentences = read_labelled(Path(file), language)
    if not quiet and not as_json:
        click.echo(f"training on {len(sentences):,} sentences...", err=True)
    if (told_of := lone_kind(Path(file), sentences)) and not quiet:
        click.echo(f"trasmallo: {told_of}", err=True)
    model = train_model(sentences, method, language, Path(file).name)
    digest = save(model, Path(output))
    kinds = sorted({label[2:] for label in model.labels if label != "O"})
    told = {"model": output, "method": method, "sentences": len(sentences), "kinds": kinds, "sha256": digest}
    if as_json:
        print_json(told)
    elif not quiet:
        click.echo(f"{output}: {method} of {', '.join(kinds)}, sha256 {digest[:16]}")


def _test(file: str, model: str, language: str, method: Method, *, folds: int, as_json: bool) -> None:
    from trasmallo.study.entities.evaluation import evaluate
    from trasmallo.study.entities.labelled_files import read_labelled
    from trasmallo.study.entities.learning import cross_validate, labeller
    from trasmallo.study.entities.model_files import load

    sentences = read_labelled(Path(file), language)
    if folds:
        found = cross_validate(sentences, method, language, folds)
    else:
        found = evaluate(sentences, labeller(load(Path(model)) if model else None, language))
    if as_json:
        print_json(found)
    else:
        _print_test(found)


def _print_test(found: Evaluation) -> None:
    title = f"{found.sentences:,} sentences, {found.words:,} words"
    rows = [(one.kind, one.precision, one.recall, one.f1, one.right, one.found, one.wanted) for one in found.scores]
    print_table(("kind", "precision", "recall", "F1", "right", "found", "wanted"), rows, title=title)
    print_table(("wanted", "found", "times"), [(one.wanted, one.found, one.count) for one in found.confusion[:_SHOWN_FAILURES]])
    shown = found.failures[:_SHOWN_FAILURES]
    rest = f"{len(shown)} of {len(found.failures)} failures; all with --json"
    print_table(
        ("sentence", "text", "wanted", "found"),
        [(one.sentence, one.text, one.wanted, one.found) for one in shown],
        caption=rest,
    )
