"""What runs in the workers of a Ray cluster, called here as Ray calls it."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import msgspec

from support.runs import make_run
from support.stored_pages import RUN, html, setup, store
from trasmallo.config import StudyConfig
from trasmallo.pipeline.executors.interface import FindCopies, MergeTokens
from trasmallo.pipeline.executors.ray_tasks import (
    BatchResult,
    BatchTask,
    KeptReader,
    MakerActor,
    MakerEnd,
    MakerTask,
    NeverBegan,
    StepEnd,
    StepTask,
    run_step,
)
from trasmallo.pipeline.reading.messages import Batch, PartDone, Setup
from trasmallo.pipeline.table_process import MakerPlace
from trasmallo.results.run_corpus import compile_corpus
from trasmallo.results.table_tasks import plan_tasks
from trasmallo.store.catalog import Catalog
from trasmallo.store.parts import TOKENS
from trasmallo.values.pipes import Trouble
from trasmallo.values.software import SOFTWARE

URLS = {f"http://a.es/{number}": html(f"página {number}") for number in range(3)}


def batch_of(folder: Path, name: str) -> Batch:
    with Catalog(folder / "catalog", read_only=True) as catalog:
        return Batch(name, tuple(catalog.of_run(RUN)))


def read(how: Setup, *batches: Batch, software: str = SOFTWARE) -> list[BatchResult]:
    with closing(KeptReader()) as reader:
        return [reader.read(BatchTask(software, how, batch, fresh=False)) for batch in batches]


def test_a_batch_is_read_into_its_part_and_only_told_the_second_time(tmp_path: Path) -> None:
    store(tmp_path, URLS)
    how = setup(tmp_path)
    done, other = read(how, batch_of(tmp_path, "00000001"), batch_of(tmp_path, "00000002"))
    assert isinstance(other, PartDone)
    assert isinstance(done, PartDone)
    assert sorted(page.url for page in done.summaries) == sorted(URLS)
    written = (tmp_path / "parts" / "00000001" / "pages.jsonl").stat()
    assert read(how, batch_of(tmp_path, "00000001")) == [PartDone(done.summaries)]
    assert (tmp_path / "parts" / "00000001" / "pages.jsonl").stat().st_mtime_ns == written.st_mtime_ns


def test_a_machine_that_cannot_do_it_as_the_others_do_says_so(tmp_path: Path) -> None:
    store(tmp_path, URLS)
    how, batch = setup(tmp_path), batch_of(tmp_path, "1")
    (other,) = read(how, batch, software="trasmallo/0.0.1")
    assert isinstance(other, Trouble)
    assert "not trasmallo/0.0.1" in other.problem.text
    (blind,) = read(msgspec.structs.replace(how, archive=str(tmp_path / "none")), batch)
    assert isinstance(blind, Trouble)
    assert "does not see" in blind.problem.text


def test_a_process_that_cannot_begin_is_a_value(tmp_path: Path) -> None:
    store(tmp_path, URLS)
    how = setup(tmp_path)
    starved = msgspec.structs.replace(how, clean=msgspec.structs.replace(how.clean, megabytes=1))
    (end,) = read(starved, batch_of(tmp_path, "1"))
    assert isinstance(end, NeverBegan)


def test_an_actor_makes_one_table_after_the_other(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    run.save()
    compile_corpus(run)
    place = MakerPlace(str(run.folder), StudyConfig(), 0)
    with closing(MakerActor()) as actor:
        for task in plan_tasks(StudyConfig(), index_parts=2):
            end = msgspec.msgpack.decode(actor.make(msgspec.msgpack.encode(MakerTask(SOFTWARE, place, task))), type=MakerEnd)
            assert end.trouble is None
    assert (run.folder / "words.parquet").exists()
    assert (run.folder / "index").is_dir()


def test_steps_are_done_and_their_trouble_is_a_value(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    run.save()
    for step in (FindCopies(str(run.folder), 0.8), MergeTokens(str(run.folder))):
        assert msgspec.msgpack.decode(run_step(msgspec.msgpack.encode(StepTask(SOFTWARE, step))), type=StepEnd) == StepEnd()
    assert (run.folder / TOKENS).exists()
    assert (run.folder / "copies.jsonl").exists()
    lost = msgspec.msgpack.decode(run_step(msgspec.msgpack.encode(StepTask("x/1", step))), type=StepEnd)
    assert lost.trouble is not None
