"""Which words are asked next, and how many documents there may be."""

from __future__ import annotations

import random

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.forms.query_choice import QueryChooser, is_word


def test_first_words_come_first_then_the_one_that_promises_most() -> None:
    chooser = QueryChooser(["barca"])
    assert chooser.next_word() == "barca"
    chooser.learn([("a", ["vela", "remo"]), ("b", ["vela"]), ("c", ["vela", "red"])])
    chooser.end_question(3, 3, whole=True)
    assert chooser.next_word() == "vela"
    assert chooser.next_word() != "vela"


def test_no_word_is_asked_twice_and_no_word_is_the_end() -> None:
    chooser = QueryChooser()
    assert chooser.next_word() == ""
    chooser.learn([("a", ["uno", "dos"])])
    assert {chooser.next_word(), chooser.next_word()} == {"uno", "dos"}
    assert chooser.next_word() == ""


def test_the_estimate_is_near_the_truth_for_questions_by_chance() -> None:
    draw, chooser = random.Random(1), QueryChooser()
    chooser.end_question(50, 0, whole=True)
    for _ in range(60):
        results = draw.sample(range(1_000), 20)
        chooser.end_question(20, chooser.learn([(str(each), []) for each in results]), whole=True)
    assert 850 <= chooser.estimate <= 1_150


@given(st.lists(st.lists(st.tuples(st.text(max_size=3), st.lists(st.text(max_size=5))), max_size=5), max_size=10))
def test_whatever_answers_list_the_estimate_is_at_least_what_is_known(answers: list[list[tuple[str, list[str]]]]) -> None:
    chooser = QueryChooser()
    for results in answers:
        chooser.end_question(len(results), chooser.learn(results), whole=True)
        assert chooser.estimate >= len(chooser.documents)
        word = chooser.next_word()
        assert not word or is_word(word)
