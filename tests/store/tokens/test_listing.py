from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.store.tokens.listing import LONGEST, ChosenReadings, Listing, compact
from trasmallo.store.tokens.wordtypes import OF_READINGS
from trasmallo.values.model import Tagged

TEXTS = st.sampled_from(["", "a", "ñ", "\ud800", "x" * (LONGEST + 2)])
READINGS = st.lists(st.builds(Tagged, TEXTS, TEXTS, TEXTS, TEXTS), max_size=9)


class Growing(list[Tagged]):
    """A list that is known by its identity, as those of a process are."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__  # type: ignore[assignment]


def told(chosen: ChosenReadings) -> list[tuple[bytes, ...]]:
    return [
        tuple(chosen.texts[name][number] for name, number in zip(OF_READINGS, column, strict=True))
        for column in chosen.rows.T.tolist()
    ]


def expected(readings: list[Tagged]) -> list[tuple[bytes, ...]]:
    fields = [(one.word, one.lemma, one.category, one.features) for one in readings]
    return [tuple(text[:LONGEST].encode("utf-8", "surrogatepass") for text in row) for row in fields]


@given(READINGS, READINGS)
def test_a_list_that_grows_is_followed(first: list[Tagged], more: list[Tagged]) -> None:
    readings = Growing(first)
    known = Listing.of(readings)
    readings += more
    assert Listing.of(readings) is known
    found = known.choose(np.arange(len(known)))
    assert told(found) == expected(readings)
    assert found.lengths.tolist() == [min(len(one.word), LONGEST) for one in readings]


@given(READINGS, st.data())
def test_only_the_texts_of_the_chosen_ones_are_told(readings: list[Tagged], data: st.DataObject) -> None:
    numbers = [number for number in range(len(readings)) if data.draw(st.booleans())]
    found = Listing.of(readings).choose(np.array(numbers, np.intp))
    wanted = expected([readings[number] for number in numbers])
    assert told(found) == wanted
    for place, name in enumerate(OF_READINGS):
        assert sorted(found.texts[name]) == sorted({row[place] for row in wanted})


def test_a_usual_list_is_looked_at_anew() -> None:
    readings = [Tagged("a", "a", "X")]
    assert Listing.of(readings) is not Listing.of(readings)


@given(st.lists(st.integers(0, 9)))
def test_compact(numbers: list[int]) -> None:
    different, places = compact(np.array(numbers, np.uint32), 10)
    assert different.tolist() == sorted(set(numbers))
    assert different[places].tolist() == numbers
