"""Free memory goes back to the system."""

from __future__ import annotations

import gc
import sys

import pytest

from trasmallo.values.free_memory import Returning, calm_collector, share_arenas


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="GNU's C library is Linux's")
def test_memory_is_returned_every_few_seconds() -> None:
    share_arenas()
    times = [0.0]
    returning = Returning(lambda: times[0])
    assert returning.now()
    assert not returning.now()
    times[0] = 11.0
    assert returning.now()


def test_the_collector_looks_less_often() -> None:
    before = gc.get_threshold()
    try:
        gc.set_threshold(700, 10, 10)  # the interpreter's own, whatever the process did before
        calm_collector()
        assert gc.get_threshold()[0] > 700
        assert gc.isenabled()
    finally:
        gc.set_threshold(*before)


def test_another_system_is_left_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "win32")
    share_arenas()
    assert not Returning(lambda: 0.0).now()
