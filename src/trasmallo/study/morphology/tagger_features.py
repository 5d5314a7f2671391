"""What the tagger looks at: clues that a word brings to its own place and to its neighbours', as hashes that numpy can combine.

A clue is a 32-bit hash of its kind and its value; a template hashes the clues of one to three words together, and what it
gives is a feature. Training and tagging use the same functions, so that they cannot drift apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh32_intdigest

Hashes = NDArray[np.uint32]

CLUES = ("form", "written", "end2", "end3", "end4", "end5", "begin3", "class", "fine", "lemma", "shape", "shaped", "edge")
"""Kinds of clues: the form in lower case and as written, its ends and beginning, its categories and finer classes, its lemma,
capitals and place in the sentence, the latter with the categories, and capitals with the first and last letter."""

_INDEX = {name: number for number, name in enumerate(CLUES)}
SHARED = ("form", "class", "fine", "lemma", "shape")
"""Clues that a template combines with those of other words."""

NEAR = {
    -2: ("form",),
    -1: ("form", "class", "fine", "lemma", "end3"),
    1: ("form", "class", "fine", "end3"),
    2: ("form", "class"),
}
"""Clues of a neighbour that count by themselves, by its place."""

_PAIRS = (
    "class/-1class fine/-1fine form/-1class class/-1form shape/-1form class/-1lemma form/-1lemma "
    "class/1class fine/1fine form/1class class/1form shape/1form lemma/1fine lemma/2fine class/1class/2class "
    "class/-1class/1class fine/-1fine/1fine class/-1fine/-2fine class/1fine/2fine shape/-1shape/1shape"
)
"""Clues that count together: one of the word itself and one or two of its neighbours."""


class TemplateClue(NamedTuple):
    """One clue in a template: the neighbour's offset, and the clue's place in `SHARED`."""

    offset: int
    clue: int


def _hash(text: str) -> int:
    return xxh32_intdigest(text.encode("utf-8", "replace"))


def _template(text: str) -> tuple[TemplateClue, TemplateClue, TemplateClue]:
    own, *others = text.split("/")
    parts = [TemplateClue(0, SHARED.index(own))]
    for other in others:
        digits = other.rstrip("abcdefghijklmnopqrstuvwxyz")
        parts.append(TemplateClue(int(digits), SHARED.index(other.removeprefix(digits))))
    nothing = TemplateClue(0, len(SHARED))
    return (parts[0], parts[1], parts[2] if len(parts) > 2 else nothing)


TEMPLATES = tuple(_template(text) for text in _PAIRS.split())
_WIDTH = len(SHARED) + 1
REACH = 2
"""How far away a neighbour may be."""
_NEAR_ROWS = np.array(
    [[_WIDTH * (REACH + template[part].offset) + template[part].clue for template in TEMPLATES] for part in range(3)]
)
"""Of the first, second and third clues of the templates, where they are among those of a word and its neighbours."""
_SEEDS = np.array([[_hash(f"template {number}")] for number in range(len(TEMPLATES))], dtype=np.uint32)
_ALONE = [("own", name) for name in CLUES] + [(f"near {offset}", name) for offset, names in NEAR.items() for name in names]
_ALONE_PLACES = np.array([_INDEX[name] for _, name in _ALONE])
_ALONE_SEEDS = np.array([_hash(f"{whose} {name}") for whose, name in _ALONE], dtype=np.uint32)
BOUNDS = tuple(np.cumsum([0, len(CLUES), *(len(names) for names in NEAR.values())]).tolist())
"""Where the columns of `alone` begin: the word's own, then those for each place in `NEAR`; and where they end."""
_SHARED_PLACES = np.array([_INDEX[name] for name in SHARED])
_FIRST, _SECOND, _THIRD = np.uint32(0x9E3779B1), np.uint32(0x85EBCA6B), np.uint32(0xC2B2AE35)


def clues(word: str, low: str, first: bool, categories: str, fine: str, lemma: str) -> tuple[str, ...]:
    """The clues of a word, in the order of `CLUES`; `low` is it in lower case, `first` says that it begins a sentence."""
    start = "C" if word[0].isupper() else "d" if word[0].isdigit() else "l"
    marks = ("A" if len(word) > 1 and word.isupper() else "") + ("-" if "-" in word else "") + ("." if word[-1] == "." else "")
    shape = f"{start}{marks}{'1' if first else '0'}"
    return (
        low,
        word,
        low[-2:] + start,
        low[-3:] + start,
        low[-4:],
        low[-5:],
        low[:3],
        categories,
        fine,
        lemma,
        shape,
        f"{shape} {categories}",
        f"{shape} {low[:1]} {low[-1:]} {min(len(low), 12)}",
    )


def hashed(several: Sequence[tuple[str, ...]]) -> Hashes:
    """The clues of words as hashes, a row a word; 0 for a word that gives none."""
    found = np.zeros((len(several), len(CLUES)), np.uint32)
    values = list(chain.from_iterable(several))
    try:
        hashes = np.fromiter(map(xxh32_intdigest, map(str.encode, values)), np.uint32, len(values))
    except UnicodeEncodeError:
        hashes = np.fromiter(map(_hash, values), np.uint32, len(values))
    found[np.fromiter(map(bool, several), np.bool_, len(several))] = hashes.reshape(-1, len(CLUES))
    return found


def alone(found: Hashes) -> Hashes:
    """Features that depend on one word: a row a word, columns for itself and then for each place in `NEAR`."""
    features: Hashes = (found[:, _ALONE_PLACES] ^ _ALONE_SEEDS) * _FIRST
    return features


def shared(found: Hashes) -> Hashes:
    """The clues that templates combine, with a last column of zeros for templates of two words."""
    chosen = found[:, _SHARED_PLACES]
    return np.concatenate([chosen, np.zeros((len(chosen), 1), np.uint32)], axis=1)


def combined(around: Hashes, at: NDArray[np.int64]) -> Hashes:
    """Features of the templates at some places of a text whose `shared` clues are given: a row a template, a column a place.

    They are made for all places that have neighbours, and then chosen: to step through a text costs less than to pick from it.
    """
    size = len(around) - 2 * REACH
    near = np.concatenate([around.T[:, begin : begin + size] for begin in range(2 * REACH + 1)])
    first, second, third = _NEAR_ROWS
    found: Hashes = near.take(first, axis=0) * _FIRST
    found ^= near.take(second, axis=0)
    found *= _SECOND
    found ^= near.take(third, axis=0)
    found += _SEEDS
    found ^= found >> np.uint32(15)
    found *= _THIRD
    return found[:, at - REACH]
