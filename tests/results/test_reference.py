from __future__ import annotations

import pytest

from trasmallo.results.reference import added, general_shares
from trasmallo.values.errors import UsageError


def test_counts_of_one_name_are_added() -> None:
    assert added([("red", 1.0), ("mar", 2.0), ("red", 0.5)]) == {"red": 1.5, "mar": 2.0}


def test_a_language_that_nobody_counts_is_refused() -> None:
    with pytest.raises(UsageError, match="wordfreq"):
        general_shares("xx")
