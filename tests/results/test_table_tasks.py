"""Which table is made when, and by whom."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from support.runs import make_run
from trasmallo.config import StudyConfig
from trasmallo.events import Event, Indexing
from trasmallo.results.database.tables import Tables, plan_tables
from trasmallo.results.run_corpus import compile_corpus
from trasmallo.results.table_tasks import INDEX, TableMaker, next_task, plan_tasks


def test_what_is_planned_is_what_one_process_makes_and_the_index() -> None:
    planned = [task.name for task in plan_tasks(StudyConfig())]
    assert sorted(planned) == sorted([*(name for names in plan_tables(StudyConfig()) for name in names), INDEX])
    assert INDEX not in {task.name for task in plan_tasks(StudyConfig(analyses=("words",)))}


def test_an_index_of_several_parts_is_joined_when_all_are_there() -> None:
    tasks = {task.name: task for task in plan_tasks(StudyConfig(), index_parts=3)}
    parts = {f"{INDEX} {number}/3" for number in (1, 2, 3)}
    assert parts <= tasks.keys()
    assert parts <= tasks[INDEX].after
    assert all("pages" in tasks[part].after for part in parts)


def test_tables_of_tables_wait_for_the_others_and_stay_with_their_numbers() -> None:
    tasks = {task.name: task for task in plan_tasks(StudyConfig())}
    assert {"words_by_page", "pages", "ranks", "segments"} <= tasks["words"].after
    assert (tasks["words"].beside, tasks["categories"].beside) == ("words_by_page", "lemmas_by_page")
    assert {tasks[name].beside for name in ("anchors", "ranks", "farms")} == {"", "anchors"}, "links are looked at once"
    assert tasks["segments_by_page"].beside == "segments", "they are found once"
    assert "ranks" in tasks[INDEX].after


@given(st.lists(st.integers(0, 3), max_size=300))
def test_all_is_made_once_whoever_is_free_when(turns: list[int]) -> None:
    """Makers take turns as drawn, then one after the other: nobody waits for ever."""
    waiting, made, begun = plan_tasks(StudyConfig()), set[str](), dict[str, int]()
    total = len(waiting)
    for maker in [*turns, *(maker for _ in range(total) for maker in range(4))]:
        task = next_task(waiting, made, begun, maker)
        if task is not None:
            assert task.after <= made
            assert begun.get(task.beside, maker) == maker
            waiting.remove(task)
            begun[task.name] = maker
            made.add(task.name)
    assert len(made) == total


def test_a_maker_turns_first_to_what_nobody_else_has_the_numbers_for() -> None:
    tasks = plan_tasks(StudyConfig())
    made = {task.name for task in tasks if not task.after}
    waiting = [task for task in tasks if task.after]
    begun = dict.fromkeys(made, 0)
    own, other = next_task(waiting, made, begun, 0), next_task(waiting, made, begun, 1)
    assert own is not None
    assert other is not None
    assert own.beside in {"words_by_page", "lemmas_by_page"}
    assert other.name == INDEX


def test_one_maker_makes_all_of_a_run(tmp_path: Path) -> None:
    run, told = make_run(tmp_path), list[Event]()
    compile_corpus(run)
    with TableMaker(run, StudyConfig(), run.folder / "spill" / "1", told.append) as maker:
        for task in plan_tasks(StudyConfig()):
            maker.make(task)
    assert isinstance(told[-1], Indexing)
    assert not (run.folder / "spill" / "1").exists()
    with Tables(run) as tables:
        assert tables.number("pages") == 30
        assert tables.number("words") > 0
