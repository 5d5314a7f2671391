from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.study import segments
from trasmallo.study.segments import SegmentOptions, SegmentRules, Sorting, characters, content, find_segments
from trasmallo.study.sequence_bounds import Bounds

Found = dict[tuple[int, ...], tuple[int, int, int]]


def mask(values: list[bool] | None) -> np.ndarray | None:
    return None if values is None else np.array(values)


columns = st.lists(st.integers(0, 3), max_size=60)
places = st.sets(st.integers(1, 59), max_size=6)
masks = st.none() | st.lists(st.booleans(), min_size=4, max_size=4)
rules_drawn = st.builds(SegmentRules, *[masks.map(mask)] * 3)


def bounds_of(size: int, documents: set[int], sentences: set[int]) -> Bounds:
    inside = sorted(place for place in documents if place < size)
    starts = np.array([0, *inside, size], dtype=np.int64)
    return Bounds(starts, np.array(sorted(place for place in sentences if place < size), dtype=np.int64))


def by_force(column: list[int], bounds: Bounds, options: SegmentOptions, rules: SegmentRules) -> Found:
    """All frequent sequences of all lengths, counted one by one: frequency, documents, first place."""
    assert bounds.sentences is not None
    cuts = {*bounds.documents.tolist(), *bounds.sentences.tolist()}
    occurrences = defaultdict[tuple[int, ...], list[int]](list)
    for length in range(options.shortest, options.longest + 1):
        for start in range(len(column) - length + 1):
            if not any(start < cut < start + length for cut in cuts):
                occurrences[tuple(column[start : start + length])].append(start)
    document = np.searchsorted(bounds.documents, np.arange(len(column)), side="right")
    return {
        sequence: (len(found), len({document[place] for place in found}), found[0])
        for sequence, found in occurrences.items()
        if len(found) >= options.least and allowed(sequence, rules)
    }


def allowed(sequence: tuple[int, ...], rules: SegmentRules) -> bool:
    return (
        (rules.allowed is None or all(rules.allowed[number] for number in sequence))
        and (rules.edges is None or bool(rules.edges[sequence[0]] and rules.edges[sequence[-1]]))
        and (rules.wanted is None or any(rules.wanted[number] for number in sequence))
    )


def as_found(column: np.ndarray, results: Iterable[segments.Segments]) -> Found:
    found: Found = {}
    for result in results:
        rows = content(column, result).tolist()
        values = zip(result.counts.tolist(), result.documents.tolist(), result.first.tolist(), strict=True)
        found |= dict(zip(map(tuple, rows), values, strict=True))
    return found


def contains(longer: tuple[int, ...], shorter: tuple[int, ...]) -> bool:
    return len(longer) > len(shorter) and any(
        longer[start : start + len(shorter)] == shorter for start in range(len(longer) - len(shorter) + 1)
    )


@settings(max_examples=150, deadline=None)
@given(
    columns,
    places,
    places,
    st.integers(1, 3),
    st.integers(0, 4),
    st.integers(1, 4),
    st.builds(SegmentRules, *[masks.map(mask)] * 3),
)
def test_counts_are_those_of_brute_force(
    drawn: list[int], documents: set[int], sentences: set[int], shortest: int, more: int, least: int, rules: SegmentRules
) -> None:
    column = np.array(drawn, dtype=np.uint32)
    bounds = bounds_of(len(drawn), documents, sentences)
    options = SegmentOptions(shortest, shortest + more, least)
    results = list(find_segments(column, bounds, options, rules))
    assert [result.length for result in results] == list(range(shortest, shortest + more + 1))
    assert as_found(column, results) == by_force(drawn, bounds, options, rules)


@settings(max_examples=100, deadline=None)
@given(columns, places, st.integers(1, 2), masks, st.sampled_from(["closed", "maximal"]))
def test_what_a_longer_segment_stands_for_is_left_out(
    drawn: list[int], sentences: set[int], shortest: int, edges: list[bool] | None, keep: str
) -> None:
    column, bounds, rules = (
        np.array(drawn, dtype=np.uint8),
        bounds_of(len(drawn), set(), sentences),
        SegmentRules(edges=mask(edges)),
    )
    options = SegmentOptions(shortest, 5, 2, keep)  # type: ignore[arg-type]
    every = by_force(drawn, bounds, options, rules)
    expected = {
        one: values
        for one, values in every.items()
        if not any(contains(other, one) and (keep == "maximal" or every[other][0] == values[0]) for other in every)
    }
    assert as_found(column, find_segments(column, bounds, options, rules)) == expected


@pytest.mark.parametrize("together", [4, 1 << 22])
def test_sorting_in_small_portions_gives_the_same(monkeypatch: pytest.MonkeyPatch, together: int) -> None:
    monkeypatch.setattr(segments, "AT_ONCE", 7)
    column = np.random.default_rng(5).integers(0, 5, 500).astype(np.uint16)
    bounds, options = bounds_of(500, {100, 101, 300}, {50, 250}), SegmentOptions(2, 6, 2)
    assert as_found(column, find_segments(column, bounds, options, sorting=Sorting(together=together))) == by_force(
        column.tolist(), bounds, options, SegmentRules()
    )


def test_pairs_of_large_numbers_fit_into_a_word() -> None:
    column = np.random.default_rng(5).integers(0, 300, 2_000).astype(np.uint32)
    bounds, options = bounds_of(2_000, set(), set()), SegmentOptions(2, 3, 1)
    assert as_found(column, find_segments(column, bounds, options, sorting=Sorting(bits=30))) == by_force(
        column.tolist(), bounds, options, SegmentRules()
    )


def test_sequences_come_from_frequent_to_rare() -> None:
    column = np.array([1, 2, 3, 1, 2, 3, 1, 2], dtype=np.uint32)
    (pairs,) = find_segments(column, Bounds(np.array([0, 8])), SegmentOptions(2, 2, 2))
    assert content(column, pairs).tolist() == [[1, 2], [2, 3], [3, 1]]
    assert pairs.counts.tolist() == [3, 2, 2]


@pytest.mark.parametrize("size", [0, 1])
def test_a_column_too_short_for_any_segment(size: int) -> None:
    column = np.zeros(size, dtype=np.uint32)
    results = find_segments(column, Bounds(np.array([0, size])), SegmentOptions(1, 3, 1))
    assert [len(result.first) for result in results] == [size, 0, 0]


@pytest.mark.parametrize("keep", ["all", "closed", "maximal"])
def test_no_segments_when_the_longest_is_shorter_than_the_shortest(keep: str) -> None:
    column = np.zeros(9, dtype=np.uint32)
    assert list(find_segments(column, Bounds(np.array([0, 9])), SegmentOptions(2, 1, 1, keep))) == []  # type: ignore[arg-type]


def test_segments_of_characters_stay_in_their_line() -> None:
    text = characters(["tropical\ntropas", "trópico", ""])
    results = find_segments(text.column, text.bounds, SegmentOptions(2, 4, 2))
    found = {}
    for result in results:
        rows = content(text.column, result).tolist()
        found |= {"".join(map(chr, row)): count for row, count in zip(rows, result.counts.tolist(), strict=True)}
    assert found == {"tr": 3, "ro": 2, "op": 2, "pi": 2, "ic": 2, "tro": 2, "rop": 2, "pic": 2, "trop": 2}
    assert Counter(map(len, found)) == {2: 5, 3: 3, 4: 1}
