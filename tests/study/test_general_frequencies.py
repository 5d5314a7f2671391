"""Frequencies that come with the program."""

from __future__ import annotations

from itertools import pairwise

from trasmallo.study.general_frequencies import counted_languages, is_counted, shares_of_words


def test_which_languages_are_counted() -> None:
    assert counted_languages() == ("en", "es")
    assert [is_counted(code) for code in ("es", "en", "fr", "und")] == [True, True, False, False]


def test_words_come_from_frequent_to_rare() -> None:
    found = list(shares_of_words("es"))
    assert found[0][0] == "de"
    assert 0.06 < found[0][1] < 0.07
    assert all(one[1] >= other[1] for one, other in pairwise(found))
    assert 100_000 <= len(found) < 102_000
    assert len({word for word, _ in found}) == len(found)
