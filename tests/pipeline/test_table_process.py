"""A process that makes tables as who started it sees it; `test_table_pool.py` has several at work."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest
import uvloop

from support.runs import make_run
from trasmallo.config import StudyConfig
from trasmallo.pipeline.table_process import MakerDied, MakerPlace, TableProcess
from trasmallo.results.table_tasks import TableTask


def test_it_makes_a_table_and_its_death_is_told(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    run.save()

    async def work() -> None:
        maker = await TableProcess.start(MakerPlace(str(run.folder), StudyConfig(), 0))
        await maker.make(TableTask(name="pages"), lambda _event: None)
        assert (run.folder / "pages.parquet").exists()
        os.kill(maker.process, signal.SIGKILL)
        with pytest.raises(MakerDied, match="signal 9"):
            await maker.make(TableTask(name="links"), lambda _event: None)

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(work())


def test_each_maker_spills_into_a_folder_of_its_own(tmp_path: Path) -> None:
    one, other = (MakerPlace(str(tmp_path), StudyConfig(), number).setup(7).scratch for number in (0, 1))
    assert one != other
