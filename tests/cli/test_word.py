"""The command that tells what a run knows of a word."""

from __future__ import annotations

from collections.abc import Callable

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_figures_for_people_and_programs(finished: Project, trasmallo: Command) -> None:
    found = trasmallo("word", finished.folder, "red", "--limit", "2", "--json").value()
    assert (found["unit"], found["category"], len(found["by_site"])) == ("lemma", "NOUN", 2)
    shown = trasmallo("word", finished.folder, "red", "--limit", "2").out
    assert f"red (lemma, NOUN, es): {found['count']} occurrences" in shown
    assert "spread: DP 0." in shown
    assert "spread" not in trasmallo("word", finished.folder, "red", "--quiet").out
    assert trasmallo("word", finished.folder, "wifiesta").out.count("nobody lists it") == 1
    scoped = trasmallo("word", finished.folder, "red", "--scope", "words>300", "--json").value()
    assert 0 < scoped["count"] < found["count"]


def test_what_is_not_there_is_refused(finished: Project, trasmallo: Command) -> None:
    assert "did you mean 'redes'" in trasmallo("word", finished.folder, "redesx").refusal()
    assert trasmallo("word", finished.folder, "red", "--unit", "phrase").code == 2
