"""Writes the reference of the docs from the code: commands, keys, events, errors, tables, the Python API.

`generate(folder)` is called by `conf.py` before every build; the pages are never edited by hand.
"""

from __future__ import annotations

import inspect
import json
import re
import tempfile
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from importlib import metadata
from pathlib import Path
from typing import Any, get_args

import click
import msgspec

import trasmallo
from trasmallo import config, config_text, events, plugins
from trasmallo.clean.content.registry import methods
from trasmallo.clean.formats.registry import formats
from trasmallo.clean.read import Extraction
from trasmallo.clean.slicing.sliced import FoundNode, SlicedPage
from trasmallo.cli import COMMANDS, program
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.registry import all_tables
from trasmallo.results.summary import Summary
from trasmallo.store.run_folders import Manifest, Run
from trasmallo.values import errors, model
from trasmallo.values.errors import TrasmalloError

Lines = Iterator[str]


def generate(folder: Path) -> None:
    """Write every page of the reference; pages that did not change are not touched, so that builds stay quick."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in PAGES.items():
        _write(folder / f"{name}.md", page())
    _write(folder / "index.md", index_page())
    _write(folder / "trasmallo.schema.json", [json.dumps(config_text.schema(), indent=1)])


def index_page() -> Lines:
    yield from ("# Reference", "", "Made from the code at every build, so it cannot disagree with the program.", "")
    yield from ("```{toctree}", *PAGES, "```")


def commands_page() -> Lines:
    yield from ("# Commands", "", _prose(inspect.cleandoc(program.help or "")), "")
    yield from ("`trasmallo --version` prints the version; `trasmallo COMMAND --help` prints what this page says.", "")
    parent = click.Context(program, info_name="trasmallo")
    for name in COMMANDS:
        command = program.get_command(parent, name)
        assert command is not None, name
        yield from _command(command, click.Context(command, info_name=name, parent=parent))


def keys_page() -> Lines:
    yield from ("# The project file", "", _prose(_doc(config)), "")
    yield from ("`trasmallo new` writes it with every key, its default and its meaning. Editors check it with its", "")
    yield from ("{download}`JSON schema <trasmallo.schema.json>`.", "")
    sections = dict.fromkeys(section for section, *_ in config_text.describe_keys())
    for wanted in sections:
        title, meaning = _section(wanted)
        rows = [
            (f"`{name}`", f"`{_toml(default)}`", _prose(meaning))
            for section, name, default, meaning in config_text.describe_keys()
            if section == wanted
        ]
        yield from (f"## {title}", "", meaning, "", *_table(("key", "default", "meaning"), rows))


def events_page() -> Lines:
    yield from ("# Events", "", _prose(_doc(events)), "")
    yield from ("In `events.jsonl` each line is one event: `at` (seconds since 1970), `type` (its name) and its fields.", "")
    for event in get_args(events.AnyEvent):
        yield from (f"## {event.__name__}", "", _prose(_doc(event)), "", *_fields(event))


def errors_page() -> Lines:
    yield from ("# Misfortunes", "", "## Errors of a project", "", *_errors_text(), "")
    rows = [(f"`{kind.__name__}`", str(kind.exit_code), _prose(_doc(kind))) for kind in all_errors()]
    yield from _table(("error", "exit code", "when"), rows)
    yield "With `--json` the line on standard error is a JSON object: `error.kind`, `error.problem`, `error.repair`,"
    yield from ("`error.code` (the problem with names instead of its values) and `error.arguments` (the values).", "")
    for title, kind in (("How asking for an address ends", model.Outcome), ("Why a page gives no document", model.Drop)):
        names = [(f"`{item.value}`", f"`{kind.__name__}.{item.name}`") for item in kind]
        yield from (f"## {title}", "", _prose(_doc(kind)), "", *_table(("in reports", "in Python"), names))


def _empty_run(folder: Path) -> Run:
    run = Run(folder, Manifest("none", "crawl", 0.0))
    run.save()
    return run


def tables_page() -> Lines:
    yield from ("# Result tables", "", "What `trasmallo list`, `trasmallo export` and `Project.table` give, and the columns of")
    yield from ("each table. Documents are known by the same `document` in all of them.", "")
    with tempfile.TemporaryDirectory() as folder, Tables(_empty_run(Path(folder))) as tables:
        for name, table in all_tables().items():
            columns = ", ".join(f"`{column}`" for column in tables.ask(name).columns)
            yield from (f"## {name}", "", _prose(table.about.en), "", f"Columns: {columns}.", "")


def formats_page() -> Lines:
    yield from (
        "# Formats and methods",
        "",
        "## Formats of documents",
        "",
        "What is kept of each: [](../guides/formats.md).",
        "",
    )
    rows = [
        (f"`{known.name}`", known.title, _codes(known.endings), _codes((known.media, *known.aliases))) for known in formats()
    ]
    yield from _table(("name (`type:` in a search)", "format", "endings", "media types"), rows)
    yield from ("## Methods of finding the main content", "")
    yield from _table(("method", "takes for content"), [(f"`{name}`", method.says["en"]) for name, method in methods().items()])


def _codes(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def python_page() -> Lines:
    yield from ("# From Python", "", "```python", *_example(), "```", "")
    for name in trasmallo.__all__:
        yield from _public(name, getattr(trasmallo, name))
    yield from ("## What comes back", "")
    for struct in (
        Extraction,
        SlicedPage,
        FoundNode,
        Summary,
        Question,
        model.Block,
        model.Field,
        model.Token,
        model.Analysis,
        model.Tagged,
    ):
        yield from (f"### {struct.__name__}", "", _prose(_doc(struct)), "", *_members(struct))
    yield from ("## Plug-ins", "", _prose(_doc(plugins)), "")
    yield from _table(("group", "what a plug-in is"), [(f"`{group}`", _prose(text)) for group, text in plugins.GROUPS.items()])


PAGES: dict[str, Callable[[], Lines]] = {
    "commands": commands_page,
    "keys": keys_page,
    "tables": tables_page,
    "events": events_page,
    "errors": errors_page,
    "formats": formats_page,
    "python": python_page,
}
"""Pages of the reference, in the order of its contents."""


def all_errors(root: type[TrasmalloError] = TrasmalloError) -> Iterator[type[TrasmalloError]]:
    """The tree of errors, each before those under it."""
    yield root
    for child in root.__subclasses__():
        yield from all_errors(child)


def licences(*extras: str) -> dict[str, str]:
    """Licence of every package that an installation brings, dependencies of dependencies included, as its metadata says.

    With `extras` those packages, and what they bring.
    """
    found: dict[str, str] = {name: _licence(metadata.metadata(name)) for name in extras}
    waiting = list(extras) or ["trasmallo"]
    while waiting:
        for name in _required(waiting.pop()):
            if name not in found:
                found[name] = _licence(metadata.metadata(name))
                waiting.append(name)
    return dict(sorted(found.items()))


def _required(package: str) -> Iterator[str]:
    """What a package needs here: extras and other systems' needs are left out."""
    for line in metadata.requires(package) or ():
        condition = line.partition(";")[2]
        foreign = re.search(
            r"extra\s*==|sys_platform\s*==\s*.win32|platform_system\s*==\s*.Windows|os_name\s*==\s*.nt", condition
        )
        name = re.match(r"[\w.-]+", line)
        if name and not foreign and _is_installed(name[0]):
            yield name[0].lower().replace("_", "-")


def _is_installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _licence(facts: metadata.PackageMetadata) -> str:
    """The expression, or else the older free text, or else the classifiers; a whole licence as text names none."""
    stated = [facts[name] for name in ("License-Expression", "License") if facts.get(name, "UNKNOWN") != "UNKNOWN"]
    stated = [text for text in stated if len(text.splitlines()) == 1]
    classes = [line.rpartition(" :: ")[2] for line in facts.get_all("Classifier") or () if line.startswith("License")]
    return next(filter(None, [*stated, ", ".join(classes)]), "not stated")


def _command(command: click.Command, ctx: click.Context) -> Lines:
    yield from (f"## {command.name}", "", _prose(inspect.cleandoc(command.help or "")), "")
    yield from ("```text", *command.get_usage(ctx).removeprefix("Usage: ").splitlines(), "```", "")
    records = [option.get_help_record(ctx) for option in command.params if isinstance(option, click.Option)]
    yield from _table(("option", "meaning"), [(f"`{found[0]}`", _prose(found[1])) for found in records if found])
    example = (command.epilog or "").removeprefix("Example: ")
    yield from ("```console", f"$ {example}", "```", "")


def _section(name: str) -> tuple[str, str]:
    if not name:
        return "At the top", _doc(config.Config)
    return f"[{name}]", _doc(type(getattr(config.Config(), name)))


def _errors_text() -> Lines:
    head, _, tree = _doc(errors).partition("\n\n")
    yield from (_prose(head), "", "```text", *tree.splitlines(), "```")


def _example() -> list[str]:
    return inspect.cleandoc((trasmallo.__doc__ or "").partition("\n\n")[2].rpartition("\n\n")[0]).splitlines()


def _public(name: str, thing: object) -> Lines:
    if isinstance(thing, str):
        yield from (f"## {name}", "", "The version of trasmallo, a text.", "")
        return
    yield from (f"## {name}", "")
    if not inspect.isclass(thing):
        yield from _signature(name, thing)
    yield from (_prose(_doc(thing)), "")
    if inspect.isclass(thing) and not issubclass(thing, Exception):
        for member, value in _own_members(thing):
            yield from (f"### {name}.{member}", "", *_signature(f"{name}.{member}", value), _prose(_doc(value)), "")


def _own_members(kind: type) -> Iterator[tuple[str, Any]]:
    for name in vars(kind):
        value = getattr(kind, name)
        if not name.startswith("_") and value.__doc__:
            yield name, value


def _signature(name: str, thing: object) -> Lines:
    if callable(thing):
        text = re.sub(r"\(self(, )?", "(", str(inspect.signature(inspect.unwrap(thing))))
        text = re.sub(r"(: |-> )'([^']*)'", r"\1\2", text)
        yield from ("```python", f"{name}{text}", "```", "")


def _fields(struct: type[msgspec.Struct]) -> Lines:
    rows = []
    for field in msgspec.structs.fields(struct):
        default = "" if field.required else f"`{field.default!r}`"
        rows.append((f"`{field.name}`", f"`{_kind(field.type)}`", default))
    yield from _table(("field", "type", "default"), rows)


def _members(kind: type) -> Lines:
    if issubclass(kind, msgspec.Struct):
        yield from _fields(kind)
    extra = [
        (f"`{name}`", _prose(_doc(value)))
        for name, value in _own_members(kind)
        if isinstance(value, (property, cached_property))
    ]
    yield from _table(("also", "meaning"), extra)


def _kind(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint).replace("trasmallo.", "")


def _toml(value: object) -> str:
    return msgspec.json.encode(value).decode()  # what the keys hold is written alike in JSON and TOML


def _table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> Lines:
    listed = [tuple(cell.replace("|", "\\|").replace("\n", " ") for cell in row) for row in rows]
    if listed:
        titles = tuple(head)
        yield from ("| " + " | ".join(row) + " |" for row in (titles, ("---",) * len(titles), *listed))
        yield ""


def _prose(text: str) -> str:
    """Plain text as Markdown: what stands between backticks is code already, the rest must not be read as markup."""
    pieces = text.split("`")
    return "`".join(piece if number % 2 else re.sub(r"([\\*_\[\]<>])", r"\\\1", piece) for number, piece in enumerate(pieces))


def _doc(thing: object) -> str:
    return inspect.getdoc(thing) or ""


def _write(path: Path, lines: Iterable[str]) -> None:
    text = "\n".join(lines).rstrip() + "\n"
    if not path.exists() or path.read_text(encoding="utf-8") != text:
        path.write_text(text, encoding="utf-8")
