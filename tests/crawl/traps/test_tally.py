"""Counting in few bytes."""

from __future__ import annotations

import pytest
import xxhash

from trasmallo.crawl.traps.tally import tally_for


@pytest.mark.parametrize("most", [10, 500, 4_096])
@pytest.mark.parametrize("share", [0.1, 1.0, 2.0])
def test_the_estimate_is_near_and_repeats_do_not_count(most: int, share: float) -> None:
    tally = tally_for(most)
    number = round(most * share)
    for _ in range(2):
        for thing in range(number):
            tally.add(xxhash.xxh3_64_intdigest(b"%d" % thing))
    assert abs(tally.size - number) <= max(3.0, 0.08 * number)


def test_a_full_tally_still_answers() -> None:
    tally = tally_for(8)
    for mark in range(1_000):
        tally.add(mark)
    assert tally.ones == len(tally.bits) * 8
    assert tally.size > 64
