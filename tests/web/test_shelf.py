"""Open tables are shared, and let go when others are wanted."""

from __future__ import annotations

import shutil
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from trasmallo.errors import NotFound
from trasmallo.project.project import Project
from trasmallo.web.shelf import Shelf, find_run


def test_a_finished_run_is_opened_once(finished: Project) -> None:
    shelf = Shelf()
    with shelf.tables(finished) as first, shelf.tables(finished, find_run(finished).name) as second:
        assert first is second
    made: list[int] = []
    assert [shelf.computed(finished, "x", lambda: made.append(1) or len(made)) for _ in range(3)] == [1, 1, 1]
    shelf.close()


def test_many_ask_at_once(finished: Project) -> None:
    shelf = Shelf()

    def ask(_number: int) -> int:
        with shelf.tables(finished) as tables:
            return tables.number("words")

    with ThreadPoolExecutor(8) as pool:
        assert len(set(pool.map(ask, range(40)))) == 1
    shelf.close()


def test_few_stay_open_and_none_is_closed_while_it_is_used(finished: Project, tmp_path: Path) -> None:
    shelf = Shelf()
    projects = []
    for number in range(6):
        shutil.copytree(finished.folder, tmp_path / str(number))
        projects.append(Project.open(tmp_path / str(number)))
    with shelf.tables(projects[0]) as used:
        for project in projects[1:]:
            with shelf.tables(project) as tables:
                assert tables.number("pages") > 0
        assert used.number("pages") > 0
    assert len(shelf._kept) <= 4
    shelf.close()


def test_a_run_that_is_not_there(finished: Project) -> None:
    with pytest.raises(NotFound):
        find_run(finished, "nobody")
