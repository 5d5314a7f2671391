"""The language of queries, and what it refuses."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.index.query import LONGEST, MOST_CLAUSES, Clause, ClauseGroup, Filter, Question, TextClause, parse
from trasmallo.values.errors import UsageError


def one(query: str) -> Clause:
    (clause,) = parse(query).clauses
    return clause


@pytest.mark.parametrize(
    ("query", "clause"),
    [
        ("casa", Clause(TextClause("casa"))),
        ("+de", Clause(TextClause("de"), "+")),
        ("-casa", Clause(TextClause("casa"), "-")),
        ('"casa blanca"', Clause(TextClause("casa blanca", kind="phrase"))),
        ('-title:"casa blanca"~3', Clause(TextClause("casa blanca", "title", "phrase", 3), "-")),
        ("url:noticias", Clause(TextClause("noticias", "address"))),
        ("cas*", Clause(TextClause("cas", kind="prefix"))),
        ("casa~", Clause(TextClause("casa", kind="near", near=1))),
        ("casa~2", Clause(TextClause("casa", kind="near", near=2))),
        ("12:30", Clause(TextClause("12:30"))),
        ("nota:", Clause(TextClause("nota:"))),
        ("http://a.es/b", Clause(TextClause("http://a.es/b"))),
        ("ex-ministro", Clause(TextClause("ex-ministro"))),
        ("LANGUAGE:es", Clause(Filter("language", "es"))),
        ("-site:A.es", Clause(Filter("site", "a.es"), "-")),
        ("date:2024", Clause(Filter("date", "2024", 20240101, 20241231))),
        ("date:2024-02..2025-03-04", Clause(Filter("date", "2024-02..2025-03-04", 20240201, 20250304))),
        ("date:..2025", Clause(Filter("date", "..2025", 0, 20251231))),
        ("+(uno -dos)", Clause(ClauseGroup((Clause(TextClause("uno")), Clause(TextClause("dos"), "-"))), "+")),
    ],
)
def test_clauses(query: str, clause: Clause) -> None:
    assert one(query) == clause


def test_clauses_stand_side_by_side() -> None:
    found = parse('uno +dos "tres cuatro" (cinco seis) -siete')
    assert [text.text for text in found.texts()] == ["uno", "dos", "tres cuatro", "cinco", "seis"]


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("", "empty"),
        ("   ", "empty"),
        ("()", "bracket|empty"),
        ("(casa", "not closed"),
        ("casa)", "nobody opened"),
        ('"casa', "quotation mark is not closed"),
        ("((((((a))))))", "nested"),
        ("titel:casa", "did you mean title"),
        ("mi_campo:casa", "there is no field 'mi_campo'"),
        ("title:", "title: has no value"),
        ("title: casa", "title: has no value"),
        ('casa +Title:""', "Title: has no value"),
        ("date:", "date: has no value"),
        ("casa language:", "language: has no value"),
        ("c*", "too many words"),
        ("casa~7", "differ too much"),
        ("date:ayer", "no date"),
        ("date:2024-13", "no date"),
        ("date:2024-02-31", "no date"),
        ("(date:2024)", "outside brackets"),
        ("title:(a b)", "before each word"),
        ("a " * (MOST_CLAUSES + 1), "fewer words"),
        ("a" * (LONGEST + 1), "characters"),
    ],
)
def test_what_is_refused_is_told_in_one_line(query: str, told: str) -> None:
    if query == "()":
        assert parse(query) == Question((Clause(ClauseGroup(())),))
        return
    with pytest.raises(UsageError, match=told) as error:
        parse(query)
    assert "\n" not in str(error.value)


@given(st.text(alphabet='ab:+-()"~* \n0129.ñ/\\^[]{}', max_size=60))
def test_any_text_is_a_query_or_refused(query: str) -> None:
    try:
        parse(query)
    except UsageError:
        return
