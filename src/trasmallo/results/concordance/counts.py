"""Tables made of hits: how often each value stands at a point, what stands around, and where hits are.

Each takes hits as they come by. Memory: a dictionary of the different values (a million at most), or 8 bytes for each string
of an attribute or for each document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.results.concordance.points import Point, Points
from trasmallo.store.tokens import SENTENCE, Corpus
from trasmallo.study.association import ContingencyTable, Measures, measure
from trasmallo.study.grouping import group
from trasmallo.study.query.hits import QueryHits
from trasmallo.values.arrays import Whole
from trasmallo.values.errors import UsageError

MOST_VALUES = 1_000_000  # judgement: some 100 MB of texts and counts
MEASURES = Measures._fields
Period = Literal["document", "site", "language", "year", "month", "week", "day"]

_NO_WORDS = ("PUNCT", "punctuation")
_TOGETHER = 100_000  # judgement: hits whose windows are counted together, some 10 MB


class Value(msgspec.Struct, frozen=True):
    """Values at some points, how many hits have them, and which share that is."""

    values: tuple[str, ...]
    count: int
    share: float


class HitCounts(msgspec.Struct, frozen=True):
    """The values that hits of a query have at some points, from frequent to rare."""

    query: str
    points: tuple[str, ...]
    rows: tuple[Value, ...]


class Collocate(msgspec.Struct, frozen=True):
    """What stands near hits: how often there (`count`) and in all; see `study.association` for the measures."""

    value: str
    count: int
    total: int
    log_likelihood: float
    mi: float
    mi3: float
    t: float
    log_dice: float
    delta_p: float
    delta_p_back: float


class Part(msgspec.Struct, frozen=True):
    """A part of the corpus: its hits, the documents that have some, its tokens, and hits in a million of them."""

    part: str
    count: int
    documents: int
    tokens: int
    per_million: float


class Breakdown:
    """How often each combination of values occurs."""

    def __init__(self, corpus: Corpus, names: Sequence[str], points: Sequence[Point]) -> None:
        self._strings = [corpus.strings(point.column) for point in points]
        self._points, self._found = points, Points(corpus, names)
        self._counts: dict[tuple[tuple[int, ...], ...], int] = {}

    def add(self, hits: QueryHits) -> None:
        """The next hits."""
        columns = [self._found.numbers(point, hits) for point in self._points]
        groups = group([column for several in columns for column in several])
        rows = [np.stack([column[groups.first] for column in several], axis=1).tolist() for several in columns]
        for number, key in zip(groups.counts.tolist(), zip(*rows, strict=True), strict=True):
            plain = tuple(tuple(one for one in several if one >= 0) for several in key)
            self._counts[plain] = self._counts.get(plain, 0) + number
        if len(self._counts) > MOST_VALUES:
            raise UsageError(
                "there are more than {most_values:,} different values",
                "name fewer tokens, or take a --sample",
                most_values=MOST_VALUES,
            )

    def rows(self) -> Iterator[Value]:
        """From frequent to rare."""
        total = sum(self._counts.values())
        for key, count in sorted(self._counts.items(), key=lambda pair: (-pair[1], pair[0])):
            values = (" ".join(strings.texts(numbers)) for strings, numbers in zip(self._strings, key, strict=True))
            yield Value(tuple(values), count, count / total)


class CollocateWindow(msgspec.Struct, frozen=True):
    """Tokens on each side of a hit that count, inside its sentence.

    `least` is the smallest number of co-occurrences that is told, `measure` what collocates are sorted by; with `content` the
    function words of the language are not told. They count all the same.
    """

    left: int = 5
    right: int = 5
    least: int = 3
    measure: str = "log_dice"
    content: bool = False


class Collocates:
    """What stands around hits, against the whole corpus: the slots of the windows are R1, its tokens N; punctuation is none.

    A token in the windows of two hits counts once, one inside a hit never (Evert's surface co-occurrence, 2008).
    """

    def __init__(self, corpus: Corpus, column: str, window: CollocateWindow) -> None:
        self._corpus, self._column, self._window = corpus, column, window
        names = corpus.categories.texts(range(len(corpus.categories)))
        self._word = np.array([name not in _NO_WORDS for name in names], dtype=np.bool_)
        self._joint = np.zeros(len(corpus.strings(column)), dtype=np.int64)

    def add(self, hits: QueryHits) -> None:
        """The next hits."""
        documents = self._corpus.documents.holding(hits.first)
        ends = np.flatnonzero(np.diff(documents, append=-1)) + 1
        cuts = np.unique([0, *ends[np.searchsorted(ends, range(_TOGETHER, len(hits), _TOGETHER))].tolist(), len(hits)])
        for low, high in zip(cuts[:-1].tolist(), cuts[1:].tolist(), strict=True):
            slots = self._slots(hits.only(slice(low, high)), documents[low:high])
            types = self._corpus.types(slots[self._word[self._corpus.category[slots]]])
            self._joint += np.bincount(self._corpus.type_of(self._column)[types], minlength=len(self._joint))

    def _slots(self, hits: QueryHits, documents: Whole) -> Whole:
        """The tokens in the windows, each once and none that is in a hit."""
        bounds, flags = self._corpus.documents.bounds, self._corpus.flags
        low, high = bounds[documents], bounds[documents + 1]
        found = [np.zeros(0, dtype=np.int64)]
        at = hits.first
        for _ in range(self._window.left):
            going = (at > low) & ((flags[at] & SENTENCE) == 0)
            at, low = at[going] - 1, low[going]
            found.append(at)
        at = hits.first + hits.length - 1
        for _ in range(self._window.right):
            going = at + 1 < high
            going[going] = (flags[at[going] + 1] & SENTENCE) == 0
            at, high = at[going] + 1, high[going]
            found.append(at)
        around = _different(np.concatenate(found))
        return around[~_covered(around, hits)]

    def rows(self) -> Iterator[Collocate]:
        """From strong to weak."""
        types = self._corpus.counts * self._word[self._corpus.type_of("category")]
        totals = np.bincount(self._corpus.type_of(self._column), types, len(self._joint)).astype(np.int64)
        found = np.flatnonzero(self._joint >= max(self._window.least, 1))
        around = np.full(len(found), int(self._joint.sum()))
        joint, total = self._joint[found], totals[found]
        table = ContingencyTable(joint, around, total, int(totals.sum()))
        measures = measure(table) if len(found) else Measures._make([np.zeros(0)] * 7)
        strings = self._corpus.strings(self._column)
        order = np.lexsort((found, -joint, -getattr(measures, self._window.measure)))
        named = measures._asdict()
        for place in order.tolist():
            values = {name: float(one[place]) for name, one in named.items()}
            yield Collocate(value=strings[int(found[place])], count=int(joint[place]), total=int(total[place]), **values)


def _different(places: Whole) -> Whole:
    """Places in order, each once: by a mark a token, several times faster than sorting them. A byte for each they span."""
    low = int(places.min(initial=np.iinfo(np.int64).max))
    marks = np.zeros(int(places.max(initial=low - 1)) - low + 1, dtype=np.bool_)
    marks[places - low] = True
    return np.flatnonzero(marks) + low


def _covered(tokens: Whole, hits: QueryHits) -> NDArray[np.bool_]:
    """Whether each token is in a hit; hits are in order."""
    reach = np.maximum.accumulate(hits.first + hits.length)
    before = np.searchsorted(hits.first, tokens, side="right") - 1
    return (before >= 0) & (tokens < reach[np.maximum(before, 0)])


class Distribution:
    """How hits are spread over documents, and over parts of the corpus that are made of documents."""

    def __init__(self, corpus: Corpus, allowed: NDArray[np.bool_] | None) -> None:
        self._corpus = corpus
        size = len(corpus.documents)
        self._allowed = np.ones(size, dtype=np.bool_) if allowed is None else allowed
        self._counts = np.zeros(size, dtype=np.int64)

    def add(self, hits: QueryHits) -> None:
        """The next hits."""
        self._counts += np.bincount(self._corpus.documents.holding(hits.first), minlength=len(self._counts))

    def rows(self, parts: dict[str, str], *, every: bool) -> Iterator[Part]:
        """The parts, which are named for each document, in the order of their names; `every` tells those without hits, too."""
        sizes = np.diff(self._corpus.documents.bounds)
        sums: dict[str, list[int]] = {}
        for number in np.flatnonzero(self._allowed & (self._counts > 0) if not every else self._allowed).tolist():
            row = sums.setdefault(parts.get(self._corpus.documents.id(number), ""), [0, 0, 0])
            count = int(self._counts[number])
            row[0], row[1], row[2] = row[0] + count, row[1] + bool(count), row[2] + int(sizes[number])
        for name, (count, documents, tokens) in sorted(sums.items()):
            yield Part(name, count, documents, tokens, count / tokens * 1e6 if tokens else 0.0)


def part_sql(by: Period) -> str:
    """The SQL that names the part of each document, of `all_pages` with their `dates`; a week by its Monday."""
    lengths = {"year": 4, "month": 7, "day": 10}
    if by == "week":
        return "coalesce(strftime(date_trunc('week', TRY_CAST(date AS DATE)), '%Y-%m-%d'), '')"
    if by in lengths:
        return f"coalesce(substr(date, 1, {lengths[by]}), '')"
    return {"document": "all_pages.url", "site": "host", "language": "language"}[by]


def function_words(corpus: Corpus, column: str, listed: Iterable[str]) -> NDArray[np.bool_]:
    """Of each value of a column, whether most of its tokens are written like one of the listed words."""
    words = corpus.strings("word")
    numbers = [words.find(form) for word in listed for form in (word, word.capitalize(), word.upper())]
    known = np.isin(corpus.type_of("word"), [number for number in numbers if number is not None])
    values, size = corpus.type_of(column), len(corpus.strings(column))
    return 2 * np.bincount(values, corpus.counts * known, size) > np.bincount(values, corpus.counts, size)
