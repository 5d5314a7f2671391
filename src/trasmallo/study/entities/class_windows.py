"""Windows of words: what the classes of a word and of its two neighbours on either side say together to a sequence model.

Windows hardly repeat, but what they are put together from does: the weights of each combination are looked up once, and those
of new windows are added up all together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from trasmallo.study.entities.growing_rows import GrowingRows
from trasmallo.study.entities.word_features import REACH, TEMPLATES
from trasmallo.study.interned_forms import Vocabulary
from trasmallo.values.arrays import Whole

Floats = NDArray[np.float32]
_BITS = 21
"""Room for the number of a look or meaning: more than there are words in a text, and three of them are one number."""
_WIDTH = 2 * REACH + 1
_MISSING = -1  # as an index the last row of the weights, which are zeros there


class ClassWindows:
    """The windows met so far. `row_of` tells the row of weights of a text, and `sums` adds those of groups of rows."""

    def __init__(self, row_of: Callable[[str], int], sums: Callable[[Whole, Whole], Floats], labels: int) -> None:
        self._row_of, self._sums, self._labels = row_of, sums, labels
        self._halves = (Vocabulary(), Vocabulary())
        self._classes: dict[tuple[str, str], int] = {}
        self._halves_of = GrowingRows((2,), np.int64)
        self.forget()

    def forget(self) -> None:
        """Weigh every window anew from now on; classes keep their numbers."""
        self._numbers: dict[bytes, int] = {}
        self._scores = GrowingRows((self._labels,), np.float32)
        self._rows: tuple[dict[int, int], ...] = tuple({} for _ in TEMPLATES)

    def __len__(self) -> int:
        return len(self._numbers)

    def class_of(self, look: str, meaning: str) -> int:
        """The number of a class; one that nobody looks at the look of may have none."""
        number = self._classes.get((look, meaning))
        if number is None:
            number = self._classes[look, meaning] = len(self._classes)
            looks, meanings = self._halves
            self._halves_of.add(np.array([[looks[look], meanings[meaning]]]))
        return number

    def scores(self, inner: Whole, outer: Whole, places: Whole) -> Floats:
        """The scores of places of a line whose words have these classes; `outer` are those of the meanings alone."""
        windows = np.empty((len(places), _WIDTH), np.int32)
        for column, offset in enumerate(range(-REACH, REACH + 1)):
            windows[:, column] = (outer if abs(offset) == REACH else inner)[places + offset]
        keys: list[bytes] = windows.view(f"V{windows.itemsize * _WIDTH}").ravel().tolist()
        known = list(map(self._numbers.get, keys))
        if None in known:
            self._meet([key for key, number in dict(zip(keys, known, strict=True)).items() if number is None])
            known = list(map(self._numbers.get, keys))
        found: Floats = self._scores.array[known]  # type: ignore[index]
        return found

    def _meet(self, keys: Sequence[bytes]) -> None:
        """Weigh new windows, all at once."""
        windows = np.frombuffer(b"".join(keys), np.int32).reshape(-1, _WIDTH)
        rows = np.full((len(keys), 1 + len(TEMPLATES)), _MISSING)
        halves = self._halves_of.array[windows]
        for template in range(len(TEMPLATES)):
            rows[:, 1 + template] = self._rows_of(template, halves)
        asked = rows != _MISSING
        asked[:, 0] = True  # a group is never empty: it begins with the row of zeros, which is the last one
        self._numbers.update(zip(keys, range(len(self._numbers), len(self._numbers) + len(keys)), strict=True))
        self._scores.add(self._sums(rows[asked], np.cumsum(asked.sum(axis=1)) - asked.sum(axis=1)))

    def _rows_of(self, template: int, halves: Whole) -> list[int]:
        """The rows of weights that windows ask for by a template."""
        columns = [halves[:, REACH + offset, half] for offset, half in TEMPLATES[template].parts]
        combined = columns[0]
        for column in columns[1:]:
            combined = (combined << _BITS) | column
        keys, known = combined.tolist(), self._rows[template]
        for place in [place for place, key in enumerate(keys) if key not in known]:
            texts = (
                self._halves[half].words[column[place]]
                for (_, half), column in zip(TEMPLATES[template].parts, columns, strict=True)
            )
            known[keys[place]] = self._row_of(TEMPLATES[template].text(texts))
        return list(map(known.__getitem__, keys))
