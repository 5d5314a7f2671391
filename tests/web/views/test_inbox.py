"""Pages that the extension sends."""

from __future__ import annotations

import pytest

from trasmallo.project import inbox
from trasmallo.project.project import Project
from trasmallo.store.foreign import read_foreign
from web.conftest import TOKEN, Client

BEARER = {"Authorization": f"Bearer {TOKEN}"}
PAGE = {"project": "cats", "url": "http://p.example/", "html": "<p>gato</p>", "title": "t", "filter": {"steps": []}}


def test_a_page_is_kept_as_the_extension_sends_it(client: Client, cats: Project) -> None:
    client.cookies = {}
    headers = BEARER | {"Origin": "moz-extension://abc"}
    answer = client.ask("POST", "/api/pages", json=PAGE, headers=headers)
    assert (answer.status_code, answer.json()) == (200, {"project": "cats", "size": 11})
    assert answer.headers["access-control-allow-origin"] == "moz-extension://abc"
    client.ask("POST", "/api/pages", json=PAGE | {"project": "", "url": "http://p.example/2"}, headers=BEARER)
    (file,) = inbox.files(cats.folder)
    assert [found.url for found in read_foreign(file)] == ["http://p.example/", "http://p.example/2"]  # type: ignore[union-attr]
    assert inbox.count(cats.folder) == 2


def test_the_overview_offers_to_study_them(client: Client, cats: Project) -> None:
    client.ask("POST", "/api/pages", json=PAGE, headers=BEARER)
    assert "1 page sent by the extension." in client.page("/p/cats")


@pytest.mark.parametrize(
    ("changed", "status"),
    [
        ({"project": "dogs"}, 404),
        ({"url": "javascript:alert(1)"}, 400),
        ({"html": " "}, 400),
        ({"html": "x" * 10_000_001}, 400),
        ({"url": None}, 400),
    ],
)
def test_what_cannot_be_taken_is_refused(client: Client, cats: Project, changed: dict[str, object], status: int) -> None:
    assert client.ask("POST", "/api/pages", json=PAGE | changed, headers=BEARER).status_code == status
    assert not inbox.files(cats.folder)


def test_without_the_token_nothing_is_taken(client: Client, cats: Project) -> None:
    client.cookies = {}
    assert client.ask("POST", "/api/pages", json=PAGE, headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert not inbox.files(cats.folder)


def test_a_mark_is_kept_as_the_extension_sends_it_and_taken_back(client: Client, cats: Project) -> None:
    client.cookies = {}
    headers = BEARER | {"Origin": "moz-extension://abc"}
    mark = {"project": "", "url": "http://p.example/x#top", "answer": "yes"}
    answer = client.ask("POST", "/api/marks", json=mark, headers=headers)
    assert (answer.status_code, answer.json()) == (200, {"project": "cats", "url": "http://p.example/x"})
    assert answer.headers["access-control-allow-origin"] == "moz-extension://abc"
    assert [(mark.url, mark.on_topic) for mark in cats.marks()] == [("http://p.example/x", True)]
    client.ask("POST", "/api/marks", json=mark | {"answer": "none"}, headers=headers)
    assert cats.marks() == []


@pytest.mark.parametrize(
    ("changed", "status"),
    [({"project": "dogs"}, 404), ({"url": "javascript:alert(1)"}, 400), ({"answer": "maybe"}, 400), ({"url": None}, 400)],
)
def test_a_mark_that_says_nothing_is_refused(client: Client, cats: Project, changed: dict[str, object], status: int) -> None:
    mark = {"project": "cats", "url": "http://p.example/", "answer": "no"}
    assert client.ask("POST", "/api/marks", json=mark | changed, headers=BEARER).status_code == status
    assert cats.marks() == []


def test_without_the_token_nobody_marks(client: Client, cats: Project) -> None:
    client.cookies = {}
    mark = {"project": "cats", "url": "http://p.example/", "answer": "no"}
    assert client.ask("POST", "/api/marks", json=mark, headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert cats.marks() == []
