from __future__ import annotations

import pickle

from trasmallo.study.query.query_errors import QueryError, broken


def test_the_place_is_told_with_what_stands_there() -> None:
    error = broken('[word="a"', 6, "a value is expected", "write one", 3)
    assert str(error) == "character 7 of the query, at '\"a\"': a value is expected: write one"
    assert (error.at, error.length) == (6, 3)


def test_a_long_rest_is_cut() -> None:
    assert "x" * 24 + "…" in broken("x" * 99, 0, "a bracket is expected", "write one").problem


def test_a_query_that_ends_too_early_has_no_place_inside() -> None:
    error = broken("[", 1, "a condition is expected", "write one")
    assert error.problem == "the query ends too early: a condition is expected"
    assert (error.at, error.length) == (1, 0)


def test_it_travels_between_processes() -> None:
    error = pickle.loads(pickle.dumps(QueryError("a", "b", 3, 4)))
    assert (error.problem, error.repair, error.at, error.length) == ("a", "b", 3, 4)
