from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.store.run_entries import MARK_BYTES, NUMBER_BYTES, counted_fetches, run_key
from trasmallo.values.errors import StoreDamaged

MARKS = st.tuples(st.sampled_from([b"\0" * 8, b"\xff" * 8, b"urlaurla", b"alruurla"]), st.integers(0, 255))


def entry(first: int, marks: list[tuple[bytes, int]]) -> tuple[bytes, bytes]:
    value = b"".join(url + bytes((code,)) for url, code in marks)
    return run_key(7) + first.to_bytes(NUMBER_BYTES, "big"), value


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 1 << 33), st.lists(MARKS, min_size=1, max_size=5)), max_size=5))
def test_the_last_fetch_of_each_url_in_order_of_arrival(parts: list[tuple[int, list[tuple[bytes, int]]]]) -> None:
    entries, last, first = [], dict[bytes, tuple[int, int]](), 1
    for gap, marks in parts:
        first += gap
        entries.append(entry(first, marks))
        last |= {url: (number, code) for number, (url, code) in enumerate(marks, first)}
        first += len(marks)
    found = counted_fetches(entries, ())
    assert list(zip(found.numbers.tolist(), found.codes.tolist(), strict=True)) == sorted(last.values())


@settings(max_examples=50, deadline=None)
@given(st.lists(MARKS, min_size=1, max_size=12), st.sets(st.integers(0, 255)))
def test_the_first_that_obtained_a_page_counts(marks: list[tuple[bytes, int]], obtained: set[int]) -> None:
    counted = dict[bytes, tuple[int, int]]()
    for number, (url, code) in enumerate(marks, 5):
        if url not in counted or counted[url][1] not in obtained:
            counted[url] = number, code
    found = counted_fetches([entry(5, marks)], sorted(obtained))
    assert list(zip(found.numbers.tolist(), found.codes.tolist(), strict=True)) == sorted(counted.values())


def test_keys_of_a_run_sort_by_number_and_stay_together() -> None:
    keys = [run_key(run) + number.to_bytes(NUMBER_BYTES, "big") for run in (1, 2, 256) for number in (1, 255, 256, 1 << 32)]
    assert keys == sorted(keys)


@pytest.mark.parametrize("length", [0, 1, MARK_BYTES - 1, MARK_BYTES + 1])
def test_an_entry_cut_short_is_damage(length: int) -> None:
    with pytest.raises(StoreDamaged, match="trasmallo repair"):
        counted_fetches([(run_key(1) + bytes(NUMBER_BYTES), bytes(length))], ())
