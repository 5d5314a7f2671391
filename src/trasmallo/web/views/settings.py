"""The settings of a project: a form beside the very file that it changes, and the file itself, also when it is broken."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Annotated

import msgspec
from msgspec import Meta

from trasmallo import config, config_text
from trasmallo.clean.content.registry import methods
from trasmallo.config import Config
from trasmallo.project import settings as project_file
from trasmallo.project.workspace import is_at_work
from trasmallo.study import word_lists
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import ConfigError, ProjectChanged, TrasmalloError
from trasmallo.web.pages import ActionResult, Again, Json, Pages, Visit
from trasmallo.web.rendering import PageAnswer
from trasmallo.web.views.projects import ProjectQuestion, address_of, completed

pages = Pages()

GROUPS: dict[str, tuple[str, ...]] = {
    "project": ("name", "language"),
    "scope": (
        "crawl.scope",
        "crawl.exclude",
        "crawl.include",
        "crawl.private",
        "crawl.depth",
        "crawl.sitemaps",
        "crawl.feeds",
        "crawl.entries",
    ),
    "lines": ("crawl.lines", "crawl.delay", "crawl.pages", "crawl.minutes", "crawl.megabytes", "crawl.contact"),
    "study": (
        "study.code",
        "study.morphology",
        "study.readings",
        "study.segments",
        "study.segment_words",
        "study.segment_frequency",
        "study.collocation_words",
        "study.collocation_frequency",
        "study.stop",
        "study.only",
    ),
    "clean": ("clean.method", "clean.favour", "clean.copies", "clean.noindex", "clean.languages"),
}
"""The fields of the form that people change often; all others stand in a last group."""


class KeySchema(msgspec.Struct, frozen=True, rename="camel"):
    """What the schema of the project file says of a key, as far as a form needs it."""

    type: str = ""
    enum: tuple[str, ...] = ()
    items: KeySchema | None = None
    minimum: float | None = None
    exclusive_minimum: float | None = None
    maximum: float | None = None


class TableSchema(msgspec.Struct, frozen=True):
    """Keys of a table of the project file."""

    properties: dict[str, KeySchema] = {}


_ADDRESSES = ("crawl.seeds", "crawl.seeds_off")
_Text = Annotated[str, Meta(max_length=1 << 22)]
_Address = Annotated[str, Meta(max_length=20_000)]


class Field(msgspec.Struct, frozen=True):
    """A field of the form: `kind` is number, text, lines, yes, choice or several; `error` says what is wrong with its value.

    `says` tells what each choice is, by the reader's language; {} when the words of the pages tell it.
    """

    key: str
    kind: str
    value: str
    choices: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    error: str = ""
    repair: str = ""
    says: dict[str, dict[str, str]] = {}


class FieldGroup(msgspec.Struct, frozen=True):
    """Fields that belong together."""

    name: str
    fields: tuple[Field, ...]


class AddressField(msgspec.Struct, frozen=True):
    """An address to start from, and whether it is switched on."""

    url: str
    on: bool


class SettingsAnswer(PageAnswer, frozen=True, kw_only=True):
    """The form, and the file it makes: `text` as it would be written, `digest` of the one that is there.

    `broken` when the file cannot be read as a project; then there is no form, only the text and what is wrong with it.
    """

    text: str
    digest: str
    broken: bool = False
    problem: str = ""
    repair: str = ""
    groups: tuple[FieldGroup, ...] = ()
    addresses: tuple[AddressField, ...] = ()
    more: str = ""
    running: bool = False
    lists: tuple[str, ...] = ()


class SettingsForm(msgspec.Struct, frozen=True):
    """Values by key ("crawl.lines"); `address` are all addresses, `on` those switched on, `more` new ones, one a line.

    Without addresses those of the file stay as they are.
    """

    project: str
    values: dict[str, Json] = {}
    address: tuple[_Address, ...] = ()
    on: tuple[_Address, ...] = ()
    more: _Text = ""
    digest: str = ""


class FileForm(msgspec.Struct, frozen=True):
    """The text of a whole project file."""

    project: str
    text: _Text
    digest: str = ""


@pages.get("/p/{project}/settings", "settings.html")
def show_settings(visit: Visit, question: ProjectQuestion) -> SettingsAnswer:
    """The settings of a project as a form and as the file; a broken file with what is wrong with it."""
    path = _file(visit, question.project)
    return _answer(path, project_file.read_text(path))


@pages.post("/p/{project}/settings")
def save_settings(visit: Visit, question: SettingsForm) -> ActionResult:
    """Save settings; a value that does not fit is refused and named."""
    path = _file(visit, question.project)
    try:
        project_file.write_values(path, _values(question, path), question.digest)
    except TrasmalloError as error:
        raise Again("settings.html", _refused(path, question, error), error, _status(error)) from None
    return ActionResult(goto=address_of(question.project) + "/settings", said="saved")


@pages.post("/p/{project}/settings/preview", "settings.html")
def preview_settings(visit: Visit, question: SettingsForm) -> SettingsAnswer:
    """The file that some settings would make, and what is wrong with them; nothing is saved."""
    path = _file(visit, question.project)
    text = project_file.read_text(path)
    try:
        changed = project_file.change_values(text, _values(question, path))
        config.parse(changed)
    except TrasmalloError as error:
        return _refused(path, question, error)
    return msgspec.structs.replace(_answer(path, changed), digest=project_file.digest(text))


@pages.post("/p/{project}/file")
def save_file(visit: Visit, question: FileForm) -> ActionResult:
    """Save the whole file as text; one that is no project is refused with its mistake."""
    path = _file(visit, question.project)
    try:
        project_file.write_text(path, question.text, question.digest)
    except TrasmalloError as error:
        answer = SettingsAnswer(
            text=question.text,
            digest=project_file.digest(project_file.read_text(path)),
            broken=True,
            problem=error.said.problem,
            repair=error.said.repair,
        )
        raise Again("settings.html", answer, error, _status(error)) from None
    return ActionResult(goto=address_of(question.project) + "/settings", said="saved")


def fields_of(settings: Config, typed: Mapping[str, object] = {}) -> tuple[FieldGroup, ...]:
    """The form for a configuration; what was typed wins over it, each value with its mistake."""
    values = dict(_flat(settings))
    often = {key for keys in GROUPS.values() for key in keys}
    rest = tuple(key for key in values if key not in often and key not in _ADDRESSES)
    groups = (GROUPS | {"more": rest}).items()
    return tuple(
        FieldGroup(name, tuple(_field(key, typed.get(key, values[key]), key in typed) for key in keys)) for name, keys in groups
    )


def parsed(key: str, given: object) -> object:
    """A value of a form as the file wants it; what is no number stays a text and is refused by the check."""
    kind = _schema_of(key).type
    if not isinstance(given, str):
        return given
    if kind == "array":
        return [line.strip() for line in given.splitlines() if line.strip()]
    if kind == "boolean":
        return {"true": True, "false": False}.get(given, given)
    if kind in ("integer", "number"):
        return _number(given.strip(), whole=kind == "integer")
    return given.strip()


def _number(text: str, *, whole: bool) -> str | int | float:
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    if number != number or abs(number) > 1e15:
        return text
    return int(number) if whole and number.is_integer() else number


def _file(visit: Visit, project: str) -> Path:
    """The project file; who may change nothing is shown what they may read of it."""
    return (visit.folder(project) if visit.read_only else visit.workspace.folder(project)) / config.FILE_NAME


def _answer(path: Path, text: str) -> SettingsAnswer:
    folder = path.parent
    base = SettingsAnswer(text=text, digest=project_file.digest(text), running=is_at_work(folder))
    try:
        settings = config.parse(text)
    except ConfigError as error:
        return msgspec.structs.replace(base, broken=True, problem=error.said.problem, repair=error.said.repair)
    return msgspec.structs.replace(
        base,
        groups=fields_of(settings),
        addresses=_addresses(settings),
        lists=tuple(card.name for card in word_lists.find_lists(folder, settings.study)),
        command=shlex.join(["${EDITOR:-nano}", str(path)]).replace("'${EDITOR:-nano}'", "${EDITOR:-nano}"),
        python=f"import trasmallo\n\ntrasmallo.Project.open({str(folder)!r}).config\n",
    )


def _refused(path: Path, form: SettingsForm, error: TrasmalloError) -> SettingsAnswer:
    """The form as it was typed, with what is wrong beside each field."""
    answer = _answer(path, project_file.read_text(path))
    if answer.broken:
        return answer
    groups = fields_of(config.parse(answer.text), form.values)
    marked = any(field.error for group in groups for field in group.fields)
    addresses = tuple(AddressField(url, url in form.on) for url in form.address) or answer.addresses
    return msgspec.structs.replace(
        answer,
        groups=groups,
        addresses=addresses,
        more=form.more,
        problem="" if marked else error.said.problem,
        repair="" if marked else error.said.repair,
    )


def _values(form: SettingsForm, path: Path) -> dict[str, object]:
    """What the form says, by key, checked one by one so that a mistake names its field."""
    values = {key: parsed(key, value) for key, value in form.values.items()}
    for key, value in values.items():
        _check(key, value)
    if form.address or form.more.strip():
        more = [completed(line.strip()) for line in form.more.splitlines() if line.strip()]
        before = {} if form.address else {field.url: field.on for field in _addresses(config.load(path))}
        listed = {url: url in form.on for url in form.address} | before | dict.fromkeys(more, True)
        values["crawl.seeds"] = [url for url, on in listed.items() if on]
        values["crawl.seeds_off"] = [url for url, on in listed.items() if not on]
        config.build({"crawl": {"seeds": values["crawl.seeds"], "seeds_off": values["crawl.seeds_off"]}}, config.FILE_NAME)
    return values


def _check(key: str, value: object) -> None:
    section, _, name = key.rpartition(".")
    config.build({section: {name: value}} if section else {name: value}, config.FILE_NAME)


def _flat(settings: Config) -> Iterator[tuple[str, object]]:
    for section, name, _, _ in config_text.describe_keys():
        yield (f"{section}.{name}", getattr(getattr(settings, section), name)) if section else (name, getattr(settings, name))


def _addresses(settings: Config) -> tuple[AddressField, ...]:
    crawl = settings.crawl
    return (*(AddressField(url, on=True) for url in crawl.seeds), *(AddressField(url, on=False) for url in crawl.seeds_off))


@cache
def _schema() -> dict[str, TableSchema]:
    return msgspec.convert(config_text.schema()["$defs"], decodable(dict[str, TableSchema]))


def _schema_of(key: str) -> KeySchema:
    section, _, name = key.rpartition(".")
    table = _schema().get(f"{section.capitalize()}Config" if section else "Config", TableSchema())
    return table.properties.get(name, KeySchema())


def _field(key: str, value: object, typed: bool) -> Field:
    schema = _schema_of(key)
    choices = schema.enum or (schema.items.enum if schema.items else ())
    kind = {"boolean": "yes", "integer": "number", "number": "number", "array": "lines"}.get(schema.type, "text")
    kind = ("several" if kind == "lines" else "choice") if choices else kind
    error = _error_of(key, value) if typed else None
    return Field(
        key=key,
        kind=kind,
        value=_written(value),
        choices=choices,
        least=schema.minimum if schema.minimum is not None else schema.exclusive_minimum,
        most=schema.maximum,
        error=error.said.problem if error else "",
        repair=error.said.repair if error else "",
        says={name: method.says for name, method in methods().items()} if key == "clean.method" else {},
    )


def _error_of(key: str, value: object) -> TrasmalloError | None:
    try:
        _check(key, parsed(key, value))
    except TrasmalloError as error:
        return error
    return None


def _written(value: object) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return "\n".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _status(error: TrasmalloError) -> int:
    return 409 if isinstance(error, ProjectChanged) else 422
