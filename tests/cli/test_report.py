"""Commands for who publishes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]


def test_the_corpus_is_cited(finished: Project, trasmallo: Command) -> None:
    told = trasmallo("cite", finished.folder, "--json").value()
    text = trasmallo("cite", finished.folder).out
    assert told["digest"] in text
    assert "un corpus de la web" in trasmallo("cite", finished.folder, "--language", "es").out
    assert trasmallo("cite", finished.folder, "--bibtex").out.startswith(f"@misc{{{told['run']},")
    assert trasmallo("cite", finished.folder, "--scope", "language=en", "--json").value()["documents"] < told["documents"]


def test_a_report_is_written_or_printed(finished: Project, trasmallo: Command, tmp_path: Path) -> None:
    place = tmp_path / "r.html"
    done = trasmallo("report", finished.folder, "--query", "red", "--word", "hacer", "-o", place)
    assert done.err == f"report in {place}\n"
    assert "Word: hacer" in place.read_text("utf-8")
    assert trasmallo("report", finished.folder, "--quiet", "-o", "-").out.startswith("<!doctype html>")
    assert trasmallo("report", finished.folder, "--json", "-o", place).value()["bytes"] == place.stat().st_size
    assert '<html lang="es">' in trasmallo("report", finished.folder, "--language", "es", "-o", "-").out
    assert "attribute is expected" in trasmallo("report", finished.folder, "--query", "[", "-o", place).refusal()
