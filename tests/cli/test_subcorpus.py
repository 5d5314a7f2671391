"""The command that saves subcorpora."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_a_subcorpus_is_saved_asked_listed_and_removed(trasmallo: Command, finished: Project, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(finished.folder, own)
    assert trasmallo("subcorpus", own).out == "no subcorpus is saved yet\n"
    saved = trasmallo("subcorpus", own, "spanish", "language=es", "--json").value()
    assert saved["scope"] == "language=es"
    assert saved["documents"] > 0
    assert trasmallo("subcorpus", own, "spanish", "--json").value() == saved
    assert trasmallo("subcorpus", own, "--json").rows() == [{"name": "spanish", "scope": "language=es"}]
    assert {row["language"] for row in trasmallo("list", own, "pages", "--scope", "spanish", "--json").rows()} == {"es"}
    assert trasmallo("subcorpus", own, "spanish", "--remove").out == "spanish (language=es) removed\n"
    assert "no subcorpus" in trasmallo("list", own, "pages", "--scope", "spanish").refusal()


def test_what_is_no_scope_is_refused_in_one_line(trasmallo: Command, finished: Project) -> None:
    for scope in ("language", "wordz>3", "since=ayer"):
        done = trasmallo("list", finished.folder, "pages", "--scope", scope)
        assert done.code == 2 or "no subcorpus" in done.err
        assert done.refusal()
    assert trasmallo("subcorpus", finished.folder, "a", "language=es", "--remove").code == 2
