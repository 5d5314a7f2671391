"""Names by a log-linear sequence model: a word is described and weighed once, the rest is sums of known rows.

Only stretches with capital letters are decoded: words far from any are no names for the model, so that ordinary prose costs
little. Sentences of another case than usual come restored (`restored_case`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.entities.decoding import IMPOSSIBLE, Floats, best_sequences, constrained, probabilities
from trasmallo.study.entities.model_files import SequenceModel
from trasmallo.study.entities.name_lists import fold
from trasmallo.study.entities.word_features import EDGE, OFFSETS, Common, combined, describe, listed, opening

_MOST_WORDS = 100_000
"""Words with their place and category that are remembered. Judgement: with their scores some 60 MB."""
_MOST_WINDOWS = 200_000
_AFTER, _BEFORE = 5, 2
"""How far after and before a capital letter words are decoded. Judgement: names have no longer stretches of small letters."""
_LONGEST = 200
"""Words of a stretch that are decoded together; a longer one is cut, so that a page of capitals costs no square of its length."""
_AT_ONCE = 256
"""Stretches decoded together. Judgement: their arrays stay in the processor's cache."""
_EDGES = 2


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
        self._weights = raw.astype(np.float32) * np.float32(model.scale)
        self._transitions = constrained(np.array(model.transitions, np.float32), model.labels)
        self._outside = model.labels.index("O")
        self._lock = RLock()
        self._forget()

    def _forget(self) -> None:
        self._numbers: dict[tuple[str, str, bool], int] = {}
        self._alone = np.zeros((4096, 1 + len(OFFSETS), len(self.labels)), np.float32)
        self._classes: list[tuple[str, str]] = []
        self._windows: dict[tuple[str, ...], Floats] = {}
        self._number((EDGE, "", False))

    def names(self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> list[list[LabelledName]]:
        """The names of sentences, whose words have these categories."""
        found: list[list[LabelledName]] = [[] for _ in sentences]
        with self._lock:
            if len(self._numbers) > _MOST_WORDS:
                self._forget()
            scored = [self._scores(words, of) for words, of in zip(sentences, tags, strict=True)]
            stretches = [one for number, words in enumerate(sentences) for one in _stretches(number, words)]
        stretches.sort(key=lambda one: one.end - one.start)
        for low in range(0, len(stretches), _AT_ONCE):
            for stretch, labels, sure in self._decode(stretches[low : low + _AT_ONCE], scored):
                found[stretch.sentence] += _spans(labels, sure, stretch.start, self.labels)
        return [sorted(one) for one in found]

    def _scores(self, words: Sequence[str], tags: Sequence[str]) -> Floats:
        """The scores of each word of a sentence without regard to labels around it."""
        start = opening(words)
        units = list(zip(words, tags, (place < start for place in range(len(words))), strict=True))
        numbers = [0] * _EDGES + [self._number(unit) for unit in units] + [0] * _EDGES
        line = np.array(numbers, np.int64)
        size = len(words)
        scores = self._alone[line[_EDGES : _EDGES + size], 0]
        for place, offset in enumerate(OFFSETS, 1):
            scores += self._alone[line[_EDGES + offset : _EDGES + offset + size], place]
        classes = [self._classes[number] for number in numbers]
        phrases = listed(words, [fold(word) for word in words])
        for place in _active(words):
            scores[place] += self._window(classes, place + _EDGES)
            if phrases[place]:
                scores[place] += self._weight(f"g={phrases[place]}")
        return scores

    def _number(self, unit: tuple[str, str, bool]) -> int:
        found = self._numbers.get(unit)
        if found is None:
            found = self._numbers[unit] = len(self._classes)
            described = describe(*unit, self._common)
            self._classes.append((described.look, described.meaning))
            if found >= len(self._alone):
                self._alone = np.concatenate([self._alone, np.zeros_like(self._alone)])
            self._alone[found, 0] = self._sum(described.own)
            for place, offset in enumerate(OFFSETS, 1):
                # What a word says to the one before it is that of the one after: offsets are seen from the word that is labelled.
                self._alone[found, place] = self._sum(f"{offset}{text}" for text in described.near)
        return found

    def _window(self, classes: list[tuple[str, str]], place: int) -> Floats:
        texts = combined(classes, place)
        known = self._windows.get(texts)
        if known is None:
            if len(self._windows) > _MOST_WINDOWS:
                self._windows.clear()
            known = self._windows[texts] = self._sum(texts)
        return known

    def _weight(self, text: str) -> Floats | float:
        row = self._rows.get(text)
        return self._weights[row] if row is not None else 0.0

    def _sum(self, texts: Sequence[str] | Iterator[str]) -> Floats:
        rows = [self._rows[text] for text in texts if text in self._rows]
        found: Floats = self._weights[rows].sum(axis=0)
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


def _stretches(number: int, words: Sequence[str]) -> Iterator[_Stretch]:
    """The runs of active places of a sentence, none longer than `_LONGEST`."""
    places = _active(words)
    if not len(places):
        return
    cuts = np.flatnonzero(np.diff(places) > 1) + 1
    for run in np.split(places, cuts):
        for low in range(int(run[0]), int(run[-1]) + 1, _LONGEST):
            yield _Stretch(number, low, min(low + _LONGEST, int(run[-1]) + 1), len(words))


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
