"""Trends of words and lemmas: what DuckDB counts is what counting every cell gives."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.dated_run import Dated, count_trend, make_dated_run
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.trends import TrendQuestion, find_trend, period_name
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import UsageError

VISITED = date(2026, 7, 1)
BACKGROUND = "la red de la costa y el mar en calma"


def rising(number: int) -> list[Dated]:
    """Documents of some sites over a year, in which `guasapeo` becomes frequent and `barca` stays as it is."""
    found = []
    for month in range(1, 13):
        for site in range(number):
            new, flat = month // 3 if (month + site) % 4 else month // 2, 1 + (month * 7 + site * 5) % 3
            words = f"{BACKGROUND} " * 6 + "barca " * flat + "guasapeo " * new + "mar " * (20 - flat - new)
            found.append(Dated(f"http://s{site}.es/{month}", f"2025-{month:02}-1{site}", words))
    return found


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return make_dated_run(tmp_path, rising(8))


def rows_of(tables: Tables, table: str, **question: Any) -> dict[str, dict[str, Any]]:
    answer = tables.ask(table, Question(**question))
    rows = [dict(zip(answer.columns, row, strict=True)) for row in answer]
    return {str(row.get("word") or row.get("lemma")): row for row in rows}


@pytest.mark.parametrize("table", ["trends", "trends_by_week"])
@pytest.mark.parametrize("finished", [False, True], ids=["growing", "finished"])
def test_a_word_that_rises_is_found_and_a_flat_one_is_not(run: Run, table: str, finished: bool) -> None:
    if finished:
        compile_tables(run)
    with Tables(run) as tables:
        found = rows_of(tables, table)
    assert next(iter(found)) == "guasapeo"
    new, flat = found["guasapeo"], found["barca"]
    assert new["q"] < 0.01
    assert new["slope"] > 0 < new["growth"]
    assert flat["q"] > 0.5
    assert (flat["documents"], flat["sites"], flat["by_document"], flat["by_visit"]) == (96, 8, 96, 0)
    assert (new["first_seen"], new["last_seen"]) == ("2025-02-12", "2025-12-17")
    assert not run.folder.joinpath("trends.parquet").exists(), "a run that ends makes no trends"


def test_the_curve_and_the_table_say_the_same(run: Run) -> None:
    with Tables(run) as tables:
        row = rows_of(tables, "trends")["guasapeo"]
        one = find_trend(tables, TrendQuestion(" Guasapeo"))
    for name in ("count", "documents", "sites", "first_seen", "last_seen", "tokens", "by_document", "by_visit"):
        assert getattr(one, name) == row[name], name
    for name in ("per_million", "slope", "growth", "z", "p"):
        assert getattr(one, name) == pytest.approx(row[name]), name
    assert [period.period for period in one.periods] == [f"2025-{month:02}" for month in range(1, 13)]
    assert sum(period.count for period in one.periods) == one.count
    assert sum(period.tokens for period in one.periods) == one.tokens
    assert all(period.low <= period.per_million <= period.high for period in one.periods)


def test_a_lemma_counts_all_its_forms(tmp_path: Path) -> None:
    documents = [Dated(f"http://a.es/{n}", f"2026-0{n}-05", f"casa casas {BACKGROUND}") for n in range(1, 5)]
    with Tables(make_dated_run(tmp_path, documents)) as tables:
        one = find_trend(tables, TrendQuestion("casa", unit="lemma", by="week"))
        assert (one.unit, one.count) == (
            "lemma",
            sum(row["count"] for row in rows_of(tables, "lemma_trends").values() if row["lemma"] == "casa"),
        )
        assert [period.period for period in one.periods] == ["2026-01-05", "2026-02-02", "2026-03-02", "2026-03-30"]
        with pytest.raises(UsageError, match="the run has no lemma 'nada': see what there is with: trasmallo list DIR lemmas"):
            find_trend(tables, TrendQuestion("nada", unit="lemma"))


def test_dates_that_cannot_be_and_copies(tmp_path: Path) -> None:
    documents = [
        Dated("http://a.es/own", "2026-05-02", "red mar"),
        Dated("http://a.es/future", "2099-01-01", "red mar mar"),
        Dated("http://a.es/old", "0001-01-01", "red"),
        Dated("http://a.es/none", "", "red", None),
        Dated("http://b.es/copy", "2026-04-02", "red mar", copy_of="http://a.es/own"),
    ]
    with Tables(make_dated_run(tmp_path, documents)) as tables:
        row, one = rows_of(tables, "trends")["red"], find_trend(tables, TrendQuestion("red"))
        with pytest.raises(UsageError, match="no document with a date has 'red' in 'fr': see the dates"):
            find_trend(tables, TrendQuestion("red", language="fr"))
    assert (row["count"], row["documents"], row["sites"]) == (3, 3, 1)
    assert (row["first_seen"], row["last_seen"]) == ("2026-05-02", "2026-07-01")
    assert (row["by_document"], row["by_visit"], one.undated, row["tokens"]) == (1, 2, 1, 6)
    assert (row["z"], row["p"], row["q"]) == (None, None, None)


days = st.sampled_from(["", "2025-12-30", "2026-01-05", "2026-01-20", "2026-02-28", "2026-04-01", "2026-06-30", "2099-01-01"])
texts = st.lists(st.sampled_from(["red", "mar", "barca"]), min_size=1, max_size=6).map(" ".join)
documents = st.lists(st.tuples(st.sampled_from("abc"), days, texts), min_size=1, max_size=14)


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(drawn=documents)
def test_every_figure_is_what_counting_gives(drawn: list[tuple[str, str, str]]) -> None:
    made = [Dated(f"http://{site}.es/{number}", day, words) for number, (site, day, words) in enumerate(drawn)]
    known = [
        (one, date.fromisoformat(one.told) if (own := one.told not in ("", "2099-01-01")) else VISITED, own) for one in made
    ]
    with tempfile.TemporaryDirectory() as folder, Tables(make_dated_run(Path(folder), made)) as tables:
        found = rows_of(tables, "trends")
    assert found.keys() == {word for one in made for word in one.words.split()}
    for word, row in found.items():
        for name, value in count_trend(word, known)._asdict().items():
            assert row[name] == (pytest.approx(value, abs=1e-6) if isinstance(value, float) else value), (word, name)


def test_periods_have_names() -> None:
    assert [period_name(place, "month") for place in (24312, 24323)] == ["2026-01", "2026-12"]
    assert period_name(0, "week") == "1969-12-29"
