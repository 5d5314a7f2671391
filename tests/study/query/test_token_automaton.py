from __future__ import annotations

import pytest

from trasmallo.study.query.parsing import parse
from trasmallo.study.query.query_errors import QueryError
from trasmallo.study.query.syntax import Either, One
from trasmallo.study.query.token_automaton import TokenAutomaton, elements, labels, mirrored


def test_choices_of_single_tokens_become_single_tokens() -> None:
    (one,) = elements(parse('("a"|"b"|"c")').pattern)
    assert isinstance(one, One)
    assert isinstance(one.condition, Either)
    assert len(elements(parse('"a" ("b" ("c" "d")) "e"{2}').pattern)) == 6
    assert not isinstance(elements(parse('(1:"a"|"b")').pattern)[0], One)


def test_repeats_are_written_out() -> None:
    machine = TokenAutomaton(parse('"a" []{0,3} "b"').pattern)
    assert machine.longest == 5
    assert len(machine.moves[0]) == 1
    assert len(machine.moves[machine.moves[0][0].target]) == 2


def test_a_sequence_read_backwards() -> None:
    assert str(mirrored(parse('"a" ("b" "c" | "d")+ <s>').pattern)) == str(parse('<s> ("c" "b" | "d")+ "a"').pattern)


def test_labels_in_order() -> None:
    assert labels(parse('2:"a" (1:"b"|2:"c")* <s>').pattern) == ["2", "1"]


@pytest.mark.parametrize("query", ['("a"{100}){100}', "(([]{0,100}){0,100}){0,100}", "((([]?){30}){30}){2}"])
def test_what_would_be_endless_is_refused(query: str) -> None:
    with pytest.raises(QueryError, match="hits could be longer|too many ways"):
        TokenAutomaton(parse(query).pattern)
