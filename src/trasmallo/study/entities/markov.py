"""A hidden Markov model of names as textbooks draw it: states, moves between them, words that states put out.

Moves depend on the two states before (deleted interpolation of one, two and three states) and on the word before, as far as
that was seen in training (Witten and Bell); a state puts out a word by how often it did in training, a rare or new word by its
looks, and with the clues that stand around it. The best way through a sentence is Viterbi's. A model can also be walked at
random, which writes sentences. (Croft, Metzler and Strohman, Search Engines, 4.6; Brants, TnT, 2000.)
"""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.entities.model_files import MarkovModel
from trasmallo.study.entities.name_lists import fold, names
from trasmallo.study.entities.word_clues import clues
from trasmallo.study.entities.word_features import listed, look, opening

EDGE = "|"
"""The state before and after a sentence."""
_RARE = 5
"""Words seen no oftener teach what looks say."""
_LONGEST_WALK = 100  # judgement: words of a sentence
_TINY, _LEAST = 1e-6, 1e-9  # judgement: no word and no move is impossible
_TELLING = 2
"""Times that a word was met from which on it tells something of what follows it."""
_DOUBT = 3.0
"""How much the states seen after a word must be outnumbered by their occurrences to be trusted. Calibrated on two quarters of
CoNLL-2002's training text: 1 and 3 give the same; without words before, F1 is 2.4 less."""
_MOST_MOVES = 4096  # judgement: words whose moves are remembered, some 32 MB with nine labels
_MOST_CLUES = 65536  # judgement: clues that are remembered, some 10 MB
_CLUELESS = 0.1  # judgement: no state is unheard of with any kind of word
_IMPOSSIBLE = -50.0  # judgement: far below any sum of moves
_PRIOR = 2.0
"""How many words with its looks a state is supposed to have had where the finer looks were not seen. Judgement."""
_CLUE = 0.4
"""How far a clue counts: those of one word say much the same. Calibrated on a quarter of CoNLL-2002's training text: .3 and .5
give the same within .2, without clues F1 is 2.7 less."""
_OFTEN = 2
"""Times that a clue was met from which on it is kept."""
_UNSURE = 2.0
"""Words of usual states that are added to those that a clue was met with. 1 to 10 give the same within .2 on the same text."""


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
        small={word: count for word, count in small.items() if word.isalpha()}, after=_after(sentences),
        clues=_clues(sentences, columns),
    )  # fmt: skip


def _after(sentences: Sequence[Sequence[tuple[str, str]]]) -> dict[str, dict[str, int]]:
    """How often each word stood between two states: its own and the next."""
    found: dict[str, Counter[str]] = defaultdict(Counter)
    for sentence in sentences:
        for (word, label), following in zip(sentence, [*(label for _, label in sentence[1:]), EDGE], strict=True):
            found[word.lower()][f"{label} {following}"] += 1
    return {word: dict(counts) for word, counts in found.items() if counts.total() >= _TELLING}


def _clues(sentences: Sequence[Sequence[tuple[str, str]]], columns: dict[str, int]) -> dict[str, tuple[int, ...]]:
    """How often each clue was met with each state; behind a single letter those of all words that have clues of its kind."""
    found: dict[str, list[int]] = defaultdict(lambda: [0] * len(columns))
    for sentence in sentences:
        for (_, label), seen in zip(sentence, clues([word for word, _ in sentence]), strict=True):
            for clue in (seen[0][0], *seen):
                found[clue][columns[label]] += 1
    return {clue: tuple(row) for clue, row in found.items() if sum(row) >= _OFTEN}


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
        self._chances = _interpolated(model, self._states)
        self._impossible = _broken_names(self._states)
        self._moves = lru_cache(_MOST_MOVES)(self._moves_after)
        self._prior = np.array([sum(row) for row in zip(*model.words.values(), strict=True)], np.float64)
        self._known: dict[tuple[str, str], NDArray[np.float64]] = {}
        self._told = lru_cache(_MOST_CLUES)(self._told_by)

    def label(self, words: Sequence[str]) -> list[str]:
        """The states of the most probable way through a sentence."""
        if not words:
            return []
        size, edge = len(self.labels), len(self.labels)
        value = np.full((size + 1, size + 1), -np.inf)
        value[edge, edge] = 0.0
        back = []
        outputs = map(self._output, words, _looks(words, self._model.small), clues(words))
        for previous, output in zip(["", *words[:-1]], outputs, strict=True):
            ways = value[:, :, None] + self._moves(previous.lower())[:, :, :size]
            best = ways.argmax(axis=0)
            back.append(best)
            value = np.full((size + 1, size + 1), -np.inf)
            value[:, :size] = np.take_along_axis(ways, best[None], 0)[0] + output
        last = value + self._moves(words[-1].lower())[:, :, edge]
        before, now = np.unravel_index(int(last.argmax()), last.shape)
        found = [int(now)]
        for best in reversed(back[1:]):
            found.append(int(before))
            before, now = best[before, now], before
        return [self.labels[state] for state in reversed(found)]

    def _moves_after(self, word: str) -> NDArray[np.float64]:
        """Logarithms of moves behind a word: state before its own, its own, next. No name goes on with another kind."""
        size = len(self._states)
        counts = np.zeros((size, size))
        for key, count in self._model.after.get(word, {}).items():
            counts[tuple(self._states.index(state) for state in key.split(" "))] = count
        seen, kinds = counts.sum(axis=1, keepdims=True), (counts > 0).sum(axis=1, keepdims=True)
        share = seen / np.maximum(seen + _DOUBT * kinds, 1)
        chances = (1 - share) * self._chances + share * counts / np.maximum(seen, 1)
        found: NDArray[np.float64] = np.where(self._impossible, _IMPOSSIBLE, np.log(np.maximum(chances, _LEAST)))
        return found

    def _output(self, word: str, seen: str, told: Sequence[str]) -> NDArray[np.float64]:
        """The logarithm of how much oftener than usual each state puts out a word with its clues."""
        found = self._known.get((word, seen))
        if found is None:
            found = self._known[word, seen] = self._alone(word, seen)
        return found + sum((self._told(clue, told[0][0]) for clue in told), np.zeros(len(self.labels)))

    def _alone(self, word: str, seen: str) -> NDArray[np.float64]:
        """The same of a word by itself."""
        rough = np.array(self._model.looks.get(seen.partition("/")[0], ()) or self._prior, np.float64) + 0.01
        fine = np.array(self._model.looks.get(seen, ()) or np.zeros(len(self.labels)), np.float64)
        by_looks = fine + _PRIOR * rough / rough.sum()
        counted = np.array(self._model.words.get(word, ()) or np.zeros(len(self.labels)), np.float64)
        share = counted.sum() / (counted.sum() + 1.0)
        chance = (1 - share) * by_looks / by_looks.sum() + (share * counted / counted.sum() if share else 0.0)
        found: NDArray[np.float64] = np.log((chance + _TINY) / (self._prior / self._prior.sum()))
        return found

    def _told_by(self, clue: str, kind: str) -> NDArray[np.float64]:
        """What a clue adds to the output of each state, beside words of its kind; nothing where it was not met."""
        row = self._model.clues.get(clue)
        if row is None:
            return np.zeros(len(self.labels))
        usual = np.array(self._model.clues[kind], np.float64) + _CLUELESS
        usual /= usual.sum()
        found: NDArray[np.float64] = _CLUE * np.log((np.array(row) + _UNSURE * usual) / (sum(row) + _UNSURE) / usual)
        return found

    def walk(self, seed: int = 0) -> list[tuple[str, str]]:
        """A sentence that the model writes: at each step a state by the two before, then a word that it puts out."""
        draw = random.Random(seed)
        edge = len(self.labels)
        before, now = edge, edge
        found: list[tuple[str, str]] = []
        while len(found) < _LONGEST_WALK:
            chances = np.exp(self._moves(found[-1][0].lower() if found else "")[before, now])
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
    """Chances of moves: state before the last, last, next."""
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
    found: NDArray[np.float64] = share[0] * one + share[1] * two[None] + share[2] * three + _LEAST
    return found


def _broken_names(states: Sequence[str]) -> NDArray[np.bool_]:
    """Which moves from one state to the next go on with a name of another kind."""
    return np.array([[after[0] == "I" and before[1:] != after[1:] for after in states] for before in states])


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
