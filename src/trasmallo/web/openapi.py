"""The OpenAPI document, made of the pages themselves: their questions, their answers and their docstrings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Required, TypedDict

import msgspec

from trasmallo.results.dates import MOMENTS
from trasmallo.results.registry import all_tables
from trasmallo.values.software import __version__
from trasmallo.web.pages import Download, Page
from trasmallo.web.rendering import ErrorAnswer

Schema = dict[str, object]
"""A piece of the document: JSON with names."""

_PARAMETER = re.compile(r"\{(\w+)(?::\w+)?\}")
_REFERENCE = "#/components/schemas/{name}"
_MOMENT: Schema = {
    "type": ["string", "number"],
    "description": 'A moment in ISO 8601, such as 2026-11-16T12:34:56Z, "" for none; a span of time is a number of seconds.',
}
_REFUSALS = {
    "400": "What was asked does not fit.",
    "401": "The token is missing.",
    "403": "Not allowed: read-only, or from elsewhere.",
    "404": "There is no such thing.",
    "409": "The project's file is broken, or somebody works on it.",
    "413": "Too large.",
    "422": "What was sent cannot be taken.",
}


class _Component(TypedDict, total=False):
    properties: Required[dict[str, Schema]]
    required: list[str]


Schemas = dict[type, Schema]
Components = dict[str, _Component]


def _written_as(kind: type) -> Schema:
    """How a type of our own is written: sentences know how they were made, and are texts."""
    if issubclass(kind, str):
        return {"type": "string"}
    raise NotImplementedError(kind)


def describe(pages: list[Page]) -> Schema:
    """The document of all pages."""
    answers = [page.answer for page in pages if _has_schema(page)]
    rows = [table.row for table in all_tables().values()]
    kinds = [*dict.fromkeys([*answers, *(page.question for page in pages), *rows, ErrorAnswer])]
    schemas, components = msgspec.json.schema_components(kinds, schema_hook=_written_as, ref_template=_REFERENCE)
    _tell_moments(components)
    known: Schemas = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, Schema] = {}
    for page in pages:
        path = _PARAMETER.sub(r"{\1}", page.api_path if not page.path.startswith("/api") else page.path)
        paths.setdefault(path, {})[page.method.lower()] = _operation(page, known, components)
    return {
        "openapi": "3.1.0",
        "info": {"title": "trasmallo", "version": __version__, "description": "The JSON twin of every page of the web app."},
        "paths": paths,
        "components": {"schemas": components, "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}}},
        "security": [{"token": []}],
    }


def _tell_moments(components: Components) -> None:
    """Say of numbers that are moments how they are told (`results.dates.as_told`)."""
    for component in components.values():
        for name, schema in component.get("properties", {}).items():
            if name in MOMENTS:
                component["properties"][name] = _as_moment(schema)


def _as_moment(schema: Schema) -> Schema:
    """A schema of a number, or of one or nothing, as that of a moment; others as they are."""
    either = schema.get("anyOf")
    if isinstance(either, list):
        return schema | {"anyOf": [_as_moment(each) for each in either]}
    return _MOMENT if schema.get("type") == "number" else schema


def _has_schema(page: Page) -> bool:
    return page.answer not in (Download, dict)


def _operation(page: Page, known: Schemas, components: Components) -> Schema:
    doc = (page.work.__doc__ or "").strip()
    operation: Schema = {
        "operationId": page.work.__name__,
        "summary": doc.splitlines()[0],
        "parameters": list(_parameters(page, components)),
        "responses": {"200": _good(page, known)} | {code: _bad(text, known) for code, text in _REFUSALS.items()},
    }
    if page.method == "POST":
        operation["requestBody"] = {
            "required": True,
            "content": {"application/json": {"schema": _body(page, components)}},
        }
    return operation


def _good(page: Page, known: Schemas) -> Schema:
    if not _has_schema(page):
        return {"description": "The file."}
    return {"description": "The answer.", "content": {"application/json": {"schema": known[page.answer]}}}


def _bad(text: str, known: Schemas) -> Schema:
    return {"description": text, "content": {"application/json": {"schema": known[ErrorAnswer]}}}


def _parameters(page: Page, components: Components) -> Iterator[Schema]:
    in_path = _PARAMETER.findall(page.path)
    whole = components[page.question.__name__]
    for name, schema in whole["properties"].items():
        if name in in_path:
            yield {"name": name, "in": "path", "required": True, "schema": schema | (_which_table() if name == "table" else {})}
        elif page.method == "GET":
            yield {"name": name, "in": "query", "required": name in whole.get("required", ()), "schema": schema}


def _which_table() -> Schema:
    """The names of tables, what is in them, and the schema that has the columns of each."""
    listed = "; ".join(f"{name} ({table.row.__name__}): {table.about.en}" for name, table in all_tables().items())
    return {"enum": list(all_tables()), "description": listed}


def _body(page: Page, components: Components) -> Schema:
    """The question without what the path says."""
    in_path = _PARAMETER.findall(page.path)
    whole = components[page.question.__name__]
    properties = {name: schema for name, schema in whole["properties"].items() if name not in in_path}
    required = [name for name in whole.get("required", ()) if name not in in_path]
    return {"type": "object", "properties": properties, "required": required}
