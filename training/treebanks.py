"""Sentences of treebanks as the training needs them.

A file has a token a line: surface, its words ("form, lemma, category, tag, features" split by 0x1f, several joined by " + "),
whether a space follows; a blank line ends a sentence.
"""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple


class Gold(NamedTuple):
    """A token as it is annotated; of several words joined in writing the first one. `parts` is their number."""

    surface: str
    lemma: str
    category: str
    features: str
    parts: int


Sentence = list[Gold]
UNSURE = "?"
"""The category of a word that a made sentence does not teach, because treebanks do not agree on it."""


def read(path: Path) -> list[Sentence]:
    """The sentences of a file, in order."""
    return list(_sentences(path))


def _sentences(path: Path) -> Iterator[Sentence]:
    sentence: Sentence = []
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            if line.strip():
                sentence.append(_gold(line))
            elif sentence:
                yield sentence
                sentence = []
    if sentence:
        yield sentence


def _gold(line: str) -> Gold:
    surface, words, _ = line.rstrip("\n").split("\t")
    parts = words.split(" + ")
    _, lemma, category, _, features = parts[0].split("\x1f")
    return Gold(surface, lemma.lower(), category, "" if features == "_" else features, len(parts))


def without(sentences: list[Sentence], fold: int, folds: int) -> tuple[list[Sentence], list[Sentence]]:
    """All but one of several equal stretches, and that one."""
    low, high = len(sentences) * fold // folds, len(sentences) * (fold + 1) // folds
    return sentences[:low] + sentences[high:], sentences[low:high]
