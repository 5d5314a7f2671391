"""How likely each kind of word is: a log-linear model over the letters of a word, what is near it, and what stands around it.

`training/kinds.py` writes such models. A language without `kinds.model` has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple
from zlib import crc32

import msgspec
import numpy as np
import zstandard
from numpy.typing import NDArray

from trasmallo.study import languages
from trasmallo.study.morphology.corrections import Meant
from trasmallo.study.unlisted.kinds import TOLD_APART
from trasmallo.study.unlisted.word_sets import WordLevels, WordSet
from trasmallo.values.decodable import decodable

Scores = NDArray[np.float64]

SLOTS = 1 << 13
"""Weights for sequences of letters; several share one. Judgement: as many as leave the file at some hundred kilobytes."""
COMMON = (2.5, 3.0, 3.5, 4.0, 4.5)
"""Bounds of how often a word is met that are told apart, as logarithms of times in a thousand million words (Zipf scale).
Judgement: a rarer word is seldom met misspelt."""
_LARGEST = 16 << 20
"""Bytes of a model at the most. Judgement: a hundred times what ours has."""
_VOWELS = frozenset("aeiouáéíóúü")
_COSTS = (0.6, 1.0, 1.5, 2.3, 3.2)
"""Bounds of what an error costs: a missing accent, letters that sound alike, slips of the hand, other letters."""
_PART = 4
"""Letters of each part of a compound at least. Judgement: shorter parts are found in any word."""
_LENGTHS = (2, 3, 4, 6, 9, 13)
"""Bounds of lengths that are told apart. Judgement: short words differ most."""


class WordFacts(NamedTuple):
    """What is known of a word itself: its key, whether rules form it, the lexicon has it as misspelt, it is spelt as foreign.

    `meant` is the word that it may be meant for, `common` how common that one is (`WordLevels`), `derived` whether the word may
    be derived.
    """

    word: str
    formed: bool
    misspelt: bool
    strange: bool
    meant: Meant | None
    derived: bool
    common: int = 0


class KindData(msgspec.Struct, frozen=True):
    """What training wrote: weights a feature and kind, those of letters as int8 times `scale`, and sets of words.

    `current` are unlisted words that texts in general use, `common` listed ones that are met often, a set for each bound of
    `COMMON`.
    """

    made_from: str
    words: list[list[float]]
    signs: list[list[float]]
    letters: bytes
    scale: float
    names: bytes
    foreign: bytes
    recent: bytes
    current: bytes
    common: list[bytes]


class KindModel:
    """A model, ready to use; rows are words, columns the kinds of `TOLD_APART`."""

    def __init__(self, data: KindData) -> None:
        self.names, self.foreign, self.recent = WordSet(data.names), WordSet(data.foreign), WordSet(data.recent)
        self.current = WordSet(data.current)
        self.common = WordLevels([WordSet(bits) for bits in data.common])
        self._words, self._signs = np.array(data.words), np.array(data.signs)
        self._letters = np.frombuffer(data.letters, np.int8).reshape(SLOTS, len(TOLD_APART)).astype(np.float64) * data.scale

    def word_scores(self, facts: Sequence[WordFacts]) -> Scores:
        """What words say by themselves."""
        if not facts:
            return np.zeros((0, len(TOLD_APART)))
        found: Scores = np.array([word_features(one, self.names, self.foreign) for one in facts]) @ self._words
        for row, one in enumerate(facts):
            found[row] += self._letters[letter_slots(one.word)].sum(axis=0)
        return found

    def sign_scores(self, shares: Scores) -> Scores:
        """What stands around words says: a row an occurrence, or the mean of several."""
        found: Scores = shares @ self._signs
        return found


def probabilities(scores: Scores) -> Scores:
    """Scores as probabilities, which sum up to 1 in each row."""
    raised = np.exp(scores - scores.max(axis=1, keepdims=True, initial=-np.inf))
    found: Scores = raised / raised.sum(axis=1, keepdims=True)
    return found


def letter_slots(word: str) -> list[int]:
    """Where the weights of a word's sequences of two to four letters are, its beginning and end marked."""
    marked = f"^{word}$"
    size = len(marked)
    pieces = [marked[place : place + length] for length in (2, 3, 4) for place in range(size - length + 1)]
    return [crc32(piece.encode("utf-8", "surrogatepass")) & SLOTS - 1 for piece in pieces]


def word_features(one: WordFacts, names: WordSet, foreign: WordSet) -> list[float]:
    """The other features of a word, always as many."""
    word, size = one.word, len(one.word)
    vowels = sum(letter in _VOWELS for letter in word)
    named, known_abroad = word in names, word in foreign
    return [
        1.0,
        *_bin(size, _LENGTHS),
        float(not vowels),
        float(vowels < 0.25 * size),
        float(one.strange),
        float(not word.isascii()),
        float(named),
        float(known_abroad),
        float(named and known_abroad),
        float(one.formed),
        float(one.derived),
        float(one.derived and size >= 10),
        float(one.misspelt),
        float(not known_abroad and _is_compound(word, foreign)),
        *_likeness(one, known_abroad),
    ]


def _is_compound(word: str, foreign: WordSet) -> bool:
    """Whether a word is two of other languages in a row (bootloader, screenshot)."""
    return any(word[:place] in foreign and word[place:] in foreign for place in range(_PART, len(word) - _PART + 1))


def _likeness(one: WordFacts, known_abroad: bool) -> list[float]:
    """What the word that another may be meant for says.

    How often treebanks have it is not asked: made-up mistakes are of their words, those that people make are not.
    """
    meant, size = one.meant, len(one.word)
    if meant is None:
        return [0.0] * (len(_COSTS) + 2 * len(COMMON) + 6)
    cheap = meant.cost <= _COSTS[2]
    levels = _bin(one.common, range(len(COMMON)))
    return [
        1.0,
        *_bin(meant.cost, _COSTS),
        float(cheap and known_abroad),
        float(not cheap and size <= 5),
        float(not cheap) * size / 10,
        *levels[1:],
        *(level * cheap for level in levels[1:]),
        float(cheap),
    ]


def _bin(value: float, bounds: Sequence[float]) -> list[float]:
    """One of so many features and one more: the first bound that is not passed."""
    place = next((number for number, bound in enumerate(bounds) if value <= bound), len(bounds))
    return [float(number == place) for number in range(len(bounds) + 1)]


def pack(data: KindData) -> bytes:
    """The file of a model."""
    return zstandard.ZstdCompressor(level=19).compress(msgspec.msgpack.encode(data))


@cache
def load(code: str) -> KindModel | None:
    """The model of a language folder, read once a process; None when it has none."""
    language = languages.load(code)
    if not language.has("kinds.model"):
        return None
    content = zstandard.ZstdDecompressor().decompress(language.content("kinds.model"), max_output_size=_LARGEST)
    return KindModel(msgspec.msgpack.decode(content, type=decodable(KindData)))


def recent_words(code: str) -> WordSet:
    """Words that free lists have and the lexicon has not; an empty set without a model."""
    model = load(code)
    return model.recent if model else WordSet(b"")
