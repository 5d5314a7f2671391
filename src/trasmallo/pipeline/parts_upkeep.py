"""Upkeep of the parts of a run while it goes on: copies are found, small parts merged."""

from __future__ import annotations

import asyncio
from pathlib import Path

from trasmallo.pipeline.duplicates import ArrivingCopies
from trasmallo.store.parts import merge_parts
from trasmallo.store.run_folders import Run

UPKEEP_SECONDS = 5.0
"""Between two looks. Judgement: soon enough for who looks at copies, and seldom enough to cost little."""


class PartsUpkeep:
    """Keeps the folder `parts` in order; with `analyses` there are copies like `least` to find.

    `seconds` pass between two looks.
    """

    def __init__(self, run: Run, parts: Path, least: float, *, analyses: bool, seconds: float = UPKEEP_SECONDS) -> None:
        self._run = run
        self._parts = parts
        self._least = least
        self._seconds = seconds
        self._analyses = analyses
        self._copies: ArrivingCopies | None = None

    @property
    def copies(self) -> int:
        """Copies that are known so far."""
        return self._copies.found if self._copies else 0

    async def run(self) -> None:
        """Look at new parts every few seconds until cancelled, in a thread: files are read."""
        if self._analyses and self._least:
            self._copies = await asyncio.to_thread(ArrivingCopies, self._run, self._least)
        while True:
            await asyncio.sleep(self._seconds)
            await asyncio.to_thread(self._look)

    def _look(self) -> None:
        if self._copies is not None:
            self._copies.look()
        merge_parts(self._parts)
