from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.clean.slicing.criterion import And, AtLeast, AtMost, Not, Or, Tree, Word, Xor, parse, words_of
from trasmallo.values.errors import CriterionError

A, B, C = Word("a"), Word("b"), Word("c")


@pytest.mark.parametrize(
    ("source", "tree"),
    [
        ("a", A),
        ("a AND b", And((A, B))),
        ("a b", And((A, B))),
        ("a and b", And((A, B))),
        ("a Y b", And((A, B))),
        ("a y b", And((A, Word("y"), B))),
        ("a OR b AND c", Or((A, And((B, C))))),
        ("a XOR b OR c", Or((Xor((A, B)), C))),
        ("a O b XO c", Or((A, Xor((B, C))))),
        ("(a OR b) c", And((Or((A, B)), C))),
        ("NOT a", Not(A)),
        ("NO a b", And((Not(A), B))),
        ("NOT NOT a", A),
        ("a NOT b", And((A, Not(B)))),
        ('"a b"', Word("a b")),
        ("«a AND b»", Word("a AND b")),
        ("“and”", Word("and")),
        ("a*", Word("a", tail=True)),
        ("*a*", Word("a", head=True, tail=True)),
        ("MIN(a, 2)", AtLeast((A,), 2)),
        ("máx(a,2)", AtMost((A,), 2)),
        ("SUMA(a, b, 3)", AtLeast((A, B), 3)),
        ("SUM(2024, a, 3)", AtLeast((Word("2024"), A), 3)),
        ('MIN("a b", 1) c', And((AtLeast((Word("a b"),), 1), C))),
        ("MIN(AND, 1)", AtLeast((Word("AND"),), 1)),
        ("min a", And((Word("min"), A))),
        ("covid-19 C++", And((Word("covid-19"), Word("C++")))),
        ("a -b", And((A, Not(B)))),
        ('-"a b" c', And((Not(Word("a b")), C))),
        ("a -(b OR c)", And((A, Not(Or((B, C)))))),
        ("'a b' c", And((Word("a b"), C))),
        ("‘a b’", Word("a b")),
        ("'l'hospitalet de mar'", Word("l'hospitalet de mar")),
        ("l'hospitalet", Word("l'hospitalet")),
        ("a~", Word("a", inflected=True)),
        ("MIN(a~, 2) -b~", And((AtLeast((Word("a", inflected=True),), 2), Not(Word("b", inflected=True))))),
    ],
)
def test_trees(source: str, tree: Tree) -> None:
    assert parse(source) == tree


@pytest.mark.parametrize(
    ("source", "code", "at", "length"),
    [
        ("", "empty", 0, 0),
        ("   ", "empty", 3, 0),
        ("madrid AND", "missing-operand", 7, 3),
        ("OR madrid", "missing-operand", 0, 2),
        ("a AND OR b", "missing-operand", 2, 3),
        ("(a", "unclosed-parenthesis", 0, 1),
        ("a)", "unopened-parenthesis", 1, 1),
        ("a (", "unclosed-parenthesis", 2, 1),
        ("a ( )", "empty-parentheses", 2, 3),
        (")", "unopened-parenthesis", 0, 1),
        ('a "b c', "unclosed-quote", 2, 4),
        ("a”", "unopened-quote", 1, 1),
        ('a ""', "empty-phrase", 2, 2),
        ("a, b", "unexpected-comma", 1, 1),
        ("(a, b)", "unexpected-comma", 2, 1),
        ("a **", "empty-word", 2, 2),
        ("\u0301", "empty-word", 0, 1),
        ("MIN(a)", "number-expected", 4, 1),
        ("MIN(a, b)", "number-expected", 7, 1),
        ("MIN(a, b, 2)", "number-expected", 7, 1),
        ("MIN(a, 1234567)", "number-expected", 7, 7),
        ("MIN(, 2)", "word-expected", 4, 1),
        ("SUM(a b, 2)", "comma-expected", 6, 1),
        ("SUM(a, 2", "unclosed-parenthesis", 3, 1),
        ("SUM(", "unclosed-parenthesis", 3, 1),
        ("NOT", "missing-operand", 0, 3),
        ("a - b", "missing-operand", 2, 1),
        ("a -", "missing-operand", 2, 1),
        ("MIN(-a, 2)", "word-expected", 4, 1),
        ("'a b", "unclosed-quote", 0, 4),
        ("a*~", "star-and-forms", 0, 3),
        ("*a~", "star-and-forms", 0, 3),
        ("~", "empty-word", 0, 1),
        ('"a b"~', "forms-of-phrase", 5, 1),
    ],
)
def test_mistakes_are_told_with_their_place(source: str, code: str, at: int, length: int) -> None:
    with pytest.raises(CriterionError) as caught:
        parse(source)
    error = caught.value
    assert (error.code, error.at, error.length) == (code, at, length)
    assert f"at character {at + 1} of the criterion" in error.problem
    assert error.repair
    assert error.exit_code == 2


@pytest.mark.parametrize(
    ("source", "code"),
    [
        ("(" * 10_000, "too-deep"),
        ("(" * 101 + "a" + ")" * 101, "too-deep"),
        ("a " * 501, "too-many"),
        ("a" * 10_001, "too-long"),
    ],
)
def test_enormous_criteria_are_refused(source: str, code: str) -> None:
    with pytest.raises(CriterionError) as caught:
        parse(source[:10_000] if code == "too-deep" else source)
    assert caught.value.code == code


def test_much_is_allowed() -> None:
    assert parse("(" * 100 + "a" + ")" * 100) == A
    assert parse("NOT " * 2_000 + "a") == A
    assert len(parse("a " * 500).items) == 500  # type: ignore[union-attr]


def test_a_mistake_travels_between_processes() -> None:
    with pytest.raises(CriterionError) as caught:
        parse("a AND")
    again = pickle.loads(pickle.dumps(caught.value))
    assert (str(again), again.code, again.at, again.told) == (str(caught.value), "missing-operand", 2, ("AND",))


@pytest.mark.parametrize(
    ("source", "wanted", "others"),
    [
        ("a AND NOT b", ["a"], ["b"]),
        ("NOT (a OR NOT b)", ["b"], ["a"]),
        ("MIN(a, 1) OR MAX(b, 2)", ["a"], ["b"]),
        ("NOT MAX(a, 2) a", ["a"], []),
        ("MIN(a, 0)", [], ["a"]),
        ("a XOR b", ["a", "b"], []),
    ],
)
def test_words_that_a_page_should_have(source: str, wanted: list[str], others: list[str]) -> None:
    tree = parse(source)
    assert [word.text for word in words_of(tree)] == wanted
    assert [word.text for word in words_of(tree, wanted=False)] == others


@given(st.lists(st.sampled_from([*'abY O()",*«» 1', "MIN(", "AND", " NOT "]), max_size=30).map("".join))
def test_any_text_is_understood_or_refused(source: str) -> None:
    try:
        parse(source)
    except CriterionError as error:
        assert 0 <= error.at <= len(source)
        assert error.at + error.length <= len(source)


def test_a_switch_asks_for_the_forms_of_every_single_word() -> None:
    found = words_of(parse('a b* "c" d~', inflected=True))
    assert [word.text for word in found if word.inflected] == ["a", "d"]
