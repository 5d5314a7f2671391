"""Nobody enters without the token, under a foreign name, or by another page's form."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import httpx
import msgspec
import pytest

from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.web.app import build
from trasmallo.web.guard import POLICY, AppDoor
from web.conftest import HOST, ORIGIN, TOKEN, Client

BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture
def stranger(home: object, door: AppDoor) -> Client:
    """Somebody who was not let in."""
    return Client(build(Workspace([str(home)]), door), Accept="text/html")


def test_without_the_token_nothing_is_shown(stranger: Client, cats: Project) -> None:
    for path in ("/", "/p/cats", "/api/projects", "/api/openapi.json", "/nowhere"):
        answer = stranger.get(path)
        assert answer.status_code == 401
        assert "cats" not in answer.text.replace("/p/cats?lang=", "")
    assert 'name="token"' in stranger.get("/").text
    assert stranger.get("/api/projects").json()["error"]["kind"] == "UsageError"


def test_a_wrong_token_or_cookie_is_refused(stranger: Client, door: AppDoor) -> None:
    assert stranger.get("/?token=wrong").status_code == 403
    assert stranger.get("/?token=%F0%9F%98%80").status_code == 403
    assert stranger.get("/", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert stranger.get("/", headers={"Authorization": f"Basic {TOKEN}"}).status_code == 401
    stranger.cookies = {door.cookie: TOKEN}
    assert stranger.get("/").status_code == 401


def test_the_token_becomes_a_cookie_and_leaves_the_address(stranger: Client, door: AppDoor) -> None:
    answer = stranger.get(f"/new?token={TOKEN}&lang=es")
    assert (answer.status_code, answer.headers["location"]) == (303, "/new?lang=es")
    cookie = answer.headers["set-cookie"]
    assert TOKEN not in cookie
    assert "HttpOnly" in cookie
    assert "SameSite=lax" in cookie
    assert stranger.get("/").status_code == 200


def test_the_token_never_leads_elsewhere(stranger: Client) -> None:
    answer = stranger.get(f"//evil.example/?token={TOKEN}")
    assert answer.headers.get("location", "/").startswith("/")
    assert not answer.headers.get("location", "/").startswith("//")


def test_a_bearer_enters(stranger: Client) -> None:
    assert stranger.get("/api/projects", headers=BEARER).status_code == 200


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:7470", "127.0.0.1:80", "", "127.0.0.1:7470.evil.example", "[", "a b", "[::1"]
)
def test_a_foreign_name_is_refused(stranger: Client, host: str) -> None:
    assert stranger.get("/", headers=BEARER | {"Host": host}).status_code == 421
    assert stranger.get("/static/app.js", headers={"Host": host}).status_code == 421


def test_localhost_is_a_name_of_ours(stranger: Client) -> None:
    assert stranger.get("/", headers=BEARER | {"Host": "LOCALHOST:7470"}).status_code == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1:7470", "http://127.0.0.1:8000", ""])
def test_a_change_from_another_page_is_refused(client: Client, cats: Project, origin: str) -> None:
    headers = {"Origin": origin} if origin else {}
    assert client.ask("POST", "/p/cats/delete", headers=headers).status_code == 403
    assert cats.folder.exists()


def test_a_change_without_the_form_key_is_refused(client: Client, cats: Project) -> None:
    answer = client.ask("POST", "/p/cats/delete", headers={"Origin": ORIGIN}, data={"form_key": "guessed"})
    assert answer.status_code == 400
    assert cats.folder.exists()


def test_json_with_a_cookie_still_needs_our_origin(client: Client, cats: Project) -> None:
    answer = client.ask("POST", "/api/p/cats/delete", headers={"Origin": "http://evil.example"}, json={})
    assert answer.status_code == 403


def test_read_only_takes_no_change(enter: Callable[..., Client], cats: Project, door: AppDoor) -> None:
    client = enter(door=msgspec.structs.replace(door, read_only=True))
    assert "read only" in client.page("/")
    assert "/delete" not in client.page("/p/cats")
    for path in ("/p/cats/delete", "/new", "/open", "/api/p/cats/duplicate"):
        assert client.ask("POST", path, headers={"Origin": ORIGIN} | BEARER).status_code == 403
    assert cats.folder.exists()


def test_every_answer_says_what_may_be_loaded(client: Client) -> None:
    for path in ("/", "/nowhere", "/static/app.js", "/api/openapi.json"):
        headers = client.get(path).headers
        assert headers["content-security-policy"] == POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "same-origin"
    assert "unsafe" not in POLICY


def test_only_an_extension_may_ask_across_origins(client: Client) -> None:
    asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization"}
    theirs = client.ask("OPTIONS", "/api/pages", headers=asked | {"Origin": "chrome-extension://abcdef"})
    assert (theirs.status_code, theirs.headers["access-control-allow-origin"]) == (204, "chrome-extension://abcdef")
    for origin, path in (
        ("http://evil.example", "/api/pages"),
        ("moz-extension://a", "/api/projects"),
        ("http://[", "/api/pages"),
    ):
        refused = client.ask("OPTIONS", path, headers=asked | {"Origin": origin})
        assert refused.status_code == 403
        assert "access-control-allow-origin" not in refused.headers


def test_the_cookie_tells_ports_apart() -> None:
    assert AppDoor("t", frozenset({"127.0.0.1:1"})).cookie != AppDoor("t", frozenset({HOST})).cookie


def test_who_has_the_token_does_not_wait_behind_strangers(home: Path, door: AppDoor) -> None:
    app = build(Workspace([home]), door)
    ended: list[str] = []

    async def ask(client: httpx.AsyncClient, who: str, headers: dict[str, str]) -> None:
        answer = await client.get("/api/openapi.json", headers=headers)
        assert answer.status_code == (200 if headers else 401)
        ended.append(who)

    async def ask_all() -> None:
        async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=ORIGIN) as client:
            strangers = [asyncio.create_task(ask(client, "stranger", {})) for _ in range(100)]
            owner = asyncio.create_task(ask(client, "owner", {"Authorization": f"Bearer {TOKEN}"}))
            await asyncio.gather(*strangers, owner)

    asyncio.run(ask_all())
    assert ended.index("owner") < 20
