from __future__ import annotations

import pytest

from trasmallo.results.tables.relations import category_pair_query
from trasmallo.study.query.parsing import parse


@pytest.mark.parametrize(("distance", "between"), [(1, False), (2, True), (5, True)])
def test_a_pair_is_looked_up_at_its_distance(distance: int, between: bool) -> None:
    query = category_pair_query({"first": "NOUN", "second": "ADJ", "distance": distance})
    parse(query)
    assert (f"[]{{{distance - 1}}}" in query) == between
    assert query.endswith("within s")
