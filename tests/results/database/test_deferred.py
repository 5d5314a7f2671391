"""Tables that are left to who asks first: made once, under the settings of the run, and kept beside the project."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from support.living_collection import make_collection, sentence
from trasmallo.config import Config, StudyConfig
from trasmallo.results import registry
from trasmallo.results.database.deferred import STUDIED, kept_file, read_studied
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import StoreDamaged

STUDY = StudyConfig(collocation_frequency=20)


@pytest.fixture
def run(tmp_path: Path) -> Run:
    collection = make_collection(tmp_path, Config(study=STUDY), 40, random.Random(5))
    collection.add()
    collection.write("http://s0.es/30", sentence(random.Random(2)))
    return collection.add()


def test_it_is_made_once_and_kept_in_order(run: Run) -> None:
    table = registry.find("collocations")
    before = sorted(run.folder.rglob("*"))
    assert not kept_file(run, table).exists()
    with Tables(run, StudyConfig(collocation_frequency=30)) as tables:
        made = list(tables.ask("collocations", Question()))
    assert 20 <= min(row[2] for row in made) < 30, "settings of later do not count"
    stat = kept_file(run, table).stat()
    with Tables(run) as tables:
        assert list(tables.ask("collocations", Question())) == made
        assert list(tables.ask("collocations", Question(limit=3, offset=2))) == made[2:5]
        assert tables.number("collocations") == len(made)
    assert kept_file(run, table).stat() == stat
    assert sorted(run.folder.rglob("*")) == before, "who asks writes nothing there"


def test_its_settings_are_those_of_the_run(run: Run) -> None:
    assert read_studied(run) == STUDY
    (run.folder / STUDIED).write_bytes(b"{")
    with pytest.raises(StoreDamaged):
        read_studied(run)
    (run.folder / STUDIED).unlink()
    assert read_studied(run) is None
