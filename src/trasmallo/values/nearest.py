"""The known name that is nearest to a misspelt one, for the repairs in messages."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def nearest(name: str, known: Iterable[str], at_least: float = 0.0) -> str:
    """The known name most like `name`; "" when none is known or none is alike by `at_least` (0 to 1, difflib's ratio)."""
    found = difflib.get_close_matches(name, list(known), n=1, cutoff=at_least)
    return found[0] if found else ""
