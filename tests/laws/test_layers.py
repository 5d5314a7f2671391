"""A collection that changes answers as one that is made new of the same documents, whatever changed before, table by table."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from support.living_collection import LivingCollection, make_collection, sentence
from trasmallo.config import Config, StudyConfig
from trasmallo.results import registry
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.registry import OnDemand
from trasmallo.store import digests
from trasmallo.store.layers import find_table
from trasmallo.store.run_folders import Run

STUDIES = {
    "usual": StudyConfig(),
    "lists": StudyConfig(stop="standard", segments_of=("words", "lemmas"), segment_frequency=2, collocation_frequency=2),
    "others": StudyConfig(segments="closed", segments_of=("words", "characters"), stop="frequent:3"),
}
ALL_ROUNDS = "TRASMALLO_LAYER_ROUNDS" in os.environ
"""Whether every collection is drawn for every setting; else each of them for one, since a round takes ten seconds."""
ROUNDS = [("usual", 1), ("lists", 2), ("others", 1)] + ALL_ROUNDS * [("usual", 2), ("usual", 3), ("lists", 1), ("lists", 3)]
"""Settings and what is drawn; with the last ones all is made whole, so once is enough."""
TABLES = [name for name, table in registry.all_tables().items() if not isinstance(table.made, OnDemand) and name != "gone"]
"""Pages that are gone are known to the collection alone."""


def answers(run: Run, study: StudyConfig) -> dict[str, list[object]]:
    """All rows of all tables, in their order; large ones come in any."""
    with Tables(run, study) as tables:
        rows = {name: list(tables.ask(name, Question())) for name in TABLES}
    return {name: sorted(found) if registry.all_tables()[name].large else found for name, found in rows.items()}


def change(collection: LivingCollection, draw: random.Random) -> None:
    """Something that happens to a web: one or two pages change, are new, go, come back, or become copies, or none any more."""
    for _ in range(draw.randint(1, 2)):
        url = draw.choice(sorted(collection.texts.keys() - collection.copies.keys() - set(collection.copies.values())))
        match draw.randrange(7):
            case 0 | 1:
                collection.write(url, collection.texts[url] + " " + sentence(draw))
            case 2:
                collection.write(f"http://s9.es/{draw.randrange(1_000)}", sentence(draw, 30) + " Palabras nuevas.")
            case 3:
                collection.gone.add(url)
            case 4 if collection.gone:
                back = draw.choice(sorted(collection.gone))
                collection.write(back, collection.texts[back])
            case 5:
                collection.copies.pop(draw.choice(sorted(collection.copies)), None) if len(collection.copies) > 1 else None
            case _ if url not in collection.gone:
                collection.copies[url] = next(iter(collection.copies.values()))
    collection.told["http://s0.es/5"] = draw.choice(("Ana", "Luis"))


@pytest.mark.timeout(600)
@pytest.mark.parametrize(("name", "seed"), ROUNDS)
def test_layers_answer_as_tables_that_are_made_new(tmp_path: Path, name: str, seed: int) -> None:
    draw, study = random.Random(seed), STUDIES[name]
    config = Config(study=study)
    collection = make_collection(tmp_path / "living", config, 60, draw)
    first = collection.add()
    before, layered = answers(first, study), 0
    for step in range(3):
        change(collection, draw)
        run = collection.add()
        found = find_table(run.folder, "words_by_page")
        layered += bool(found and found.layered)
        now, new = answers(run, study), answers(collection.make_new(tmp_path / f"new {step}"), study)
        assert [table for table in TABLES if now[table] != new[table]] == []
        assert not list(digests.damaged_files(run.folder))
    assert answers(first, study) == before, "what was answered as of a run is answered so for ever"
    assert layered == 0 if name == "others" else layered >= 2
