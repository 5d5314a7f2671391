from __future__ import annotations

from trasmallo.study.languages.ko.segmenter import _apart


def test_places_that_overlap_or_leave_gaps_are_put_right() -> None:
    found = _apart("01234567", [(5, 6), (2, 4), (2, 3), (0, 1), (5, 6), (6, 6)])
    assert list(found) == ["0", "1", "2", "34", "5", "67"]
