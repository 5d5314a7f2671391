from __future__ import annotations

import pytest

from trasmallo.study.morphology import interned_readings, tag_types
from trasmallo.study.morphology.interned_readings import InternedReadings
from trasmallo.study.sentences import cut
from trasmallo.values.model import Tagged


def test_readings_are_numbered_in_order() -> None:
    readings = InternedReadings()
    assert [readings.intern(Tagged(word, word, "X")) for word in "ab"] == [0, 1]
    assert [one.word for one in readings] == ["a", "b"]


def test_lists_with_the_same_readings_are_two() -> None:
    assert InternedReadings() != InternedReadings()
    assert len({InternedReadings(), InternedReadings()}) == 2


def test_another_list_is_begun_when_one_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(interned_readings, "_MOST", 3)
    monkeypatch.setattr(interned_readings.TABLES, "_current", InternedReadings())
    text = cut("La barca vuelve al puerto de noche. La barca duerme.", "es")
    first, second = (tag_types(text, "es") for _ in range(2))
    assert first.values is not second.values
    assert first.spread() == second.spread()
    plain = [tag_types(cut("un deux trois quatre", "fr"), "fr") for _ in range(2)]
    assert plain[0].spread() == plain[1].spread()
