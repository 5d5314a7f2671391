from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.project.project import Project
from trasmallo.project.timetable import Timetable
from trasmallo.web.timetable_entries import card_of


@pytest.mark.parametrize(("when", "words"), [("every 6h", "--every 6h"), ("07:30", "--at 07:30")])
def test_a_card_tells_what_sets_the_same(tmp_path: Path, when: str, words: str) -> None:
    project = Project.new(tmp_path / "cats", ["http://a.es/"])
    entry = Timetable().add(str(project.folder), when, 0.0)
    card = card_of(entry, {str(project.folder): "cats"})
    assert (card.project, card.there) == ("cats", True)
    assert f"trasmallo schedule {project.folder} {words}" in card.command
    assert f"{entry.when!r}" in card.python
    assert card_of(entry, {}).project == ""
