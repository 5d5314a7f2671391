"""A process that makes tables, asked as the pool asks it; `test_table_pool.py` has several at work."""

from __future__ import annotations

import io
from pathlib import Path

import msgspec

from support.runs import make_run
from trasmallo.config import StudyConfig
from trasmallo.pipeline.table_worker import Made, Make, TableSetup, Told, decode_table_said, serve
from trasmallo.results.run_corpus import compile_corpus
from trasmallo.results.table_tasks import plan_tasks
from trasmallo.values.pipes import HEAD, Trouble, encode


def asked(*messages: msgspec.Struct) -> io.BytesIO:
    return io.BytesIO(b"".join(map(encode, messages)))


def test_it_makes_what_is_asked_for_and_tells_it(tmp_path: Path) -> None:
    run, said = make_run(tmp_path), list[msgspec.Struct]()
    run.save()
    compile_corpus(run)
    setup = TableSetup(str(run.folder), StudyConfig(), str(run.folder / "spill" / "1"))
    tasks = plan_tasks(StudyConfig())
    serve(asked(setup, *map(Make, tasks)), said.append)
    assert [each.name for each in said if isinstance(each, Made)] == [task.name for task in tasks]
    assert any(isinstance(each, Told) for each in said)
    assert [decode_table_said(encode(each)[HEAD.size :]) for each in said] == said


def test_what_is_wrong_is_told_and_nothing_asked_is_nothing_done(tmp_path: Path) -> None:
    said: list[msgspec.Struct] = []
    setup = TableSetup(str(tmp_path), StudyConfig(), str(tmp_path / "1"))
    serve(asked(), said.append)
    assert said == []
    serve(asked(setup, Make(plan_tasks(StudyConfig())[0])), said.append)
    (trouble,) = said
    assert isinstance(trouble, Trouble)
    assert trouble.error == "StoreDamaged"
