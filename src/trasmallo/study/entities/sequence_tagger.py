"""Names by a log-linear sequence model: a word is described and weighed once, the rest is sums of known rows.

Only stretches with capital letters are decoded: words far from any are no names for the model, so that ordinary prose costs
little. Sentences of another case than usual come restored (`restored_case`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.entities.decoding import IMPOSSIBLE, Floats, best_sequences, constrained, probabilities
from trasmallo.study.entities.model_files import SequenceModel
from trasmallo.study.entities.word_features import EDGE, OFFSETS, Common, combined, describe, listed, opening

_MOST_WORDS = 100_000
"""Words with their place and category that are remembered. Judgement: with their scores some 60 MB."""
_MOST_WINDOWS = 200_000  # judgement: some 20 MB
_AFTER, _BEFORE = 4, 1
"""How far after and before a capital letter words are decoded. Judgement: names have no longer stretches of small letters."""
_LONGEST = 200
"""Words of a stretch that are decoded together; a longer one is cut. Judgement: no name is that long."""
_AT_ONCE = 256
"""Stretches decoded together. Judgement: their arrays stay in the processor's cache."""
_EDGES = 2  # as far as `OFFSETS` reach
_Unit = tuple[str, str, bool]
"""A word, its category in context, and whether it opens its sentence."""


class LabelledName(NamedTuple):
    """A name found by a model: its words in the sentence, its kind, and its probability."""

    start: int
    end: int
    kind: str
    score: float


class _Stretch(NamedTuple):
    sentence: int
    start: int
    end: int
    length: int


class SequenceTagger:
    """A sequence model ready to use; remembers the words it has met. May be called from several threads."""

    def __init__(self, model: SequenceModel, common: Common) -> None:
        self.labels = model.labels
        self._common = common
        self._rows = dict(zip(model.attributes, range(len(model.attributes)), strict=True))
        raw = np.frombuffer(model.weights, np.int8).reshape(-1, len(model.labels))
        weights = raw.astype(np.float32) * np.float32(model.scale)
        self._weights = np.concatenate([weights, np.zeros((1, len(model.labels)), np.float32)])
        self._transitions = constrained(np.array(model.transitions, np.float32), model.labels)
        self._outside = model.labels.index("O")
        self._lock = RLock()
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[_Unit, int] = {}
        self._alone = np.zeros((0, 1 + len(OFFSETS), len(self.labels)), np.float32)
        self._classes: list[tuple[str, str]] = []
        self._class_numbers: dict[tuple[str, str], int] = {}
        self._class_of: list[int] = []
        self._windows: dict[tuple[int, ...], int] = {}
        self._window_scores = np.zeros((0, len(self.labels)), np.float32)
        self._meet([(EDGE, "", False)])

    def names(self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> list[list[LabelledName]]:
        """The names of sentences, whose words have these categories."""
        found: list[list[LabelledName]] = [[] for _ in sentences]
        active = [_active(words) for words in sentences]
        with self._lock:
            if len(self._numbers) > _MOST_WORDS or len(self._windows) > _MOST_WINDOWS:
                self._forget()
            scored = self._scores(sentences, tags, active)
        stretches = [one for number, words in enumerate(sentences) for one in _stretches(number, len(words), active[number])]
        stretches.sort(key=lambda one: one.end - one.start)
        for low in range(0, len(stretches), _AT_ONCE):
            for stretch, labels, sure in self._decode(stretches[low : low + _AT_ONCE], scored):
                found[stretch.sentence] += _spans(labels, sure, stretch.start, self.labels)
        return [sorted(one) for one in found]

    def _scores(
        self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]], active: Sequence[NDArray[np.int64]]
    ) -> list[Floats]:
        """The scores of each word of each sentence without regard to labels around it."""
        units = [_units(words, of) for words, of in zip(sentences, tags, strict=True)]
        self._meet([unit for unit in dict.fromkeys(unit for of in units for unit in of) if unit not in self._numbers])
        edge = [0] * _EDGES
        lines = [[*edge, *map(self._numbers.__getitem__, of), *edge] for of in units]
        keys = [_keys(list(map(self._class_of.__getitem__, line)), places) for line, places in zip(lines, active, strict=True)]
        self._see([key for key in dict.fromkeys(key for of in keys for key in of) if key not in self._windows])
        return [self._of_sentence(*one) for one in zip(sentences, lines, active, keys, strict=True)]

    def _of_sentence(
        self, words: Sequence[str], numbers: list[int], active: NDArray[np.int64], keys: list[tuple[int, ...]]
    ) -> Floats:
        line, size = np.array(numbers, np.int64), len(words)
        scores: Floats = self._alone[line[_EDGES : _EDGES + size], 0]
        for place, offset in enumerate(OFFSETS, 1):
            scores += self._alone[line[_EDGES + offset : _EDGES + offset + size], place]
        if keys:
            scores[active] += self._window_scores[[self._windows[key] for key in keys]]
            for place, found in enumerate(listed(words)):
                if found:
                    scores[place] += self._weights[self._rows.get(f"g={found}", -1)]
        return scores

    def _meet(self, units: Sequence[_Unit]) -> None:
        """Describe new words and weigh what does not depend on their places, all together."""
        if not units:
            return
        described = [describe(*unit, self._common) for unit in units]
        for unit, one in zip(units, described, strict=True):
            self._numbers[unit] = len(self._class_of)
            classes = (one.look, one.meaning)
            if classes not in self._class_numbers:
                self._class_numbers[classes] = len(self._classes)
                self._classes.append(classes)
            self._class_of.append(self._class_numbers[classes])
        texts = [part for one in described for part in (one.own, *([f"{at}{text}" for text in one.near] for at in OFFSETS))]
        added = self._sums(texts).reshape(len(units), 1 + len(OFFSETS), -1)
        self._alone = np.concatenate([self._alone, added])

    def _see(self, keys: Sequence[tuple[int, ...]]) -> None:
        """Weigh what classes of neighbouring words say together, all new ones at once."""
        if keys:
            texts = [combined([self._classes[number] for number in key], _EDGES) for key in keys]
            self._windows.update(zip(keys, range(len(self._windows), len(self._windows) + len(keys)), strict=True))
            self._window_scores = np.concatenate([self._window_scores, self._sums(texts)])

    def _sums(self, several: Sequence[Sequence[str]]) -> Floats:
        """The sums of the weights of texts, a row for each group of them; the last row of the weights is nothing."""
        rows = self._rows
        groups = [[-1, *(rows[text] for text in texts if text in rows)] for texts in several]
        bounds = np.cumsum([0, *(len(group) for group in groups[:-1])])
        flat = np.fromiter(chain.from_iterable(groups), np.int64)
        found: Floats = np.add.reduceat(self._weights[flat], bounds, axis=0)
        return found

    def _decode(
        self, stretches: Sequence[_Stretch], scored: Sequence[Floats]
    ) -> Iterator[tuple[_Stretch, list[int], list[float]]]:
        """The labels of stretches of about the same length, with their probabilities."""
        lengths = np.array([one.end - one.start for one in stretches], np.int64)
        scores = np.zeros((len(stretches), int(lengths.max()), len(self.labels)), np.float32)
        for row, one in enumerate(stretches):
            scores[row, : one.end - one.start] = scored[one.sentence][one.start : one.end]
            if one.start:
                scores[row, 0] += self._transitions[self._outside]
            else:
                scores[row, 0, [label[0] == "I" for label in self.labels]] = IMPOSSIBLE
            if one.end < one.length:
                scores[row, one.end - one.start - 1] += self._transitions[:, self._outside]
        labels = best_sequences(scores, lengths, self._transitions)
        sure = np.take_along_axis(probabilities(scores, lengths, self._transitions), labels[:, :, None], 2)[:, :, 0]
        for row, one in enumerate(stretches):
            size = one.end - one.start
            yield one, labels[row, :size].tolist(), sure[row, :size].tolist()


def _active(words: Sequence[str]) -> NDArray[np.int64]:
    """The places near a capital letter."""
    capital = np.fromiter((word != word.lower() for word in words), np.bool_, len(words))
    near = capital.copy()
    for step in range(1, _AFTER + 1):
        near[step:] |= capital[:-step]
    for step in range(1, _BEFORE + 1):
        near[:-step] |= capital[step:]
    return np.flatnonzero(near)


def _units(words: Sequence[str], tags: Sequence[str]) -> list[_Unit]:
    start = opening(words)
    return list(zip(words, tags, (place < start for place in range(len(words))), strict=True))


def _keys(classes: list[int], active: NDArray[np.int64]) -> list[tuple[int, ...]]:
    """The classes of words at places and around them."""
    return [tuple(classes[place : place + 2 * _EDGES + 1]) for place in active.tolist()]


def _stretches(number: int, size: int, places: NDArray[np.int64]) -> Iterator[_Stretch]:
    """The runs of active places of a sentence, none longer than `_LONGEST`."""
    if not len(places):
        return
    cuts = np.flatnonzero(np.diff(places) > 1) + 1
    for run in np.split(places, cuts):
        for low in range(int(run[0]), int(run[-1]) + 1, _LONGEST):
            yield _Stretch(number, low, min(low + _LONGEST, int(run[-1]) + 1), size)


def _spans(labels: list[int], sure: list[float], start: int, names: tuple[str, ...]) -> Iterator[LabelledName]:
    """The names that labels mark; a name is as sure as its least sure word."""
    begin = -1
    for place, label in enumerate([*labels, names.index("O")]):
        text = names[label]
        if begin >= 0 and text[0] != "I":
            yield LabelledName(start + begin, start + place, names[labels[begin]][2:], min(sure[begin:place]))
            begin = -1
        if text[0] == "B" or (text[0] == "I" and begin < 0):
            begin = place
