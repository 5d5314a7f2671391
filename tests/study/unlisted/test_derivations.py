from __future__ import annotations

import pytest

from trasmallo.study.unlisted.derivations import Derivation, Derivations, derivations_of, make
from trasmallo.study.unlisted.kinds import KindRules


@pytest.mark.parametrize(
    ("word", "affix"),
    [
        ("antiglobalista", "anti-"),
        ("semipeatonalización", "semi-"),
        ("rehumanización", "re-"),
        ("microrrelatista", "micro-"),
        ("festivalero", "-ero"),
        ("peatonalizable", "-ble"),
        ("maratonismo", "-ismo"),
        ("barcoteca", ""),
        ("imformación", ""),
        ("estava", ""),
    ],
)
def test_what_a_word_is_derived_with(word: str, affix: str) -> None:
    found = derivations_of("es").find(word)
    assert (found.affix if found else "") == affix


def test_a_base_has_its_accent() -> None:
    assert derivations_of("es").find("maratonismo") == Derivation("-ismo", "maratón")


def test_a_recent_word_is_a_base() -> None:
    assert make("es", {"tuitear"}).find("retuiteo") == Derivation("re-", "tuiteo")
    assert make("es", set()).find("retuiteo") is None


def test_affixes_are_stacked_only_so_deep() -> None:
    rules = KindRules(prefixes="re", derived=(("-ista", "ista", "o"),), least=4)
    some = Derivations(rules, (), {"verbo"}.__contains__)
    assert some.find("reverbista") == Derivation("re-", "verbista")
    assert some.find("rererereverbo") is None
    assert some.find("re" * 40) is None
