"""What words tell."""

from __future__ import annotations

import pytest

from trasmallo.study.entities.word_features import attributes, listed, look, opening, summary


@pytest.mark.parametrize(
    ("word", "seen"),
    [("Ana", "Aa"), ("ONU", "AA"), ("de", "lde"), ("casa", "a"), ("1998", "d4"), ("B-52", "mA"), (",", "s,"), ("J.", "I.")],
)
def test_looks(word: str, seen: str) -> None:
    assert look(word) == seen


def test_names_of_several_words_are_listed() -> None:
    assert [found[:1] for found in listed(["vive", "en", "Nueva", "York", "hoy"])] == ["", "", "B", "I", ""]


def test_signs_do_not_hide_the_first_word() -> None:
    assert opening(["«", "Ana", "vive"]) == 2
    assert opening(["Ana"]) == 1


def test_a_word_is_described_with_its_neighbours() -> None:
    first, second = attributes(["Ana", "vive"], ["PROPN", "VERB"], lambda _: "")
    assert "w=ana" in first
    assert "1w=vive" in first
    assert "-1w=ana" in second


def test_a_summary_has_each_run_once() -> None:
    assert summary("McDonald2000") == "AaAa0"
