"""What is said between a run and those who look at it."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path

import pytest

from trasmallo.config import Config
from trasmallo.errors import ProjectError
from trasmallo.events import Progress
from trasmallo.project import runs, window
from trasmallo.project.crawling.search import Seen, Waiting, Wanted
from trasmallo.project.runs import Run
from trasmallo.project.window import Window


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return runs.start(tmp_path / "runs", Config(name="c"), "crawl", "t")


def test_a_question_is_answered_once(run: Run) -> None:
    side = Window(run)
    side.open()
    seen = Seen((Waiting("http://a/"),), 1, 2)
    found: list[Seen] = []
    asking = threading.Thread(target=lambda: found.append(window.ask(run, Wanted("a"))))
    asking.start()
    while not (questions := list(side.questions())):
        pass
    ((path, wanted),) = questions
    assert wanted == Wanted("a")
    side.answer(path, seen)
    asking.join()
    assert found == [seen]
    assert list(side.questions()) == []
    assert list((run.folder / "asked").iterdir()) == []


def test_nobody_answers(run: Run) -> None:
    with pytest.raises(ProjectError, match="does not answer"):
        window.ask(run, Wanted(), patience=0.0)


def test_nonsense_is_passed_over(run: Run) -> None:
    (run.folder / "asked").mkdir()
    (run.folder / "asked" / "1.ask").write_bytes(b"{")
    assert list(Window(run).questions()) == []


def test_watching_and_pausing(run: Run) -> None:
    side, now = Window(run), time.time()
    assert not side.is_watched(now)
    window.watch(run)
    assert side.is_watched(now)
    assert not side.is_watched(now + 60)
    window.pause(run, paused=True)
    assert side.is_paused()
    side.open()
    assert not side.is_paused(), "another sitting begins without it"
    window.pause(run, paused=False)


def test_curves_are_thinned_and_keep_their_last_point(run: Run) -> None:
    side = Window(run)
    assert window.read_pace(run) == []
    for number in range(1, 8):
        side.note(Progress(known=9, waiting=1, obtained=number, failed=0, studied=0, dropped=0, received=0))
    with (run.folder / "pace.jsonl").open("ab") as file:
        file.write(b'{"at":')
    assert [point.obtained for point in window.read_pace(run)] == [1, 2, 3, 4, 5, 6, 7]
    assert [point.obtained for point in window.read_pace(run, 3)] == [1, 4, 7]


def test_memory_is_told_where_the_system_tells_it() -> None:
    assert window.memory_of(os.getpid()) > 1
    assert window.memory_of(1 << 30) == 0
