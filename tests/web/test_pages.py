"""Questions and answers of pages, through the app."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from starlette.types import Message, Scope

from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.values.errors import StoreDamaged
from trasmallo.web.app import build
from trasmallo.web.guard import AppDoor
from trasmallo.web.views import all_pages
from web.conftest import HOST, TOKEN, Client


def test_every_page_has_a_twin_of_its_own() -> None:
    assert len({(page.method, page.api_path) for page in all_pages()}) == len(all_pages())


def test_a_form_must_be_ours(client: Client, cats: Project) -> None:
    refused = client.ask("POST", "/p/cats/exclude", data={"texts": "x"}, headers={"Origin": "http://127.0.0.1:7470"})
    assert refused.status_code in (400, 403)
    assert client.json("/p/cats/live")["exclude"] == []


@pytest.mark.parametrize(
    ("body", "said"),
    [
        (b"[1]", "no JSON object"),
        (b"{", "no JSON object"),
        (b'{"texts": 7}', "does not fit"),
        (b'{"texts": ' + b"[" * 100_000, "too deep"),
        (b'{"texts": ' + b"[" * 100_000 + b"]" * 100_000 + b"}", "too deep"),
        (b'{"texts": ' + b'{"a":' * 100_000, "too deep"),
        (b"[" * 100_000, "no JSON object"),
    ],
    ids=["list", "half", "number", "arrays", "closed arrays", "objects", "nothing else"],
)
def test_json_that_is_no_question_is_refused(client: Client, cats: Project, body: bytes, said: str) -> None:
    headers = {"Content-Type": "application/json", "Accept": "application/json", "Origin": "http://127.0.0.1:7470"}
    refused = client.ask("POST", "/api/p/cats/exclude", content=body, headers=headers)
    assert refused.status_code == 400
    assert said in refused.json()["error"]["problem"]


@pytest.mark.parametrize("kind", ["application/json", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"])
def test_who_goes_while_sending_is_no_mistake_of_the_app(home: Path, door: AppDoor, cats: Project, kind: str) -> None:
    headers = {"host": HOST, "authorization": f"Bearer {TOKEN}", "content-type": kind, "content-length": "1000"}
    scope: Scope = {"type": "http", "method": "POST", "path": f"/api/p/{cats.folder.name}/exclude", "query_string": b""}
    scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items()]
    came: list[Message] = [{"type": "http.request", "body": b"--x", "more_body": True}]

    async def receive() -> Message:
        return came.pop() if came else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        assert message.get("status", 400) == 400

    asyncio.run(build(Workspace([home]), door)(scope, receive, send))


@pytest.mark.parametrize(
    "error", [FileNotFoundError("run.json"), StoreDamaged("{path} is missing", "repair it", path="run.json")]
)
def test_what_is_missing_of_a_project_that_was_deleted_meanwhile(
    client: Client, cats: Project, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def delete(project: Project, *_: object) -> Path:
        if project.folder.exists():
            project.folder.rename(project.folder.with_name("elsewhere"))
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(Project, "run_named", delete)
        told = client.get("/api/p/cats/tables/words")
    assert told.status_code == 404
    assert told.json()["error"]["problem"] == "there is no project 'cats'"

    cats.folder.with_name("elsewhere").rename(cats.folder)
    with monkeypatch.context() as patch:
        patch.setattr(Project, "run_named", lambda *_: (_ for _ in ()).throw(error))
        assert client.get("/api/p/cats/tables/words").status_code in (500, 507)


def test_an_action_leads_on_and_says_what_it_did(client: Client, cats: Project) -> None:
    done = client.send("/p/cats/lists", name="own", words="gato")
    assert (done.status_code, done.headers["location"]) == (303, "/p/cats/lists/own.txt?said=list_saved")
