"""Several processes that make the tables of a run."""

from __future__ import annotations

import os
import shutil
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from support.runs import make_run
from support.waiting import until
from trasmallo.config import Config, StudyConfig
from trasmallo.events import Event, Indexing, Warned
from trasmallo.pipeline.completion import complete
from trasmallo.pipeline.executors.processes import ProcessExecutor
from trasmallo.pipeline.table_pool import TablePool
from trasmallo.results.database.tables import Tables
from trasmallo.results.run_corpus import compile_corpus
from trasmallo.store.run_folders import Run, open_run
from trasmallo.values.errors import ProjectError, StoreDamaged
from trasmallo.values.run_status import AgentStatus

Shown = list[Sequence[AgentStatus]]


def files(run: Run) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in run.folder.glob("*.parquet")}


def test_several_make_the_same_files_as_one_octet_for_octet(tmp_path: Path) -> None:
    alone = make_run(tmp_path / "project" / "runs")
    alone.save()
    (tmp_path / "other").mkdir()
    shutil.copytree(alone.folder, tmp_path / "other" / "runs" / alone.folder.name)
    several = open_run(tmp_path / "other" / "runs" / alone.folder.name)
    complete(alone, Config(), lambda _event: None, finished=True)
    told: list[Event] = []
    complete(several, Config(), told.append, finished=True, executor=ProcessExecutor(3), worth_several=0)
    assert files(several) == files(alone)
    assert len(files(several)) > 20
    assert any(isinstance(event, Indexing) for event in told)
    with Tables(several) as tables:
        assert tables.number("pages") == 30
    agents = several.status().agents
    assert [agent.process for agent in agents] == [os.getpid()], "the others have gone"


def test_it_is_shown_what_each_process_makes(tmp_path: Path) -> None:
    run, shown = make_run(tmp_path), Shown()
    run.save()
    compile_corpus(run)
    TablePool(run, StudyConfig(), 2, lambda _event: None, shown.append).make()
    assert {agent.work for agents in shown for agent in agents} == {"waiting", "making a table", "indexing"}
    assert {"words", "segments", "pages"} <= {agent.what for agents in shown for agent in agents}
    assert len({agent.process for agents in shown for agent in agents}) == 2
    assert all(agent.since > 0 for agents in shown for agent in agents)


def test_a_process_that_is_killed_is_replaced(tmp_path: Path) -> None:
    run, told, killed = make_run(tmp_path), list[Event](), list[int]()
    run.save()
    compile_corpus(run)

    def kill(agents: Sequence[AgentStatus]) -> None:
        if not killed and len(agents) == 2 and all(agent.what for agent in agents):
            killed.append(agents[0].process)
            os.kill(agents[0].process, signal.SIGKILL)

    TablePool(run, StudyConfig(), 2, told.append, kill).make()
    assert killed
    assert [event.message for event in told if isinstance(event, Warned)] == [
        "a process that makes tables died (signal 9), another one goes on"
    ]
    with Tables(run) as tables:
        assert tables.number("words") > 0
    assert (run.folder / "words.parquet").exists()


def test_who_kills_them_again_and_again_ends_it_with_a_repair(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    run.save()
    compile_corpus(run)

    def kill(agents: Sequence[AgentStatus]) -> None:
        for agent in agents:
            if agent.what:
                os.kill(agent.process, signal.SIGKILL)

    with pytest.raises(ProjectError, match=r"die again and again \(signal 9\): run again; all that was stored is there"):
        TablePool(run, StudyConfig(), 1, lambda _event: None, kill).make()


def test_the_misfortune_of_a_process_is_the_projects_and_nobody_is_left(tmp_path: Path) -> None:
    run, seen = make_run(tmp_path), set[int]()
    run.save()
    compile_corpus(run)

    def note(agents: Sequence[AgentStatus]) -> None:
        seen.update(agent.process for agent in agents)

    (run.folder / "run.json").write_bytes(b"{")
    with pytest.raises(StoreDamaged, match=r"run\.json is damaged"):
        TablePool(run, StudyConfig(), 2, lambda _event: None, note).make()
    assert seen
    until(lambda: not any(Path(f"/proc/{process}").exists() for process in seen), "the end of all processes")
