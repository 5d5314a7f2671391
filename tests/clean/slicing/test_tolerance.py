from __future__ import annotations

import numpy as np
import pytest

from trasmallo.clean.flat import flatten
from trasmallo.clean.slicing.page import from_flat
from trasmallo.clean.slicing.tolerance import Tolerance, raise_nodes, read_tolerance
from trasmallo.values.errors import UsageError


@pytest.mark.parametrize(
    ("written", "tolerance"),
    [
        (0, Tolerance()),
        ("2", Tolerance("levels", 2)),
        ("near:5", Tolerance("near", 5)),
        ("meaning:1", Tolerance("meaning", 1)),
    ],
)
def test_how_it_is_written(written: int | str, tolerance: Tolerance) -> None:
    assert read_tolerance(written) == tolerance
    assert read_tolerance(str(tolerance)) == tolerance


@pytest.mark.parametrize("written", ["", "-1", "near", "near:", "far:2", "1.5", True, "2000000", "near:x", " 1", -3])
def test_what_is_no_tolerance(written: int | str) -> None:
    with pytest.raises(UsageError, match="is no tolerance.*near:5 or meaning:2"):
        read_tolerance(written)


@pytest.mark.parametrize(("levels", "tags"), [(0, ["b", "i"]), (1, ["p", "section"]), (2, ["body"]), (9, ["body"])])
def test_nodes_are_raised_not_above_the_scope(levels: int, tags: list[str]) -> None:
    page = from_flat(flatten("<div><p><b>x</b></p></div><section><i>y</i></section>"))
    nodes = np.array([page.tag.index("b"), page.tag.index("i")])
    raised, most = raise_nodes(page, nodes, levels)
    assert most == 2
    found = [page.tag[node] for node in raised]
    assert found == tags if levels < 2 else "body" in found


def test_without_nodes_nothing_is_raised() -> None:
    page = from_flat(flatten("<p>x"))
    raised, most = raise_nodes(page, np.array([], dtype=np.int64), 3)
    assert (list(raised), most) == ([], 0)
