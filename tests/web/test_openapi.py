"""The document is what the app does: whatever it allows to be asked is answered, and never with a mistake of ours."""

from __future__ import annotations

import json
import os
import shutil
import signal
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import jsonschema_rs
import pytest
from hypothesis import HealthCheck, Phase, reject, settings

from support.waiting import until
from trasmallo.project.lock import holder
from trasmallo.web import openapi
from trasmallo.web.views import all_pages
from web.conftest import ORIGIN, TOKEN, Client

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    import schemathesis

STEERING = ["run", "steer", "study_sent", "steer_scheduler"]
"""These start and end processes of their own, which must be ended afterwards."""

KNOWN = {"project": ["demo", "nobody"], "table": ["words", "pages", "wodrs"], "name": ["own.txt", "../own.txt", "Ñ"]}
QUICK = settings(
    max_examples=6,
    deadline=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
    database=None,
    derandomize=True,
)


def document() -> dict[str, Any]:
    """What the app says of itself, with names in the path that are there, so that most questions get further than 404."""
    told: dict[str, Any] = json.loads(json.dumps(openapi.describe(all_pages())))
    for methods in told["paths"].values():
        for operation in methods.values():
            for parameter in operation["parameters"]:
                if parameter["in"] == "path" and parameter["name"] in KNOWN:
                    parameter["schema"] = {"enum": KNOWN[parameter["name"]]}
    return told


schema = schemathesis.openapi.from_dict(document()).exclude(operation_id=STEERING)
steering = schemathesis.openapi.from_dict(document()).include(operation_id=STEERING)


@pytest.fixture
def program(enter: Callable[..., Client], home: Path, played: Path) -> Client:
    """Whoever has the token, before a copy of the demo's project."""
    shutil.copytree(played, home / "demo")
    (home / "demo" / "own.txt").write_text("gato\n")
    client = enter()
    client.cookies = {}
    return client


@pytest.fixture
def steered(program: Client, home: Path, own_data: Path) -> Iterator[Client]:
    """The same; what was started meanwhile is killed."""
    yield program
    for folder in (own_data, home / "demo"):
        while process := holder(folder):
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            until(lambda gone=process, folder=folder: holder(folder) != gone, "the end of a process")  # type: ignore[misc]


@schema.parametrize()
@QUICK
@pytest.mark.filterwarnings("ignore")
def test_whatever_is_asked_is_answered(case: Any, program: Client) -> None:
    ask(case, program)


@steering.parametrize()
@settings(QUICK, max_examples=4)
@pytest.mark.filterwarnings("ignore")
def test_whatever_is_wished_is_answered(case: Any, steered: Client) -> None:
    ask(case, steered)


def test_every_operation_is_asked() -> None:
    everything = {operation["operationId"] for methods in document()["paths"].values() for operation in methods.values()}
    asked = {found.ok().definition.raw["operationId"] for some in (schema, steering) for found in some.get_all_operations()}
    assert asked == everything
    assert set(STEERING) < asked


def ask(case: Any, program: Client) -> None:
    """Ask one thing; the answer must be none of a mistake of ours."""
    asked = case.as_transport_kwargs(base_url=ORIGIN)
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
    body = {"json": asked["json"]} if "json" in asked else {"content": asked.get("data") or b""}
    body = body if asked["method"] == "POST" else {}
    try:
        answer = program.ask(asked["method"], asked["url"], params=asked.get("params"), headers=headers, **body)
    except httpx.InvalidURL:  # longer than this client asks for
        reject()
    assert answer.status_code < 500, answer.text
    if answer.status_code >= 400:
        assert set(answer.json()["error"]) == {"kind", "problem", "repair", "code", "arguments"}


def test_every_answer_is_as_the_document_says(enter: Callable[..., Client], played: Path) -> None:
    client = enter(played)
    document: Any = openapi.describe(all_pages())
    values = {"{project}": "demo", "{table}": "words"}
    for page in (page for page in all_pages() if page.method == "GET" and page.template):
        path = page.api_path
        for name, value in values.items():
            path = path.replace(name, value)
        if "{" not in path:
            answer = document["paths"][page.api_path]["get"]["responses"]["200"]["content"]["application/json"]
            jsonschema_rs.validate(answer["schema"] | {"components": document["components"]}, client.get(path).json())
