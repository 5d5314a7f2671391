"""Compares stemmers on the words of a text: what each makes of a word, and how many words each brings together.

Measures after W. B. Frakes and C. J. Fox, Strength and similarity of affix removal stemming algorithms, SIGIR Forum 37 (2003).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import takewhile

import msgspec

from trasmallo.study.patterns import ALPHABETIC
from trasmallo.study.stem import Stemmer
from trasmallo.study.tokenise import columns, key

EXAMPLES = 5
"""Classes that are shown of each stemmer. Judgement."""


class Conflation(msgspec.Struct, frozen=True):
    """The different words that have one stem, in alphabetical order."""

    stem: str
    words: tuple[str, ...]


class Strength(msgspec.Struct, frozen=True):
    """How much a stemmer does to a vocabulary.

    `words` are different words, `stems` different stems, `changed` words that are not their own stem. `class_size` is the mean
    number of words of a stem; `compression` is the index compression factor, the share of entries that an index of stems saves;
    `removed` is the mean number of letters that a stem is shorter than its word. The ratios are 0 for an empty text.
    """

    stemmer: str
    words: int
    stems: int
    changed: int
    class_size: float
    compression: float
    removed: float
    examples: tuple[Conflation, ...]


class StemmedWord(msgspec.Struct, frozen=True):
    """A word, how often it occurs, and its stem by each stemmer."""

    word: str
    count: int
    stems: dict[str, str]


def vocabulary(text: str, language: str) -> Counter[str]:
    """How often each alphabetic word of a text occurs, from frequent to rare."""
    cut = columns(text, language)
    found = Counter(key(word) for word, kind in zip(cut.words, cut.kinds, strict=True) if kind == ALPHABETIC)
    return Counter(dict(sorted(found.items(), key=lambda item: (-item[1], item[0]))))


def side_by_side(counts: Mapping[str, int], stemmers: Mapping[str, Stemmer]) -> list[StemmedWord]:
    """Every word with its stems, in the order of the counts."""
    return [StemmedWord(word, count, {name: stem(word) for name, stem in stemmers.items()}) for word, count in counts.items()]


def strength(name: str, stem: Stemmer, words: Iterable[str], examples: int = EXAMPLES) -> Strength:
    """What a stemmer does to different words, with its largest classes as examples."""
    stems = {word: stem(word) for word in words}
    classes: dict[str, list[str]] = {}
    for word in sorted(stems):
        classes.setdefault(stems[word], []).append(word)
    ranked = sorted(classes.items(), key=lambda item: (-len(item[1]), item[0]))
    shown = takewhile(lambda item: len(item[1]) > 1, ranked[:examples])
    number = len(stems) or 1
    return Strength(
        stemmer=name,
        words=len(stems),
        stems=len(classes),
        changed=sum(word != found for word, found in stems.items()),
        class_size=len(stems) / (len(classes) or 1),
        compression=(len(stems) - len(classes)) / number,
        removed=sum(len(word) - len(found) for word, found in stems.items()) / number,
        examples=tuple(Conflation(found, tuple(members)) for found, members in shown),
    )
