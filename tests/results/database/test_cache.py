"""Tables held in memory answer as those on disk do."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from support.runs import make_run
from trasmallo.results.database import cache
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.registry import all_tables
from trasmallo.store.run_folders import Run
from trasmallo.study import verdicts
from trasmallo.values.errors import UsageError


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    made = make_run(tmp_path_factory.mktemp("held"))
    compile_tables(made)
    return made


@pytest.fixture(scope="module")
def both(run: Run) -> Iterator[tuple[Tables, Tables]]:
    with Tables(run) as plain, Tables(run, cached=True) as quick:
        yield plain, quick


questions = st.builds(
    Question,
    where=st.lists(
        st.sampled_from(["count>3", "count<=5", "word~w1", "word=w007", "capitalised!=0", "host=a1.es", "word>w1"]), max_size=3
    ).map(tuple),
    sort=st.sampled_from(["", "count", "-count", "word", "-word", "-capitalised"]),
    limit=st.integers(1, 300),
    offset=st.one_of(st.integers(0, 3_200), st.integers(0, 50)),
    columns=st.sampled_from([(), ("word",), ("count", "document")]),
)


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(questions)
def test_any_question_is_answered_alike(both: tuple[Tables, Tables], question: Question) -> None:
    plain, quick = both
    expected, found = plain.ask("words_by_page", question), quick.ask("words_by_page", question)
    assert found.columns == expected.columns
    assert list(found) == list(expected)
    assert quick.number("words_by_page", question.where) == plain.number("words_by_page", question.where)


def test_columns_may_be_called_anything(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    compile_tables(run)
    with Tables(run, cached=True) as tables, Tables(run) as plain:
        for table in all_tables():
            for name in tables.columns_of(table):
                for question in (Question((f"{name}~e",), f"-{name}", 5, 0), Question((), name, 5, 2_500)):
                    assert list(tables.ask(table, question)) == list(plain.ask(table, question))


def test_what_cannot_be_asked_is_refused_alike(both: tuple[Tables, Tables]) -> None:
    for table, question in (("wodrs", Question(limit=5)), ("words", Question(("cuont>1",), limit=5))):
        for tables in both:
            with pytest.raises(UsageError, match="did you mean"):
                tables.ask(table, question)
    for tables in both:
        with pytest.raises(UsageError, match="compares a number"):
            tables.number("words", ("count>x",))


def test_a_run_that_grows_is_read_from_its_parts(tmp_path: Path) -> None:
    with Tables(make_run(tmp_path), cached=True) as tables:
        assert tables.number("words_by_page", ("word=w007",)) > 0
        assert len(list(tables.ask("words_by_page", Question(("count>3",), "-count", 10, 2_500)))) <= 10


def test_what_is_made_of_other_tables_is_made_once(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    with Tables(run, cached=True) as tables, Tables(run) as plain:
        for question in (Question(limit=20), Question(("count>9",), "-documents", 20, 5), Question(("word~w0",), limit=20)):
            assert list(tables.ask("words", question)) == list(plain.ask("words", question))
        kept = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'cached' ORDER BY table_name"
        assert ("words",) in tables.select(kept)
        tables.refresh()
        assert list(tables.ask("words", Question(limit=20))) == list(plain.ask("words", Question(limit=20)))


def test_tables_that_are_too_large_stay_on_disk(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "LARGEST", 0)
    with Tables(run, cached=True) as tables, Tables(run) as plain:
        question = Question(("count>3",), "-word", 50, 2_000)
        assert list(tables.ask("words_by_page", question)) == list(plain.ask("words_by_page", question))


def test_tables_and_answers_give_way_to_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "ALL", 1)
    monkeypatch.setattr(cache, "REMEMBERED", 2)
    with Tables(run, cached=True) as tables:
        for count in (1, 2, 3, 1):
            for table in ("words_by_page", "words", "words_by_site"):
                asked = Question((f"count>{count}",), "-count", 5, 0)
                assert len(list(tables.ask(table, asked))) == min(5, tables.number(table, asked.where))


def test_verdicts_are_seen_at_once(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    compile_tables(run)
    with Tables(run, cached=True) as tables:
        asked = Question(("verdict=",), limit=10, columns=("word",))
        assert list(tables.ask("neologisms", asked)) == [("guasapeo",)]
        verdicts.judge(tmp_path, ["guasapeo"], "accepted")
        assert list(tables.ask("neologisms", asked)) == []
        assert tables.tally("neologisms", "verdict") == {"accepted": 1}
        verdicts.judge(tmp_path, ["guasapeo"], "")
        assert list(tables.ask("neologisms", asked)) == [("guasapeo",)]


def test_files_that_move_while_a_table_is_brought_into_memory(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    question = Question(("count>3",), "-count", 20, 0)
    with Tables(run, cached=True) as tables, Tables(run) as plain:
        execute, moved = tables.connection.execute, list[str]()

        def move(sql: str, values: Sequence[object] = ()) -> Any:
            if sql.startswith("CREATE TABLE cached.") and not moved:
                moved.append(sql)
                tables._views.refresh()  # as whoever meets files that are no longer there does
            return execute(sql, values)

        monkeypatch.setattr(tables.connection, "execute", move)
        expected = list(plain.ask("words", question))
        assert [list(tables.ask("words", question)) for _ in range(3)] == [expected] * 3
        assert moved
