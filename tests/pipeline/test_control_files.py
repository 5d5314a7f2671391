"""What is said between a run and those who look at it."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from trasmallo.config import Config
from trasmallo.crawl.queue_search import QueueAnswer, QueuedUrl, QueueQuestion
from trasmallo.events import Progress
from trasmallo.pipeline import control_files
from trasmallo.pipeline.control_files import ControlFiles
from trasmallo.pipeline.staleness import start_run
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import ProjectError


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return start_run(tmp_path / "runs", Config(name="c"), "crawl", "t")


def test_a_question_is_answered_once(run: Run) -> None:
    side = ControlFiles(run)
    side.open()
    seen = QueueAnswer((QueuedUrl("http://a/"),), 1, 2)
    found: list[QueueAnswer] = []
    asking = threading.Thread(target=lambda: found.append(control_files.ask(run, QueueQuestion("a"))))
    asking.start()
    while not (questions := list(side.questions())):
        pass
    ((path, wanted),) = questions
    assert wanted == QueueQuestion("a")
    side.answer(path, seen)
    asking.join()
    assert found == [seen]
    assert list(side.questions()) == []
    assert list((run.folder / "asked").iterdir()) == []


def test_nobody_answers(run: Run) -> None:
    with pytest.raises(ProjectError, match="does not answer"):
        control_files.ask(run, QueueQuestion(), patience=0.0)


def test_nonsense_is_passed_over(run: Run) -> None:
    (run.folder / "asked").mkdir()
    (run.folder / "asked" / "1.ask").write_bytes(b"{")
    assert list(ControlFiles(run).questions()) == []


def test_watching_and_pausing(run: Run) -> None:
    side, now = ControlFiles(run), time.time()
    assert not side.is_watched(now)
    control_files.watch(run)
    assert side.is_watched(now)
    assert not side.is_watched(now + 60)
    control_files.pause(run, paused=True)
    assert side.is_paused()
    side.open()
    assert not side.is_paused(), "another session begins without it"
    control_files.pause(run, paused=False)


def test_curves_are_thinned_and_keep_their_last_point(run: Run) -> None:
    side = ControlFiles(run)
    assert control_files.read_pace(run) == []
    for number in range(1, 8):
        side.note(Progress(known=9, waiting=1, obtained=number, failed=0, studied=0, dropped=0, received=0))
    with (run.folder / "pace.jsonl").open("ab") as file:
        file.write(b'{"at":')
    assert [point.obtained for point in control_files.read_pace(run)] == [1, 2, 3, 4, 5, 6, 7]
    assert [point.obtained for point in control_files.read_pace(run, 3)] == [1, 4, 7]


def test_memory_is_told_where_the_system_tells_it() -> None:
    assert control_files.memory_of(os.getpid()) > 1
    assert control_files.memory_of(1 << 30) == 0
