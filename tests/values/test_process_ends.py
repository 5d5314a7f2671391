"""Ends of processes: in words, and for want of memory. That children end with their parents is in `test_processes`."""

from __future__ import annotations

from trasmallo.values.process_ends import ending, memory_kills


def test_endings_are_told_in_words() -> None:
    assert (ending(-9), ending(3)) == ("signal 9", "exit 3")


def test_kills_for_want_of_memory_are_counted() -> None:
    assert memory_kills() >= 0
