"""A hidden Markov model of names as textbooks draw it: states, moves between them, words that states put out.

Moves depend on the two states before (deleted interpolation of one, two and three states); a state puts out a word by how
often it did in training, a rare or new word by its looks. The best way through a sentence is Viterbi's. A model can also be
walked at random, which writes sentences. (Croft, Metzler and Strohman, Search Engines, 4.6; Brants, TnT, 2000.)
"""

from __future__ import annotations

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.entities.model_files import MarkovModel
from trasmallo.study.entities.name_lists import fold, names
from trasmallo.study.entities.word_features import listed, look, opening

EDGE = "|"
"""The state before and after a sentence."""
_RARE = 5
"""Words seen no oftener teach what looks say."""
_LONGEST_WALK = 100  # judgement: words of a sentence
_TINY = 1e-6  # judgement: nothing is impossible
_PRIOR = 2.0
"""How many words with its looks a state is supposed to have had where the finer looks were not seen. Judgement."""


def train(sentences: Iterable[Sequence[tuple[str, str]]], *, language: str, made_from: str) -> MarkovModel:
    """Count what sentences of words with labels have."""
    sentences = list(sentences)
    labels = tuple(sorted({label for sentence in sentences for _, label in sentence}))
    columns = {label: place for place, label in enumerate(labels)}
    counts = Counter(word for sentence in sentences for word, _ in sentence)
    small = Counter(word for sentence in sentences for word, _ in sentence if word == word.lower())
    pairs: Counter[str] = Counter()
    triples: Counter[str] = Counter()
    words: dict[str, list[int]] = defaultdict(lambda: [0] * len(labels))
    looks: dict[str, list[int]] = defaultdict(lambda: [0] * len(labels))
    for sentence in sentences:
        states = [EDGE, EDGE, *(label for _, label in sentence), EDGE]
        pairs.update(" ".join(pair) for pair in pairwise(states[1:]))
        triples.update(" ".join(states[place : place + 3]) for place in range(len(states) - 2))
        forms = [word for word, _ in sentence]
        for (word, label), seen in zip(sentence, _looks(forms, small), strict=True):
            words[word][columns[label]] += 1
            looks[seen.partition("/")[0]][columns[label]] += 1
            if counts[word] <= _RARE:
                looks[seen][columns[label]] += 1
    return MarkovModel(
        language=language, made_from=made_from, labels=labels, pairs=dict(pairs), triples=dict(triples),
        words={word: tuple(row) for word, row in words.items()}, looks={key: tuple(row) for key, row in looks.items()},
        small={word: count for word, count in small.items() if word.isalpha()},
    )  # fmt: skip


def _looks(words: Sequence[str], small: dict[str, int] | Counter[str]) -> Iterator[str]:
    """The looks of each word: rough ones, then behind a slash whether it opens, is also met small, is listed, how it ends."""
    start = opening(words)
    known = names()
    phrases = listed(words)
    for place, word in enumerate(words):
        rough, low = look(word), word.lower()
        if rough[0] != "A":
            yield f"{rough}/{low[-3:]}"
            continue
        signs = ("^" if place < start else "") + ("+" if small.get(low) else "")
        yield f"{rough}/{signs}{phrases[place] or known.get(fold(word), '')[:2] or low[-2:]}"


class MarkovTagger:
    """A hidden Markov model ready to use."""

    def __init__(self, model: MarkovModel) -> None:
        self._model = model
        self.labels = model.labels
        self._states = (*model.labels, EDGE)
        self._moves = _interpolated(model, self._states)
        self._prior = np.array([sum(row) for row in zip(*model.words.values(), strict=True)], np.float64)
        self._known: dict[tuple[str, str], NDArray[np.float64]] = {}

    def label(self, words: Sequence[str]) -> list[str]:
        """The states of the most probable way through a sentence."""
        if not words:
            return []
        size, edge = len(self.labels), len(self.labels)
        value = np.full((size + 1, size + 1), -np.inf)
        value[edge, edge] = 0.0
        back = []
        for word, seen in zip(words, _looks(words, self._model.small), strict=True):
            ways = value[:, :, None] + self._moves[:, :, :size]
            best = ways.argmax(axis=0)
            back.append(best)
            value = np.full((size + 1, size + 1), -np.inf)
            value[:, :size] = np.take_along_axis(ways, best[None], 0)[0] + self._output(word, seen)
        last = value + self._moves[:, :, edge]
        before, now = np.unravel_index(int(last.argmax()), last.shape)
        found = [int(now)]
        for best in reversed(back[1:]):
            found.append(int(before))
            before, now = best[before, now], before
        return [self.labels[state] for state in reversed(found)]

    def _output(self, word: str, seen: str) -> NDArray[np.float64]:
        """The logarithm of how much oftener than usual each state puts out a word."""
        found = self._known.get((word, seen))
        if found is None:
            rough = np.array(self._model.looks.get(seen.partition("/")[0], ()) or self._prior, np.float64) + 0.01
            fine = np.array(self._model.looks.get(seen, ()) or np.zeros(len(self.labels)), np.float64)
            by_looks = fine + _PRIOR * rough / rough.sum()
            counted = np.array(self._model.words.get(word, ()) or np.zeros(len(self.labels)), np.float64)
            share = counted.sum() / (counted.sum() + 1.0)
            chance = (1 - share) * by_looks / by_looks.sum() + (share * counted / counted.sum() if share else 0.0)
            found = self._known[word, seen] = np.log((chance + _TINY) / (self._prior / self._prior.sum()))
        return found

    def walk(self, seed: int = 0) -> list[tuple[str, str]]:
        """A sentence that the model writes: at each step a state by the two before, then a word that it puts out."""
        draw = random.Random(seed)
        edge = len(self.labels)
        before, now = edge, edge
        found: list[tuple[str, str]] = []
        while len(found) < _LONGEST_WALK:
            chances = np.exp(self._moves[before, now])
            before, now = now, draw.choices(range(edge + 1), chances.tolist())[0]
            if now == edge:
                break
            words, counts = self._outputs[now]
            found.append((draw.choices(words, counts)[0], self.labels[now]))
        return found

    @cached_property
    def _outputs(self) -> list[tuple[list[str], list[int]]]:
        """The words that each state puts out, with their counts."""
        found: list[tuple[list[str], list[int]]] = [([], []) for _ in self.labels]
        for word, row in self._model.words.items():
            for place, count in enumerate(row):
                if count:
                    found[place][0].append(word)
                    found[place][1].append(count)
        return found


def _interpolated(model: MarkovModel, states: Sequence[str]) -> NDArray[np.float64]:
    """Logarithms of moves: state before the last, last, next. No name goes on with another kind."""
    size = len(states)
    place = {state: number for number, state in enumerate(states)}
    pairs, triples = np.zeros((size, size)), np.zeros((size, size, size))
    for key, count in model.pairs.items():
        first, second = (place[name] for name in key.split(" "))
        pairs[first, second] = count
    for key, count in model.triples.items():
        first, second, third = (place[name] for name in key.split(" "))
        triples[first, second, third] = count
    one = pairs.sum(axis=0) / pairs.sum()
    two = pairs / np.maximum(pairs.sum(axis=1, keepdims=True), 1)
    three = triples / np.maximum(triples.sum(axis=2, keepdims=True), 1)
    share = _shares(pairs, triples)
    moves = np.log(share[0] * one + share[1] * two[None] + share[2] * three + 1e-9)
    for after, name in enumerate(states):
        for last, before in enumerate(states):
            if name[0] == "I" and before[1:] != name[1:]:
                moves[:, last, after] = -math.inf
    floored: NDArray[np.float64] = np.maximum(moves, -50.0)
    return floored


def _shares(pairs: NDArray[np.float64], triples: NDArray[np.float64]) -> NDArray[np.float64]:
    """How much one, two and three states are trusted: by which of them tells best a move that is left out once."""
    share = np.zeros(3)
    total, columns, rows, doubles = pairs.sum(), pairs.sum(axis=0), pairs.sum(axis=1), triples.sum(axis=2)
    for first, second, third in zip(*np.nonzero(triples), strict=True):
        count = triples[first, second, third]
        told = [
            (columns[third] - 1) / max(total - 1, 1),
            (pairs[second, third] - 1) / max(rows[second] - 1, 1),
            (count - 1) / max(doubles[first, second] - 1, 1),
        ]
        share[int(np.argmax(told))] += count
    found: NDArray[np.float64] = share / share.sum()
    return found
