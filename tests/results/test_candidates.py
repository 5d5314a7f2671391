"""The card of a candidate for a new word."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.runs import PAGES, make_run
from trasmallo.results.candidates import find_candidate
from trasmallo.results.database.tables import Tables
from trasmallo.values.errors import UsageError


def test_a_card_tells_where_and_when(tmp_path: Path) -> None:
    with Tables(make_run(tmp_path)) as tables:
        card = find_candidate(tables, "guasapeo")
        with pytest.raises(UsageError, match="neologisms"):
            find_candidate(tables, "casa")
    assert card.figures["count"] == 5
    assert card.figures["verdict"] == ""
    assert dict(card.sites) == {"a0.es": 2, "a1.es": 1, "a2.es": 1, "a3.es": 1}
    assert card.days == (("1970-01-01", 5),)
    first = card.contexts[0]
    assert (first.document, first.left, first.word, first.right) == (PAGES[0], "un ", "guasapeo", " más")
    assert len({context.url for context in card.contexts[:4]}) == 4
