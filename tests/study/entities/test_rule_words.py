"""Words of rules and the numbers they stand for."""

from __future__ import annotations

import pytest

from trasmallo.study.entities.rule_words import either, read_amount, rule_words, written


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("1.250", "es", 1250),
        ("3,5", "es", 3.5),
        ("3,5 millones", "es", 3_500_000),
        ("dos mil quinientos", "es", 2500),
        ("treinta y cinco", "es", 35),
        ("1,250.5", "en", 1250.5),
        ("two hundred and five", "en", 205),
        ("three million", "en", 3_000_000),
        ("nada", "es", None),
    ],
)
def test_an_amount_is_read(text: str, language: str, number: float | None) -> None:
    assert read_amount(text, rule_words(language)) == number


def test_a_language_without_words_has_those_of_english() -> None:
    assert rule_words("fr") == rule_words("en")


def test_the_longest_word_comes_first() -> None:
    assert either(["a", "a b"]) == r"a\s+b|a"


def test_numbers_are_written_without_noise() -> None:
    assert [written(3.0), written(0.1 + 0.2)] == ["3", "0.3"]
