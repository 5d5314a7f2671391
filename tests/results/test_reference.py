from __future__ import annotations

import pytest

from trasmallo.results.reference import added, general_shares, own_shares
from trasmallo.values.errors import UsageError


def test_counts_of_one_name_are_added() -> None:
    assert added([("red", 1.0), ("mar", 2.0), ("red", 0.5)]) == {"red": 1.5, "mar": 2.0}


def test_a_language_that_nobody_counts_is_refused() -> None:
    with pytest.raises(UsageError, match="wordfreq"):
        general_shares("xx")


@pytest.mark.parametrize(("language", "common", "rare"), [("es", "casa", "trasnochar"), ("en", "house", "trawler")])
def test_the_languages_that_come_with_the_program(language: str, common: str, rare: str) -> None:
    shares = own_shares(language)
    assert 0.5 < sum(shares.values()) < 1.1
    assert shares[common] > 20 * shares[rare] > 0
    assert not any(letter.isdigit() for word in shares for letter in word)


def test_another_language_tells_which_there_are() -> None:
    with pytest.raises(UsageError, match="no frequencies for 'xx': choose one of en, es, or wordfreq:CODE"):
        own_shares("xx")
