"""Places for the nodes of a graph."""

from __future__ import annotations

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.values.drawing.springs import spread


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 25), st.data())
def test_everybody_has_a_place_of_their_own_on_the_sheet(number: int, data: st.DataObject) -> None:
    ends = st.tuples(st.integers(0, max(number - 1, 0)), st.integers(0, max(number - 1, 0)))
    edges = data.draw(st.lists(ends, max_size=40)) if number else []
    places = spread(number, edges, centre=0)
    assert len(places) == number
    assert all(0 <= value <= 1 for place in places for value in place)
    assert all(math.dist(one, other) > 1e-4 for at, one in enumerate(places) for other in places[:at])
    assert spread(number, edges, centre=0) == places


def test_neighbours_are_nearer_than_strangers() -> None:
    places = spread(8, [(0, 1), (1, 2), (0, 2), (0, 3), (4, 5), (5, 6), (4, 6), (4, 7)])
    inside = max(math.dist(places[one], places[other]) for one, other in ((0, 1), (1, 2), (4, 5), (5, 6)))
    across = min(math.dist(places[one], places[other]) for one in (1, 2) for other in (5, 6))
    assert inside < across


def test_pieces_that_nothing_joins_do_not_shrink_to_dots() -> None:
    """Twenty pairs on a sheet of a thousand pixels: no two nodes are nearer than their names are high, and many times so."""
    places = spread(40, [(number, number + 1) for number in range(0, 40, 2)])
    assert min(math.dist(one, other) for at, one in enumerate(places) for other in places[:at]) > 0.08


def test_too_many_are_refused() -> None:
    with pytest.raises(ValueError, match="cannot be read"):
        spread(501, [])
