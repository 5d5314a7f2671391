"""Every answer in every state of a page: what a visit finds, which version is stored, and what the plan makes of it.

The matrix of first visit, 304, same bytes, same text, changed and errors against what was known of the page before. Each state
is a history of answers, so a state that cannot be reached cannot be written.
"""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import pytest

from trasmallo.crawl.revisit.collection import RevisitPlan
from trasmallo.crawl.revisit.visits import Finding, Hint, Source
from trasmallo.pipeline.visit_history import VisitHistory
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Fetch, Locator, Outcome

URL, NEIGHBOUR = "http://a.es/", "http://a.es/b"
DAY = 86_400.0
BEGIN = 1_700_000_000.0

STATES = {
    "never asked": "",
    "failed only": "e",
    "missing only": "m",
    "first": "a",
    "unchanged by 304": "an",
    "unchanged by bytes": "aa",
    "changed": "ab",
    "changed and unchanged": "abn",
    "failed since": "ae",
    "missing once": "am",
    "missing twice": "amm",
    "back": "ama",
    "back and changed": "amb",
}
"""Answers by letters: a and b are bytes, n is 304, t is other bytes with the text of a, m is 404, e an error."""

ANSWERS = "abntme"


def fetch(letter: str, at: float, url: str = URL, known: str = "") -> Fetch:
    if letter in "abt":
        return Fetch(url, at, Outcome.FETCHED, 200, digest=letter, locator=Locator("a.warc.gz", 0, 1))
    if letter == "n":
        return Fetch(url, at, Outcome.UNCHANGED, 304, digest=known, locator=Locator("a.warc.gz", 0, 1))
    return Fetch(url, at, Outcome.MISSING if letter == "m" else Outcome.TIMED_OUT, 404 if letter == "m" else 0)


def rows_of(history: str) -> list[Fetch]:
    rows, known = [], ""
    for day, letter in enumerate(history):
        rows.append(fetch(letter, BEGIN + day * DAY, known=known))
        known = letter if letter in "abt" else known
    return rows


def expected(before: str, answer: str) -> Finding | None:
    """What a visit finds, said in another way than the program does: None for an address that never was a page."""
    pages = [letter for letter in before if letter in "abt"]
    if not pages:
        return Finding.NEW if answer in "abt" else None
    if answer == "m":
        return Finding.GONE
    if answer == "e":
        return Finding.FAILED
    if before.replace("e", "")[-1] == "m":
        return Finding.BACK
    same = answer in ("n", pages[-1]) or {answer, pages[-1]} == {"a", "t"}
    return Finding.UNCHANGED if same else Finding.CHANGED


def is_possible(history: str) -> bool:
    """Nobody answers 304 to who has nothing."""
    return not history.startswith("n") and all(
        set(history[:at]) & set("abt") for at, letter in enumerate(history) if letter == "n"
    )


CASES = [(state, answer) for state, answer in itertools.product(STATES, ANSWERS) if is_possible(STATES[state] + answer)]


def learnt(folder: Path, history: str) -> tuple[list[Finding], RevisitPlan, VisitHistory]:
    with Catalog(folder / "catalog") as catalog:
        rows = rows_of(history)
        catalog.put_many([*rows, fetch("a", BEGIN, NEIGHBOUR)], "run")
        texts = {"a": b"A", "t": b"A", "b": b"B"}
        told = [
            (row.url, "digest", texts[letter], row.at) for row, letter in zip(rows, history, strict=True) if letter in texts
        ]
        catalog.family("texts").put_dated(told)
        known = VisitHistory(catalog)
        visits = list(known.visits())
        plan = RevisitPlan()
        plan.learn(visits)
        return [visit.finding for visit in visits if visit.url == URL], plan, known


@pytest.mark.parametrize(("state", "answer"), CASES, ids=lambda value: str(value))
def test_matrix(tmp_path: Path, state: str, answer: str) -> None:
    before, now = STATES[state], BEGIN + (len(STATES[state]) + 3) * DAY
    found, plan, history = learnt(tmp_path, before + answer)
    wanted = expected(before, answer)
    assert found[-1:] == ([wanted] if wanted else [])

    # A page that was ever obtained has a version, is never given up, and its plan is sane and says why.
    was_page = any(letter in "abt" for letter in before + answer)
    assert bool(history.row(URL)) is was_page
    assert (URL in history.missing) is (not was_page and "m" in before + answer)
    chosen = {visit.url: visit for visit in plan.choose(now + 400 * DAY, 10)}
    assert (URL in chosen) is was_page
    assert NEIGHBOUR in chosen
    if was_page:
        visit = chosen[URL]
        assert math.isfinite(visit.age)
        assert visit.age >= 0
        assert 0 < visit.rate.low <= visit.rate.mean <= visit.rate.high < math.inf
        assert str(visit.reason)


def test_the_matrix_is_whole() -> None:
    assert {answer for _, answer in CASES} == set(ANSWERS)
    assert {state for state, _ in CASES} == set(STATES)
    assert len(CASES) == len(STATES) * len(ANSWERS) - 3  # 304 to three kinds of addresses that never were pages


@pytest.mark.parametrize("modified", [BEGIN - 400 * DAY, BEGIN + 2 * DAY, BEGIN + 4_000 * DAY, None])
@pytest.mark.parametrize("state", [state for state in STATES if set(STATES[state]) & set("abt")])
def test_hints_leave_any_state_sane(tmp_path: Path, state: str, modified: float | None) -> None:
    _, plan, _ = learnt(tmp_path, STATES[state])
    now = BEGIN + 20 * DAY
    plan.hints([Hint(URL, Source.SITEMAP, modified, "always"), Hint("http://b.es/", Source.FEED, modified)], now)
    chosen = {visit.url: visit for visit in plan.choose(now, 10)}
    assert set(chosen) <= {URL, NEIGHBOUR}
    assert all(math.isfinite(visit.age) and visit.age >= 0 for visit in chosen.values())
