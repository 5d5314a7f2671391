"""Which tables of a run are layers, which are left to who asks, and when all are written whole again."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.living_collection import LivingCollection, make_collection, sentence
from trasmallo.config import Config, StudyConfig
from trasmallo.pipeline.collection_state import carry
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.layers.compilation import can_be_layered
from trasmallo.store import digests
from trasmallo.store.layers import find_table
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import StoreDamaged


@pytest.fixture
def collection(tmp_path: Path) -> LivingCollection:
    made = make_collection(tmp_path / "c", Config(), 60, random.Random(5))
    made.add()
    return made


def is_layered(run: Run, table: str) -> bool | None:
    found = find_table(run.folder, table)
    return found.layered if found else None


def test_few_changes_are_layers_and_many_are_not(collection: LivingCollection) -> None:
    kinds = []
    for numbers in ((30, 35, 40, 45, 50), (31, 36)):
        for number in numbers:
            collection.write(f"http://s{number % 5}.es/{number}", sentence(random.Random(number)))
        kinds.append(is_layered(collection.add(), "words"))
    assert kinds == [True, False], "five of sixty documents, then seven"


def test_what_links_make_stays_where_links_do(collection: LivingCollection) -> None:
    url = "http://s1.es/1"
    collection.write(url, collection.texts[url])
    run = collection.add()
    assert {name: is_layered(run, name) for name in ("ranks", "links", "collocations", "copies")} == {
        "ranks": False,
        "links": True,
        "collocations": None,
        "copies": False,
    }
    assert find_table(run.folder, "ranks").base.stat().st_nlink > 1  # type: ignore[union-attr]
    collection.write(url, sentence(random.Random(1), 3))
    assert find_table(collection.add().folder, "ranks").base.stat().st_nlink == 1  # type: ignore[union-attr]


def test_nothing_is_carried_nothing_is_layered(collection: LivingCollection) -> None:
    run = start_run(collection.folder / "runs", Config(), "revisit", "trasmallo/0")
    assert not can_be_layered(run, StudyConfig())
    assert carry(run)
    assert can_be_layered(run, StudyConfig())
    assert not can_be_layered(run, StudyConfig(stop="frequent:5")), "the most frequent words may be others"


@pytest.mark.parametrize("layer", ["base", "superseded", "own"])
def test_a_damaged_layer_is_told(collection: LivingCollection, layer: str) -> None:
    collection.write("http://s0.es/30", sentence(random.Random(2)))
    run = collection.add()
    path = run.folder / f"words.{layer}.parquet"
    content = path.read_bytes()
    path.unlink()  # the first layer is a link
    path.write_bytes(content[:-9] + b"?" + content[-8:])
    (damage,) = digests.damaged_files(run.folder)
    assert path.name in damage.problem
    with Tables(run) as tables, pytest.raises(StoreDamaged):
        list(tables.ask("words", Question()))
