"""What a word tells about names: its looks, the lists it stands in, what its noun means.

A word is described once. Each description has two halves: what the word says of itself, and what it says to its neighbours
(by their distance); both are texts, which a model weighs. Beside them stand classes: a small number of looks and of meanings,
which are combined with those of the neighbours.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import msgspec

from trasmallo.study.entities import name_lists
from trasmallo.study.entities.name_lists import fold

OFFSETS = (-2, -1, 1, 2)
"""The neighbours that a word looks at."""
EDGE = "<>"
"""What stands before and after a sentence."""
_LINKS = frozenset(
    [
        "de",
        "del",
        "la",
        "las",
        "los",
        "el",
        "y",
        "e",
        "da",
        "do",
        "dos",
        "di",
        "du",
        "van",
        "von",
        "der",
        "den",
        "al",
        "of",
        "the",
        "and",
        "for",
    ]
)
_LISTED_SIGNS = "\"'«»“”‘’()[]-–—.,;:¿?¡!/&"
Common = Callable[[str], str]
"""Tells the categories that a lexicon has for a word in lower case, joined; "" for a word that it has not."""


class Description(msgspec.Struct, frozen=True):
    """A word as models see it: texts about itself, texts for neighbours, and its two classes."""

    own: tuple[str, ...]
    near: tuple[str, ...]
    look: str
    meaning: str


def look(word: str) -> str:
    """The looks of a word in a few letters: case, digits, signs."""
    if word.isdigit():
        return f"d{min(len(word), 5)}"
    if not any(map(str.isalnum, word)):
        return f"s{word[0] if word[0] in _LISTED_SIGNS else ''}"
    if any(map(str.isdigit, word)):
        return "mA" if word[0].isupper() else "m"
    if word.isupper():
        return "I." if len(word) == 2 and word[1] == "." else "AA." if "." in word else "A" if len(word) == 1 else "AA"
    if word[0].isupper():
        return "Aa." if word[-1] == "." else "A-A" if "-" in word else "AaA" if any(map(str.isupper, word[1:])) else "Aa"
    return f"l{word.lower()}" if word in _LINKS else "aA" if any(map(str.isupper, word)) else "a"


def describe(word: str, tag: str, first: bool, common: Common) -> Description:
    """The description of a word with its category in context; `first` when it opens a sentence."""
    if word == EDGE:
        return Description((EDGE,), (EDGE,), EDGE, EDGE)
    low, seen = word.lower(), look(word)
    key = fold(word)
    named, means = name_lists.names().get(key, ""), broad_meanings(key)
    known = common(low) if seen[0] == "A" else ""
    tag = (
        "" if seen[0] == "A" else tag
    )  # what tagging makes of a capital says less than the lists: it was learnt on the same text
    opener = "^" if first else ""
    meaning = _meaning(seen, named, means, known, tag)
    own = [f"w={low}", f"s={seen}{opener}", f"n={named}", f"k={known}{opener}", f"b={means}", f"t={tag}", f"m={meaning}"]
    own += [f"l={letter}" for letter in named]
    if seen[0] in "Aam":
        own += [
            f"x2={low[-2:]}",
            f"x3={low[-3:]}",
            f"x4={low[-4:]}",
            f"p3={low[:3]}",
            f"sx={seen}{low[-2:]}",
            f"sn={seen}{named}{opener}",
        ]
        own += [f"z={summary(word)}"]
    return Description(
        tuple(own), (f"w={low}", f"s={seen}", f"n={named}", f"b={means}", f"t={tag}", f"k={known}"), seen + opener, meaning
    )


def _meaning(seen: str, named: str, means: str, known: str, tag: str) -> str:
    """The class of a word: the lists of a name, what a common noun means, else its category."""
    if seen[0] == "A":
        return f"{named[:3]}{'+' if known else ''}{means[:1] if known else ''}"
    return f"{tag}{means[:1]}" if tag in ("NOUN", "PROPN") else tag


@lru_cache(maxsize=65536)
def broad_meanings(key: str) -> str:
    """The broad meanings of a noun; of a plural those of its singular."""
    nouns = name_lists.nouns()
    for form in (key, key.removesuffix("s"), key.removesuffix("es"), key[:-1] + "o" if key[-1:] == "a" else ""):
        if form in nouns:
            return nouns[form][:2]
    return ""


_SUMMARY = ((re.compile(r"[A-ZÁÉÍÓÚÜÑ]+"), "A"), (re.compile(r"[^\W\d_A]+"), "a"), (re.compile(r"\d+"), "0"))


def summary(word: str) -> str:
    """A word with its runs of capitals, small letters and digits each as one."""
    if word.isascii() and word.isalpha() and (word.islower() or word.istitle()):  # most words
        return "a" if word.islower() else "A" if len(word) == 1 else "Aa"
    for pattern, letter in _SUMMARY:
        word = pattern.sub(letter, word)
    return word[:8]


class ClassPlace(NamedTuple):
    """The look or the meaning of the word at an offset."""

    offset: int
    half: int


class Template(NamedTuple):
    """Classes of neighbouring words that count together, and the letters by which models know them."""

    name: str
    parts: tuple[ClassPlace, ...]

    def text(self, classes: Iterable[str]) -> str:
        """What these classes, one for each part, say together."""
        return f"{self.name}={'/'.join(classes)}"


LOOK, MEANING = 0, 1
"""The halves of a class."""
REACH = 2
"""How far away the words of a template are at most; of the farthest only the meaning counts."""
_S1, _S0, _S2 = (ClassPlace(offset, LOOK) for offset in (-1, 0, 1))
_M2, _M1, _M0, _N1, _N2 = (ClassPlace(offset, MEANING) for offset in range(-REACH, REACH + 1))
TEMPLATES = (
    Template("ss", (_S1, _S0)),
    Template("s+", (_S0, _S2)),
    Template("3s", (_S1, _S0, _S2)),
    Template("mm", (_M1, _M0)),
    Template("m+", (_M0, _N1)),
    Template("ms", (_M1, _S0)),
    Template("m2", (_M2, _M1, _S0)),
    Template("sn", (_S0, _S2, _N1)),
    Template("mn", (_M1, _S0, _N1)),
    Template("n2", (_S0, _N1, _N2)),
)


def combined(classes: Sequence[tuple[str, str]], place: int) -> list[str]:
    """What the classes (look and meaning) of a word say together with those of its neighbours; places are padded by two."""
    return [one.text([classes[place + offset][half] for offset, half in one.parts]) for one in TEMPLATES]


def listed(words: Sequence[str]) -> list[str]:
    """For each word how it stands in the longest listed name of several words that covers it: "", or B or I with its lists."""
    found = [""] * len(words)
    for start, end, letters in listed_names(words):
        found[start:end] = ["B" + letters, *["I" + letters] * (end - start - 1)]
    return found


def listed_names(words: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The longest listed names of several words, from the left: their first word, the one behind their last, their lists."""
    past = 0
    for place in [place for place, word in enumerate(words[:-1]) if word[:1].isupper()]:
        if place >= past and _may_go_on(words, place):
            past, letters = _longest(words, place)
            if letters:
                yield place, past, letters


def _may_go_on(words: Sequence[str], place: int) -> bool:
    """Whether a listed name can have the next word too: that is written large, or joins names."""
    after = words[place + 1]
    return after[0].isupper() or after.lower() in _LINKS


def _longest(words: Sequence[str], place: int) -> tuple[int, str]:
    known = name_lists.names()
    keys = [fold(word) for word in words[place : place + name_lists.LONGEST]]
    for size in range(len(keys), 1, -1):
        letters = known.get(" ".join(keys[:size]))
        if letters:
            return place + size, letters
    return place, ""


def attributes(words: Sequence[str], tags: Sequence[str], common: Common) -> list[list[str]]:
    """All texts of each word of a sentence, as training needs them."""
    start = opening(words)
    descriptions = [
        describe(word, tag, place < start, common) for place, (word, tag) in enumerate(zip(words, tags, strict=True))
    ]
    edge = describe(EDGE, "", False, common)
    padded = [edge, edge, *descriptions, edge, edge]
    classes = [(each.look, each.meaning) for each in padded]
    phrases = listed(words)
    found = []
    for place, description in enumerate(descriptions, 2):
        near = [f"{offset}{text}" for offset in OFFSETS for text in padded[place + offset].near]
        found.append([*description.own, *near, *combined(classes, place), *_phrase(phrases[place - 2])])
    return found


def _phrase(found: str) -> Iterable[str]:
    return (f"g={found}",) if found else ()


def opening(words: Sequence[str]) -> int:
    """How many words count as the first of a sentence: signs do not hide it."""
    place = 0
    while place < min(len(words), 3) and not words[place][:1].isalnum():
        place += 1
    return place + 1
