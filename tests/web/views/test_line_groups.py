"""Line groups in the app."""

from __future__ import annotations

import csv
import html
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import pytest

from web.conftest import Client

MARK = "/p/own/concordance/mark"


@pytest.fixture
def own(enter: Callable[..., Client], played: Path, tmp_path: Path) -> Client:
    folder = tmp_path / "own"
    shutil.copytree(played, folder)
    return enter(folder)


def ticks(client: Client, address: str) -> list[str]:
    return re.findall(r'name="lines"\s+value="([^"]+)"', client.page(address))


def test_ticked_lines_are_put_into_a_group_and_found_in_it(own: Client) -> None:
    chosen = ticks(own, "/p/own/concordance?query=red&sort=word/1")[2:5]
    done = own.send(MARK, query="red", sort="word/1", lines=chosen, group="mar y red", deed="into")
    assert done.status_code == 303
    assert "said=grouped" in done.headers["location"]
    assert "sort=word%2F1" in done.headers["location"]
    twin = own.json("/p/own/concordance?query=red&in_group=mar+y+red")
    assert sorted(f"{one['document']}:{one['start']}:{one['end']}" for one in twin["found"]["hits"]) == sorted(chosen)
    assert [step["kind"] for step in twin["steps"]] == ["query", "in_group"]
    assert "--in 'mar y red'" in twin["command"]
    assert "in_group='mar y red'" in twin["python"]
    page = own.page("/p/own/groups/mar%20y%20red")
    assert page.count('class="hit"') == 3
    places = re.findall(r'<a class="hit" href="([^"]+)"', page)
    assert '<mark id="at"' in own.page(html.unescape(places[0]).partition("#")[0])
    assert own.json("/p/own/groups")["groups"][0]["lines"] == 3


def test_all_hits_at_once_and_out_again(own: Client) -> None:
    own.send(MARK, query="de", every="true", group="all", deed="into")
    total = own.json("/p/own/concordance?query=de")["found"]["total"]
    assert total > 50
    assert own.json("/p/own/groups/all")["number"] == total
    own.send(
        MARK, query="de", lines=ticks(own, "/p/own/concordance?query=de&offset=50"), offset="50", group="all", deed="out_of"
    )
    assert own.json("/p/own/groups/all")["number"] == total - 50
    head, *lines = own.get("/p/own/groups/all/export").text.splitlines()
    assert head.startswith("# trasmallo groups ")
    assert len(list(csv.DictReader(lines))) == total - 50


def test_hidden_lines_are_left_out_from_then_on(own: Client) -> None:
    first = ticks(own, "/p/own/concordance?query=red")[:1]
    done = own.send(MARK, query="red", lines=first, deed="hide")
    place = done.headers["location"].partition("&said")[0]
    assert "not_in=hidden" in place
    assert first[0] not in ticks(own, place)
    assert first[0] in ticks(own, "/p/own/concordance?query=red")


def test_groups_are_renamed_and_removed(own: Client) -> None:
    own.send(MARK, query="red", every="true", group="a/b", deed="into")
    assert own.json("/p/own/groups")["groups"] == []
    own.send(MARK, query="red", every="true", group="a", deed="into")
    done = own.send("/p/own/groups/a/rename", new="ironía")
    assert unquote(done.headers["location"]).startswith("/p/own/groups/ironía")
    own.send("/p/own/groups/ironía/remove")
    assert "No lines have been put together yet" in own.page("/p/own/groups")
    assert own.get("/p/own/groups/ironía").status_code == 404


def test_what_is_missing_is_said(own: Client) -> None:
    assert own.send(MARK, query="red", lines="x:1:2").status_code == 400
    assert own.send(MARK, query="red", group="a").status_code == 400
    assert "there is no line group" in own.page("/p/own/concordance?query=red&in_group=nothing")


def test_the_words_that_lines_are_sorted_by_are_seen(own: Client) -> None:
    page = own.page("/p/own/concordance?query=red&sort=word/1&sort=word/-1")
    assert page.count('class="key-1">') > 5
    assert page.count('class="key-2">') > 5
    pressed = re.findall(r'href="([^"]+)" aria-current="true" title="Sort', page)
    assert own.json(html.unescape(pressed[0]))["steps"][1]["text"] == "word/1"
