"""Work on a corpus by processes of this machine."""

from __future__ import annotations

import asyncio
from pathlib import Path

import uvloop

from support.runs import make_run
from support.stored_pages import RUN, html, setup, store
from trasmallo.config import StudyConfig
from trasmallo.pipeline.executors.interface import FindCopies, MergeTokens
from trasmallo.pipeline.executors.processes import ProcessExecutor
from trasmallo.pipeline.reading.messages import Batch
from trasmallo.pipeline.table_process import MakerPlace
from trasmallo.results.table_tasks import plan_tasks
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import TOKENS


def test_a_batch_is_read_and_a_table_is_made(tmp_path: Path) -> None:
    store(tmp_path, {"http://a.es/1": html("una página")})
    with Catalog(tmp_path / "catalog", read_only=True) as catalog:
        batch = Batch("00000001", tuple(catalog.of_run(RUN)))
    run = make_run(tmp_path / "project")
    run.save()

    async def work(executor: ProcessExecutor) -> None:
        reader = await executor.start_reader(setup(tmp_path))
        assert reader.reading is None
        done = await reader.read(batch)
        assert [page.url for page in done.summaries] == ["http://a.es/1"]
        await reader.end()
        maker = await executor.start_maker(MakerPlace(str(run.folder), StudyConfig(), 0))
        await maker.make(next(task for task in plan_tasks(StudyConfig()) if task.name == "pages"), lambda _event: None)
        await maker.end()

    with ProcessExecutor(3) as executor:
        assert (executor.size(), executor.shared) == (3, False)
        executor.run(FindCopies(str(run.folder), 0.8))
        executor.run(MergeTokens(str(run.folder)))
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(work(executor))
    assert (run.folder / TOKENS).exists()
    assert (run.folder / "pages.parquet").exists()
