"""Work on a corpus by Ray, on loopback: the same files as those of processes, though workers are killed."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.waiting import until
from trasmallo.config import CleanConfig, StudyConfig
from trasmallo.events import Bus, Event
from trasmallo.pipeline.executors.interface import Executor, FindCopies, MergeTokens
from trasmallo.pipeline.executors.on_ray import LOCAL, RayExecutor, RayMaker, RayReader
from trasmallo.pipeline.executors.processes import ProcessExecutor
from trasmallo.pipeline.reading.messages import Batch, Setup
from trasmallo.pipeline.stages import Stages
from trasmallo.pipeline.table_process import MakerPlace
from trasmallo.project.project import Project
from trasmallo.results.table_tasks import TableTask
from trasmallo.store import run_folders
from trasmallo.values.errors import ProjectError
from trasmallo.values.model import Fetch, Outcome

ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'trasmallo[cluster]'")
pytestmark = [pytest.mark.slow, pytest.mark.timeout(600), pytest.mark.filterwarnings("ignore")]  # Ray's own warnings


@pytest.fixture(scope="module")
def cluster() -> Iterator[RayExecutor]:
    with RayExecutor(LOCAL, 2) as executor:
        yield executor


def made_again(project: Project, executor: Executor) -> tuple[dict[str, bytes], list[str]]:
    """The files of a run that was read and studied again, and the first hits of a search in it."""
    Stages(project.folder, project.config, Bus(), executor).clean()
    run = run_folders.latest(project.runs)
    names = {path.name for path in run.folder.glob("*.parquet")} | {"tokens.columns", "copies.jsonl"}
    hits = [f"{hit.score:.6f} {hit.url}" for hit in Project.open(project.folder).find("casa OR agua OR pueblo", limit=20).hits]
    return {name: (run.folder / name).read_bytes() for name in names}, hits


def workers(title: str) -> list[int]:
    """Processes of Ray that descend from this one and do this at the moment."""
    parents = {}
    for place in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(place.name)] = int((place / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, IndexError):
            continue
    return [process for process in parents if _is_ours(process, parents) and _title(process).startswith(title)]


def _is_ours(process: int, parents: dict[int, int]) -> bool:
    while process in parents and process != os.getpid():
        process = parents[process]
    return process == os.getpid()


def _title(process: int) -> str:
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except OSError:
        return ""


def kill_once(title: str, killed: list[str], over: threading.Event) -> None:
    """Kill a worker while it does something; until it is over."""
    while not over.wait(0.01):
        for process in workers(title)[:1]:
            os.kill(process, signal.SIGKILL)
            killed.append(title)
            return


def test_a_run_made_by_ray_is_that_of_processes_though_workers_are_killed(
    finished: Project, cluster: RayExecutor, tmp_path: Path
) -> None:
    cluster.size()
    for name in ("here", "there"):
        shutil.copytree(finished.folder, tmp_path / name)
    killed, over = list[str](), threading.Event()
    killers = [
        threading.Thread(target=kill_once, args=(title, killed, over)) for title in ("ray::read_batch", "ray::MakerActor.make")
    ]
    for killer in killers:
        killer.start()
    try:
        there = made_again(Project.open(tmp_path / "there"), cluster)
    finally:
        over.set()
        for killer in killers:
            killer.join()
    assert sorted(killed) == ["ray::MakerActor.make", "ray::read_batch"]
    here = made_again(Project.open(tmp_path / "here"), ProcessExecutor(2))
    assert sorted(there[0]) == sorted(here[0])
    assert [name for name in here[0] if here[0][name] != there[0][name]] == []
    assert there[1] == here[1]


def test_a_study_that_is_stopped_ends_its_tasks_and_goes_on(finished: Project, cluster: RayExecutor, tmp_path: Path) -> None:
    shutil.copytree(finished.folder, tmp_path / "p")
    project, bus = Project.open(tmp_path / "p"), Bus()

    def stop(event: Event) -> None:
        if type(event).__name__ == "RunStarted":
            threading.Thread(target=_interrupt, args=(lambda: workers("ray::read_batch"),)).start()

    end = bus.listen(stop)
    summary = Stages(project.folder, project.config, bus, cluster).clean()
    end()
    assert "stopped" in summary.ended
    until(lambda: not workers("ray::read_batch"), "the end of all tasks", 60.0)
    assert Stages(project.folder, project.config, Bus(), cluster).clean().state == "finished"


def _interrupt(is_at_work: object) -> None:
    until(is_at_work, "a task", 60.0)  # type: ignore[arg-type]
    os.kill(os.getpid(), signal.SIGTERM)


def test_the_projects_misfortune_on_a_node_is_the_projects(cluster: RayExecutor, tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match=r"does not see .*none: mount the project's folder"):
        cluster.run(MergeTokens(str(tmp_path / "none")))
    with pytest.raises(ProjectError, match=r"run\.json"):
        cluster.run(FindCopies(str(tmp_path), 0.8))


def test_an_address_where_nobody_is_is_told_in_one_line() -> None:
    with pytest.raises(ProjectError, match="no Ray cluster can be used at nonsense://x") as told:
        RayExecutor("nonsense://x", 1).size()
    assert "\n" not in str(told.value)


class _Gone:
    """Ray's client when the head of its cluster has gone."""

    exceptions = ray.exceptions

    def remote(self, _message: bytes) -> object:
        raise ConnectionError("GRPC connection failed")

    kill = remote

    @property
    def make(self) -> _Gone:
        return self


def test_a_cluster_that_goes_away_is_told_as_such() -> None:
    gone = _Gone()
    setup = Setup(archive="a", parts="p", language="es", agent="", clean=CleanConfig(), study=StudyConfig())
    page = Fetch(url="http://a.es/", at=1.0, outcome=Outcome.FETCHED)
    with pytest.raises(ProjectError, match=r"could not do a part of the work \(GRPC connection failed\)"):
        asyncio.run(RayReader(gone, gone, setup).read(Batch("1", (page,))))
    maker = RayMaker(gone, gone, MakerPlace("run", StudyConfig(), 0))
    with pytest.raises(ProjectError, match="could not do a part of the work"):
        asyncio.run(maker.make(TableTask(name="pages"), Bus().emit))
    asyncio.run(maker.end())
