"""What every command prints for programs: JSON Lines where people see a table, one object for everything else.

`--help` says which, and here every command is called to see that it is so.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support.command_line import Done
from trasmallo.cli import COMMANDS
from trasmallo.demo.site import Site
from trasmallo.project.project import Project

Command = Callable[..., Done]

PAGE = (
    "<html lang=es><title>Barcos</title><main><p>El barco salió del puerto de Soria.</p><p>Un barco más, otro mar.</p></main>"
)

OBJECTS: dict[str, list[str]] = {
    "new": ["{new}", "https://a.example/"],
    "crawl": ["{seed}", "--into", "{crawled}", "--pages", "2", "--delay", "0"],
    "run": ["{crawled}"],
    "revisit": ["{crawled}", "--budget", "1"],
    "fresh": ["{crawled}"],
    "versions": ["{crawled}", "{seed}"],
    "clean": ["{own}"],
    "study": ["{own}"],
    "status": ["{done}"],
    "duplicate": ["{own}", "{copy}"],
    "delete": ["{copy}"],
    "restore": ["{copy}"],
    "schedule": ["{own}", "--every", "6h"],
    "follow": ["{own}", "--timetable", "{file}"],
    "snapshot": ["{own}", "thesis"],
    "retry": ["{own}"],
    "exclude": ["{own}", "/nada/"],
    "include": ["{own}", "*"],
    "kwic": ["{done}", "barco"],
    "export": ["{done}", "--as", "csv", "-o", "{file}"],
    "verdict": ["{own}", "barcoteca", "--accept"],
    "entity": ["{own}", "Ayer", "--kind", "LOC", "--block"],
    "annotations": ["{own}", "--agreement"],
    "find": ["{done}", "barco"],
    "word": ["{done}", "barco"],
    "sketch": ["{done}", "hacer"],
    "cite": ["{done}"],
    "report": ["{done}", "-o", "{file}"],
    "trend": ["{done}", "siestabús"],
    "laws": ["{done}"],
    "text": ["{page}"],
    "convert": ["{page}"],
    "slice": ["{page}", "barco"],
    "measures": ["{page}"],
    "sitemap": ["{folder}", "--base", "https://a.example/"],
    "import": ["{folder}", "--into", "{own}"],
    "sites": ["{own}", "--take-out", "127.0.0.3"],
    "mark": ["{own}", "{seed}", "yes"],
    "focus": ["{done}"],
    "subcorpus": ["{own}", "largo", "words>50"],
    "queries": ["{own}", "barcos"],
    "jobs": ["{own}", "--start", "laws", "--wait"],
}
"""A call of every command that prints one object, in an order in which they can be called."""

ROWS: dict[str, list[str]] = {
    "incidents": ["{done}"],
    "forms": ["{done}"],
    "login": ["{own}"],
    "check": ["{own}"],
    "repair": ["{own}"],
    "scheduler": ["--once"],
    "pending": ["{done}"],
    "list": ["{done}", "pages"],
    "groups": ["{own}", "barcos"],
    "stoplist": ["--standard", "es"],
    "keyness": ["{done}", "--against", "{counts}"],
    "rank": ["{done}"],
    "lab": ["cache", "{done}", "--words", "2000"],
    "blocks": ["{page}"],
    "words": ["{page}"],
    "tag": ["{page}"],
    "entities": ["{page}"],
    "kinds": ["{own}", "--pattern", "DOSE", '[pos="NUM"] "mg"'],
    "learn": ["{own}", "BOAT", "--seed", "red", "--seed", "mar"],
    "stems": ["{page}"],
    "languages": ["{page}"],
    "duplicates": ["{page}", "{page}"],
    "topic": ["{own}", "barco"],
}
"""A call of every command that prints rows."""

ROWS_TOO: dict[str, list[str]] = {
    "revisit": ["{done}", "--budget", "5", "--plan"],
    "schedule": ["--list"],
    "kwic": ["{done}", "barco", "--breakdown", "word/1"],
    "verdict": ["{own}", "--list"],
    "entity": ["{own}", "--list"],
    "annotations": ["{own}", "--doubts"],
    "find": ["{done}", "barco", "--every"],
    "laws": ["{done}", "--table", "zipf"],
    "snapshot": ["{own}"],
    "sites": ["{done}"],
    "mark": ["{own}"],
    "subcorpus": ["{own}"],
    "queries": ["{own}"],
    "jobs": ["{own}"],
}
"""Where a command that prints one object prints rows."""

NOTHING: dict[str, list[str]] = {
    "pending": ["{done}", "no-such-text"],
    "list": ["{done}", "pages", "--where", "words>1000000"],
    "schedule": ["--history"],
    "duplicates": ["{page}", "{folder}/other.html"],
    "stoplist": ["--add", "x", "--remove", "x"],
}
"""Rows of which there are none."""

ELSEWHERE = {
    "stop": "needs a run at work: tests/cli/test_control.py",
    "pause": "as stop",
    "resume": "as stop",
    "compare": "needs two runs: tests/cli/test_compare.py",
    "demo": "takes a while: tests/cli/test_sample.py",
    "serve": "goes on: tests/web/test_serve.py",
    "watch": "goes on: tests/project/test_file_watch.py",
    "worker": "needs a database: tests/pipeline/test_shared_worker.py",
    "cluster": "needs a database: tests/cli/test_cluster.py",
}
"""Commands whose output is looked at elsewhere; they print one object."""

ROWS_ELSEWHERE = {"cluster"}
"""Those of them that print rows by choice."""

LINES_ELSEWHERE = {"watch"}
"""Those of them that print nothing but rows."""


@pytest.fixture
def places(finished: Project, site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What stands in the calls: a project to read, one to change, a page."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    shutil.copytree(finished.folder, tmp_path / "own")
    Project.open(tmp_path / "own").snapshot("frozen")
    (tmp_path / "pages").mkdir()
    (tmp_path / "pages" / "page.html").write_text(PAGE)
    (tmp_path / "pages" / "other.html").write_text("<p>Nada que ver con lo anterior: montes y valles, nieve y lobos.</p>")
    (tmp_path / "counts").write_text("barco\t1\ncasa\t500\n")
    found = {name: tmp_path / name for name in ("new", "crawled", "copy", "own", "counts")}
    found |= {"done": finished.folder, "page": tmp_path / "pages" / "page.html", "folder": tmp_path / "pages"}
    return {name: str(path) for name, path in found.items()} | {"file": str(tmp_path / "out.csv"), "seed": site.seeds[0]}


def moments_as_numbers(value: Any, name: str = "") -> list[str]:
    """Names of what looks like seconds since 1970 (between 2001 and 2096) instead of a date."""
    if isinstance(value, dict):
        return [told for key, inner in value.items() for told in moments_as_numbers(inner, key)]
    if isinstance(value, list):
        return [told for inner in value for told in moments_as_numbers(inner, name)]
    return [name] if isinstance(value, float) and 1e9 < value < 4e9 else []


def called(trasmallo: Command, places: dict[str, str], name: str, arguments: list[str]) -> str:
    done = trasmallo(name, *(argument.format(**places) for argument in arguments), "--json")
    assert done.code == 0, (name, done.err)
    printed = [json.loads(done.out)] if done.out.startswith("{\n") else [json.loads(line) for line in done.out.splitlines()]
    assert moments_as_numbers(printed) == [], f"{name}: dates are ISO 8601"
    return done.out


def rows_in(name: str, printed: str) -> list[Any]:
    rows = [json.loads(line) for line in printed.splitlines()]
    assert all(isinstance(row, dict) for row in rows), name
    assert not any(next(iter(row)) in ("document", "digest") for row in rows), f"{name}: rows begin with what names them"
    return rows


def test_every_command_is_here() -> None:
    assert sorted([*OBJECTS, *ROWS, *ELSEWHERE]) == sorted(COMMANDS)


@pytest.mark.timeout(300)
def test_one_object(trasmallo: Command, places: dict[str, str]) -> None:
    trasmallo("kwic", places["own"], "barco", "--save", "barcos")
    for name, arguments in OBJECTS.items():
        assert isinstance(json.loads(called(trasmallo, places, name, arguments)), dict), name


def test_rows(trasmallo: Command, places: dict[str, str]) -> None:
    trasmallo("kwic", places["own"], "de", "--into", "barcos")
    for name, arguments in ROWS.items():
        assert rows_in(name, called(trasmallo, places, name, arguments)) or name in (
            "check",
            "repair",
            "scheduler",
            "pending",
            "forms",
            "login",
        ), name
    trasmallo("schedule", places["own"], "--every", "6h")
    trasmallo("verdict", places["own"], "barcoteca", "--accept")
    trasmallo("mark", places["own"], places["seed"], "yes")
    trasmallo("subcorpus", places["own"], "largo", "words>50")
    trasmallo("kwic", places["own"], "barco", "--save", "barcos")
    trasmallo("jobs", places["own"], "--start", "laws", "--wait")
    trasmallo("entity", places["own"], "Ayer", "--kind", "LOC", "--block")
    for name, arguments in ROWS_TOO.items():
        assert rows_in(name, called(trasmallo, places, name, arguments)), name


def test_no_rows_are_no_lines(trasmallo: Command, places: dict[str, str]) -> None:
    for name, arguments in NOTHING.items():
        assert called(trasmallo, places, name, arguments) == "", name


@pytest.mark.parametrize("name", COMMANDS)
def test_the_help_says_which(trasmallo: Command, name: str) -> None:
    printed = " ".join(trasmallo(name, "--help").out.split())
    said = "Print JSON Lines" if name in {*ROWS, *LINES_ELSEWHERE} else "Print one JSON object"
    assert said in printed
    assert ("JSON Lines: an object a row" in printed) == (name in {*ROWS, *ROWS_TOO, *ROWS_ELSEWHERE, *LINES_ELSEWHERE})


@pytest.mark.parametrize("name", ["slice", "convert", "export", "stoplist", "verdict"])
def test_a_hyphen_is_standard_output(trasmallo: Command, places: dict[str, str], tmp_path: Path, name: str) -> None:
    more = {"slice": ["{page}", "barco"], "convert": ["{page}"], "stoplist": ["--standard", "es"], "verdict": ["{own}"]}
    more["export"] = ["{done}", "--as", "csv", "--table", "words", "--where", "count>50"]
    if name == "verdict":
        trasmallo("verdict", places["own"], "barcoteca", "--accept")
    option = "--export" if name == "verdict" else "-o"
    arguments = [argument.format(**places) for argument in more[name]]
    printed = trasmallo(name, *arguments, option, "-")
    assert printed.code == 0, printed.err
    written = tmp_path / "written"
    assert trasmallo(name, *arguments, option, written).code == 0
    assert printed.out.rstrip("\n") == written.read_text("utf-8").rstrip("\n")
    assert not Path("-").exists()
