"""A reading process as who started it sees it; `test_pool.py` has several at work, and all that happens to them."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
import uvloop

from support.stored_pages import RUN, html, setup, store
from trasmallo.pipeline.reading.messages import OUT_OF_MEMORY, Batch
from trasmallo.pipeline.reading.process import Died, NotStarted, ReadingProcess, summaries_of
from trasmallo.store.catalog import Catalog


def test_it_reads_rests_and_is_lost(tmp_path: Path) -> None:
    store(tmp_path, {"http://a.es/1": html("una página")})
    with Catalog(tmp_path / "catalog", read_only=True) as catalog:
        pages = tuple(catalog.of_run(RUN))

    async def work() -> None:
        process = await ReadingProcess.start(setup(tmp_path))
        done = await process.read(Batch("00000001", pages))
        assert list(summaries_of(tmp_path / "parts" / "00000001")) == list(done.summaries)
        assert process.reading is None
        assert process.idle >= 0
        await process.end()
        other = await ReadingProcess.start(setup(tmp_path))
        os.kill(other.status.process, signal.SIGKILL)
        with pytest.raises(NotStarted, match="signal 9"):
            await other.read(Batch("00000002", pages))

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(work())


def test_time_in_which_it_waits_for_a_processor_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store(tmp_path, {"http://a.es/1": html("una página")})
    with Catalog(tmp_path / "catalog", read_only=True) as catalog:
        pages = tuple(catalog.of_run(RUN))
    delays = iter([0.0, 0.4, 0.7, 0.9])
    asked: list[float] = []

    def told(process: int) -> dict[int, float]:
        asked.append(next(delays, 0.9))
        return {process: asked[-1]}

    async def work() -> None:
        process = await ReadingProcess.start(setup(tmp_path, seconds=4.0))
        await process.read(Batch("00000001", pages))
        os.kill(process.status.process, signal.SIGSTOP)
        monkeypatch.setattr("trasmallo.values.working_time.processor_delays", told)
        began = asyncio.get_running_loop().time()
        with pytest.raises(Died, match="more than 4 s"):
            await process.read(Batch("00000002", pages))
        assert asyncio.get_running_loop().time() - began >= 4.0 + 0.9
        assert asked[-2:] == [0.9, 0.9], "until it did not wait any longer"

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(work())


def test_why_a_process_did_not_start() -> None:
    assert NotStarted.ended(-9, ["x"]).killed
    assert NotStarted.ended(OUT_OF_MEMORY, []).needs_memory
    assert NotStarted.ended(1, ["...", "MemoryError"]).needs_memory
    assert str(NotStarted.ended(1, ["a", "ImportError: b"])) == "ImportError: b"
