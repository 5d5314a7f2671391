from __future__ import annotations

import pytest

from trasmallo.study import stem
from trasmallo.values.errors import UsageError


def test_the_stemmers_by_their_names() -> None:
    found = stem.choose(["s", "porter", "porter2", "krovetz", "snowball", "german"], "es")
    assert {name: stemmer("houses") for name, stemmer in found.items()} == {
        "s": "house", "porter": "hous", "porter2": "hous", "krovetz": "house", "snowball": "hous", "german": "hous",
    }  # fmt: skip
    assert stem.choose(["porter2"], "es")["porter2"]("generically") == "generic"


@pytest.mark.parametrize(
    ("language", "names"),
    [("en", ("s", "porter", "porter2", "krovetz")), ("EN_gb", ("s", "porter", "porter2", "krovetz")),
     ("es-MX", ("s", "snowball")), ("zh", ("s",)), ("ar", ("light10", "snowball")), ("und", ("s",))],
)  # fmt: skip
def test_what_suits_a_language(language: str, names: tuple[str, ...]) -> None:
    assert stem.defaults(language) == names
    assert tuple(stem.choose(names, language)) == names


def test_an_unknown_stemmer_names_the_nearest() -> None:
    with pytest.raises(UsageError, match="did you mean 'porter'"):
        stem.choose(["portr"])
    with pytest.raises(UsageError, match="no rules for the language 'zh'"):
        stem.choose(["snowball"], "zh")


@pytest.mark.parametrize(
    ("word", "found"),
    [("cakes", "cake"), ("dogs", "dog"), ("centuries", "centurie"), ("is", "i"), ("s", "s"), ("", "")],
)
def test_suffix_s_takes_every_last_s_off(word: str, found: str) -> None:
    assert stem.suffix_s(word) == found


@pytest.mark.parametrize("name", ["s", "porter", "porter2", "krovetz", "light10", "snowball", "spanish"])
def test_what_is_too_long_for_a_word_stays_as_it_is(name: str) -> None:
    word = "ing" * 1_000_000 + "ed"
    assert stem.choose([name], "en")[name](word) == word
