"""Names by a log-linear sequence model: a word is described and weighed once, the rest is sums of known rows.

Only stretches with capital letters are decoded: words far from any are no names for the model, so that ordinary prose costs
little. All sentences of a text lie in one line, so that sums are made of all of them at once. Sentences of another case than
usual come restored (`restored_case`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from threading import RLock
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.entities.class_windows import ClassWindows
from trasmallo.study.entities.decoding import IMPOSSIBLE, Floats, best_sequences, constrained, probabilities
from trasmallo.study.entities.growing_rows import GrowingRows
from trasmallo.study.entities.model_files import SequenceModel
from trasmallo.study.entities.word_features import EDGE, OFFSETS, REACH, Common, Description, describe, listed_names, opening
from trasmallo.study.interned_forms import Vocabulary
from trasmallo.values.arrays import Whole

_MOST_WORDS = 100_000
"""Words with their place and category that are remembered. Judgement: with their scores some 60 MB."""
_MOST_WINDOWS = 50_000
"""Windows that are remembered. Judgement: some 10 MB; two in three of a page are new however many are known."""
_AFTER, _BEFORE = 4, 1
"""How far after and before a capital letter words are decoded. Judgement: names have no longer stretches of small letters."""
_LONGEST = 200
"""Words of a stretch that are decoded together; a longer one is cut. Judgement: no name is that long."""
_AT_ONCE = 256
"""Stretches decoded together. Judgement: their arrays stay in the processor's cache."""
_APART = max(_AFTER, _BEFORE, REACH)
"""Places between two sentences of a line: from none of them is another within reach."""
_NOTHING = -1
"""The last row of the weights, which are zeros there."""
_WORD_SHIFT = 24
"""Room for the category of a word and for whether it opens its sentence, in the number that stands for all three."""


class LabelledName(NamedTuple):
    """A name found by a model: its words in the sentence, its kind, and its probability."""

    start: int
    end: int
    kind: str
    score: float


class _Stretch(NamedTuple):
    """A part of a sentence of so many words that is decoded; its scores begin at a row."""

    sentence: int
    start: int
    end: int
    length: int
    row: int


class _Line(NamedTuple):
    """Sentences one after the other with gaps between them: their words, where each begins, and the places to be decoded."""

    words: list[str]
    starts: list[int]
    inside: NDArray[np.bool_]
    active: NDArray[np.int64]

    @classmethod
    def of(cls, sentences: Sequence[Sequence[str]]) -> _Line:
        """A line of sentences; the places near a capital letter are active."""
        gap, words, starts = [""] * _APART, [""] * _APART, []
        for sentence in sentences:
            starts.append(len(words))
            words += sentence
            words += gap
        inside = np.fromiter(map(bool, words), np.bool_, len(words))
        capital = np.fromiter((word != word.lower() for word in words), np.bool_, len(words))
        near = _widened(capital, before=_BEFORE, after=_AFTER)
        return cls(words, starts, inside, np.flatnonzero(near & inside))

    def needed(self) -> list[int]:
        """The places that active ones look at."""
        near = np.zeros(len(self.words), np.bool_)
        near[self.active] = True
        return np.flatnonzero(_widened(near, before=REACH, after=REACH) & self.inside).tolist()

    def stretches(self, sentences: Sequence[Sequence[str]]) -> Iterator[_Stretch]:
        """The runs of active places, none longer than `_LONGEST`."""
        if not len(self.active):
            return
        cuts = np.flatnonzero(np.diff(self.active) > 1) + 1
        rows = np.insert(cuts, 0, 0)
        ends = self.active[np.append(cuts, len(self.active)) - 1] + 1
        numbers = np.searchsorted(self.starts, self.active[rows], side="right") - 1
        firsts = self.active[rows].tolist()
        for row, first, end, number in zip(rows.tolist(), firsts, ends.tolist(), numbers.tolist(), strict=True):
            begin, size = first - self.starts[number], len(sentences[number])
            for low in range(0, end - first, _LONGEST):
                past = min(low + _LONGEST, end - first)
                yield _Stretch(number, begin + low, begin + past, size, row + low)


class SequenceTagger:
    """A sequence model ready to use; remembers the words it has met. May be called from several threads."""

    def __init__(self, model: SequenceModel, common: Common) -> None:
        self.labels = model.labels
        self._common = common
        self._rows = dict(zip(model.attributes, range(len(model.attributes)), strict=True))
        self._near = _near_rows(self._rows)
        raw = np.frombuffer(model.weights, np.int8).reshape(-1, len(model.labels))
        weights = raw.astype(np.float32) * np.float32(model.scale)
        self._weights = np.concatenate([weights, np.zeros((1, len(model.labels)), np.float32)])
        self._transitions = constrained(np.array(model.transitions, np.float32), model.labels)
        self._outside = model.labels.index("O")
        self._continues = np.flatnonzero([label[0] == "I" for label in model.labels])
        self._lock = RLock()
        self._forget()

    def _forget(self) -> None:
        self._words, self._categories = Vocabulary(), Vocabulary()
        self._numbers: dict[int, int] = {}
        self._alone = GrowingRows((1 + len(OFFSETS), len(self.labels)), np.float32)
        self._class_of, self._meaning_of = GrowingRows((), np.int64), GrowingRows((), np.int64)
        self._near_groups: dict[tuple[str, ...], list[list[int]]] = {}
        self._windows = ClassWindows(lambda text: self._rows.get(text, _NOTHING), self._sums, len(self.labels))
        self._meet(self._keys([EDGE], [""]).tolist())

    def names(self, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> list[list[LabelledName]]:
        """The names of sentences, whose words have these categories."""
        found: list[list[LabelledName]] = [[] for _ in sentences]
        line = _Line.of(sentences)
        with self._lock:
            if len(self._numbers) > _MOST_WORDS:
                self._forget()
            if len(self._windows) > _MOST_WINDOWS:
                self._windows.forget()
            scored = self._scores(line, sentences, tags)
        stretches = sorted(line.stretches(sentences), key=lambda one: one.end - one.start)
        for low in range(0, len(stretches), _AT_ONCE):
            for stretch, labels, sure in self._decode(stretches[low : low + _AT_ONCE], scored):
                found[stretch.sentence] += _spans(labels, sure, stretch.start, self.labels)
        return [sorted(one) for one in found]

    def _scores(self, line: _Line, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> Floats:
        """The scores of each active word without regard to labels around it."""
        numbers, active = self._numbered(line, sentences, tags), line.active
        scores: Floats = self._alone.array[numbers[active], 0]
        for place, offset in enumerate(OFFSETS, 1):
            scores += self._alone.array[numbers[active + offset], place]
        scores += self._windows.scores(self._class_of.array[numbers], self._meaning_of.array[numbers], active)
        self._add_listed(scores, line, sentences)
        return scores

    def _numbered(self, line: _Line, sentences: Sequence[Sequence[str]], tags: Sequence[Sequence[str]]) -> NDArray[np.int64]:
        """The numbers of the words that active ones look at; between sentences stands the edge, whose number is 0."""
        gap: list[str] = [""] * _APART
        categories = list(chain(gap, *(part for of in tags for part in (of, gap))))
        first = bytearray(len(line.words))
        for start, words in zip(line.starts, sentences, strict=True):
            size = min(opening(words), len(words))
            first[start : start + size] = bytes([1]) * size
        places = line.needed()
        keys = self._keys([line.words[place] for place in places], [categories[place] for place in places])
        keys += np.frombuffer(first, np.uint8)[places]
        asked = keys.tolist()
        known = list(map(self._numbers.get, asked))
        if None in known:
            self._meet([key for key, number in dict(zip(asked, known, strict=True)).items() if number is None])
            known = list(map(self._numbers.get, asked))
        numbers = np.zeros(len(line.words), np.int64)
        numbers[places] = known  # type: ignore[assignment]
        return numbers

    def _keys(self, words: Sequence[str], categories: Sequence[str]) -> Whole:
        """Words and their categories as one number each, with room for whether they open their sentence."""
        several = ((self._words, words), (self._categories, categories))
        word, category = (np.fromiter(map(known.__getitem__, of), np.int64, len(of)) for known, of in several)
        return (word << _WORD_SHIFT) + (category << 1)

    def _add_listed(self, scores: Floats, line: _Line, sentences: Sequence[Sequence[str]]) -> None:
        """Add what lists of names of several words say; these begin with a capital and are short, so that all are active."""
        for start, words in zip(line.starts, sentences, strict=True):
            for begin, end, letters in listed_names(words):
                first = int(np.searchsorted(line.active, start + begin))
                for place in range(end - begin):
                    row = self._rows.get(f"g={'I' if place else 'B'}{letters}", _NOTHING)
                    scores[first + place] += self._weights[row]

    def _meet(self, keys: Sequence[int]) -> None:
        """Describe new words and weigh what does not depend on their places, all together."""
        described = [describe(*self._unit(key), self._common) for key in keys]
        self._numbers.update(zip(keys, range(len(self._numbers), len(self._numbers) + len(keys)), strict=True))
        self._class_of.add(np.array([self._windows.class_of(one.look, one.meaning) for one in described]))
        self._meaning_of.add(np.array([self._windows.class_of("", one.meaning) for one in described]))
        groups = [group for one in described for group in self._weighed(one)]
        bounds = np.cumsum([0, *(len(group) for group in groups[:-1])])
        rows = np.fromiter(chain.from_iterable(groups), np.int64)
        self._alone.add(self._sums(rows, bounds).reshape(len(keys), 1 + len(OFFSETS), -1))

    def _unit(self, key: int) -> tuple[str, str, bool]:
        """The word, category, and whether it opens its sentence, that a key stands for."""
        word, rest = divmod(key, 1 << _WORD_SHIFT)
        return self._words.words[word], self._categories.words[rest >> 1], bool(rest & 1)

    def _weighed(self, one: Description) -> Iterator[list[int]]:
        """The rows of weights that a word asks for by itself, and those for its neighbours by their offsets."""
        yield [_NOTHING, *(row for row in map(self._rows.get, one.own) if row is not None)]
        word, *others = one.near
        own = self._near.get(word)
        for place, rows in enumerate(self._said_near(tuple(others))):
            yield rows if own is None or own[place] == _NOTHING else [_NOTHING, own[place], *rows[1:]]

    def _said_near(self, texts: tuple[str, ...]) -> list[list[int]]:
        """The rows that texts ask for at each of `OFFSETS`; few combinations are met."""
        found = self._near_groups.get(texts)
        if found is None:
            known = [rows for text in texts if (rows := self._near.get(text)) is not None]
            places = range(len(OFFSETS))
            found = [[_NOTHING, *(rows[place] for rows in known if rows[place] != _NOTHING)] for place in places]
            self._near_groups[texts] = found
        return found

    def _sums(self, rows: Whole, bounds: Whole) -> Floats:
        """The sums of rows of weights, one for each group, which begin at the bounds."""
        found: Floats = np.add.reduceat(self._weights[rows], bounds, axis=0)
        return found

    def _decode(self, stretches: Sequence[_Stretch], scored: Floats) -> Iterator[tuple[_Stretch, list[int], list[float]]]:
        """The labels of stretches of about the same length that have a name, with their probabilities."""
        starts = np.array([one.start for one in stretches], np.int64)
        ends = np.array([one.end for one in stretches], np.int64)
        lengths = ends - starts
        scores = np.zeros((len(stretches), int(lengths.max()), len(self.labels)), np.float32)
        there = np.arange(scores.shape[1]) < lengths[:, None]
        rows = np.array([one.row for one in stretches], np.int64)
        scores[there] = scored[(rows[:, None] + np.arange(scores.shape[1]))[there]]
        scores[starts > 0, 0] += self._transitions[self._outside]
        scores[np.flatnonzero(starts == 0)[:, None], 0, self._continues] = IMPOSSIBLE
        goes_on = np.flatnonzero(ends < np.array([one.length for one in stretches], np.int64))
        scores[goes_on, lengths[goes_on] - 1] += self._transitions[:, self._outside]
        labels = best_sequences(scores, lengths, self._transitions)
        sure = np.take_along_axis(probabilities(scores, lengths, self._transitions), labels[:, :, None], 2)[:, :, 0]
        for row in np.flatnonzero(((labels != self._outside) & there).any(axis=1)).tolist():
            size = int(lengths[row])
            yield stretches[row], labels[row, :size].tolist(), sure[row, :size].tolist()


def _near_rows(rows: Mapping[str, int]) -> dict[str, list[int]]:
    """The rows of what words tell their neighbours, one for each of `OFFSETS`: most texts are in no model at any of them."""
    found: dict[str, list[int]] = {}
    for name, row in rows.items():
        for place, offset in enumerate(OFFSETS):
            if name.startswith(str(offset)):
                found.setdefault(name.removeprefix(str(offset)), [_NOTHING] * len(OFFSETS))[place] = row
    return found


def _widened(places: NDArray[np.bool_], *, before: int, after: int) -> NDArray[np.bool_]:
    """Places with those up to so many before and after them."""
    near = places.copy()
    for step in range(1, after + 1):
        near[step:] |= places[:-step]
    for step in range(1, before + 1):
        near[:-step] |= places[step:]
    return near


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
