"""Saved queries and the history in the app."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from web.conftest import Client


@pytest.fixture
def own(enter: Callable[..., Client], played: Path, tmp_path: Path) -> Client:
    folder = tmp_path / "own"
    shutil.copytree(played, folder, ignore=shutil.ignore_patterns("queries"))
    return enter(folder)


def test_what_was_asked_is_remembered_and_asked_again(own: Client) -> None:
    asked = own.json("/p/own/concordance?query=red&sort=word/1&sort=word/-1&where=words%3E20")
    own.json("/p/own/concordance?query=%5Blemma%3D%22red%22")
    own.json("/p/own/concordance?query=mar&offset=50")
    history = own.json("/p/own/queries")["history"]
    assert [(one["query"], one["hits"]) for one in history] == [("red", asked["found"]["total"])]
    place = re.search(r'href="(/p/own/concordance\?[^"]+)"><code>red', own.page("/p/own/queries"))
    assert place
    assert own.json(html.unescape(place[1]))["found"] == asked["found"]
    assert '<option value="red">' in own.page("/p/own/concordance")
    assert own.send("/p/own/queries/forget").headers["location"].endswith("said=history_forgotten&detail=1")
    assert own.json("/p/own/queries")["history"] == []


def test_a_query_is_saved_and_removed(own: Client) -> None:
    done = own.send("/p/own/queries/save", query="red", sort="word/1", name="nets <x>")
    assert done.status_code == 400
    done = own.send("/p/own/queries/save", query="red", sort="word/1", name="nets")
    assert done.headers["location"] == "/p/own/queries?said=query_saved"
    (saved,) = own.json("/p/own/queries?matching=NET")["saved"]
    assert (saved["name"], saved["options"]) == ("nets", {"sort": "word/1"})
    assert own.json("/p/own/queries?matching=nothing")["saved"] == []
    assert "nets" in own.page("/p/own/queries", headers={"Accept-Language": "es"})
    own.send("/p/own/queries/remove", name="nets")
    assert own.json("/p/own/queries")["saved"] == []
    assert own.send("/p/own/queries/save", query="red", name=" ").status_code == 400


def test_a_query_of_a_scope_is_asked_there_again(own: Client) -> None:
    within = own.json("/p/own::site=127.0.0.1/concordance?query=red")["found"]["total"]
    (one,) = own.json("/p/own/queries")["history"]
    assert (one["scope"], one["hits"]) == ("site=127.0.0.1", within)
    place = re.search(r'href="([^"]+)"><code>red', own.page("/p/own/queries"))
    assert place
    assert own.json(html.unescape(place[1]))["found"]["total"] == within


def test_who_only_looks_leaves_no_trace(demo: Client) -> None:
    before = demo.json("/p/demo/queries")["number"]
    demo.json("/p/demo/concordance?query=%5Blemma%3D%22x")
    assert demo.json("/p/demo/queries")["number"] == before
