"""What is made of all links together: it stays as it is where pages that changed link as before, else it is made whole.

Ranks and farms follow from the whole graph.
"""

from __future__ import annotations

from trasmallo.results.layers.changes import UNCHANGED, Changes, TableChange
from trasmallo.results.registry import Table


def of_links(changes: Changes, _table: Table) -> TableChange | None:
    """Nothing changes, or it cannot be told what does."""
    return UNCHANGED if changes.same_links else None
