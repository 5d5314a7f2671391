from __future__ import annotations

from collections.abc import Callable
from functools import partial
from threading import Thread

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.interned_forms import Facts, Forms, Vocabularies, Vocabulary, forms_of, joined_forms

WORDS = ["la", "red", "de", "la", "mar"]


class Asked:
    """The lengths of forms, and which were asked for."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self.facts = Facts(self._lengths)

    def _lengths(self, words: list[str]) -> list[int]:
        self.words += words
        return list(map(len, words))


@given(st.lists(st.text(max_size=3)))
def test_the_forms_of_a_text(words: list[str]) -> None:
    forms = forms_of(words)
    assert [forms.words()[row] for row in forms.rows.tolist()] == words
    assert len(forms.numbers) == len(set(words))
    assert (np.diff(forms.numbers) > 0).all()


def test_each_form_is_asked_for_once() -> None:
    asked = Asked()
    assert asked.facts.each(forms_of(WORDS)).tolist() == [2, 3, 2, 2, 3]
    assert asked.facts.each(forms_of(["mar", "adentro"])).tolist() == [3, 7]
    assert sorted(asked.words) == sorted({*WORDS, "adentro"})


def test_of_other_places_nothing_is_asked() -> None:
    asked = Asked()
    assert asked.facts.each(forms_of(WORDS), np.array([4, 1])).tolist() == [3, 3]
    assert sorted(asked.words) == ["mar", "red"]
    assert asked.facts.each(forms_of(WORDS), np.zeros(5, np.bool_)).tolist() == []


def test_what_is_forgotten_is_asked_again() -> None:
    asked = Asked()
    asked.facts(forms_of(["red"]))
    asked.facts.forget()
    asked.facts(forms_of(["red"]))
    assert asked.words == ["red", "red"]


@pytest.mark.parametrize("begin", [partial(Vocabulary, most_forms=3), partial(Vocabulary, most_characters=30)])
def test_a_full_vocabulary_makes_way_for_another(begin: Callable[[], Vocabulary]) -> None:
    own = Vocabularies(begin)
    asked, before = Asked(), forms_of(["la", "red"], own)
    for number in range(10):
        many = forms_of([f"palabra{number}", f"número{number}", "red"], own)
        assert asked.facts(many).tolist() == [len(word) for word in many.words()]
        assert len(many.vocabulary) < 8
    assert asked.facts(before).tolist() == [2, 3], "numbers mean what they meant when they were given"


def test_threads_agree_on_the_numbers() -> None:
    found: list[Forms] = []
    texts = [[f"palabra{number % 997}" for number in range(start, start + 5_000)] for start in range(8)]
    threads = [Thread(target=lambda text=text: found.append(forms_of(text))) for text in texts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(len(set(forms.words())) == 997 for forms in found)


@given(st.lists(st.lists(st.text(max_size=2)), min_size=1))
def test_forms_of_texts_one_after_the_other(texts: list[list[str]]) -> None:
    assert joined_forms(list(map(forms_of, texts))).spread() == [word for text in texts for word in text]


def test_forms_of_two_vocabularies_are_joined_too() -> None:
    assert joined_forms([forms_of(WORDS), forms_of(["mar"], Vocabularies())]).spread() == [*WORDS, "mar"]
