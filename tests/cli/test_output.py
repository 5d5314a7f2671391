"""What commands print."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import click
import msgspec
import pytest
from rich.cells import cell_len

from support.command_line import Done
from trasmallo.cli import COMMANDS, program
from trasmallo.cli.output import (
    fit_columns,
    number_of,
    place_for,
    print_fitted,
    print_json,
    print_json_lines,
    print_separated,
    print_table,
)
from trasmallo.project.project import Project

NEEDED = {
    "find": ["mar"],
    "kwic": ["mar"],
    "list": ["words"],
    "export": ["--as", "csv", "-o", "-"],
    "sketch": ["mar"],
    "trend": ["mar"],
    "word": ["mar"],
    "snapshot": ["tesis"],
}
"""What a command needs besides the folder."""


def test_a_table_shows_hostile_text_as_it_is(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    print_table(("what", "number"), [("[red]x[/red]\x1b[2J\n", 1234567), (None, 5)], title="[bold]t", caption="c")
    out = capsys.readouterr().out
    assert "[red]x[/red]" in out
    assert "[bold]t" in out
    assert "\x1b" not in out
    assert "1,234,567" in out


def test_floats_truth_and_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("a", "b", "c"), [(1.5, True, None)])
    assert "1.50" in (out := capsys.readouterr().out)
    assert "True" in out
    assert "None" not in out


def test_an_empty_table_has_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(("column",), [])
    assert "column" in capsys.readouterr().out


def test_json_and_separated_values(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"a": "ñ"})
    print_json_lines([{"a": 1}, {"a": 2}])
    print_separated(("a", "b"), [("x,y", 1)])
    print_separated(("a", "b"), [("x\ty", 1)], tabs=True)
    assert capsys.readouterr().out == '{\n  "a": "ñ"\n}\n{"a":1}\n{"a":2}\na,b\n"x,y",1\na\tb\n"x\ty"\t1\n'


CELLS = [
    ["Un título bastante largo para una columna", "http://a.example/un/camino/largo.html", "12"],
    ["Otro", "http://a.example/", "3"],
]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_columns_fit_the_screen(width: int) -> None:
    widths = fit_columns(("title", "url", "words"), CELLS, width)
    assert sum(widths) + 3 * len(widths) + 1 <= width
    assert 1 <= len(widths) <= 3
    assert len(widths) == 3 or width < 80
    if width == 200:
        assert widths == [41, 37, 5], "what finds room is whole"


def test_one_column_is_always_shown() -> None:
    assert len(fit_columns(("title", "url"), [["x" * 50, "y"]], 3)) == 1


@pytest.mark.parametrize("width", [40, 60, 100])
def test_a_fitted_table_has_a_line_a_row(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    print_fitted(("title", "url", "words"), [*CELLS, ["日本語の題名がここにあります、とても長い", "x", "1"]], hidden=2)
    out = capsys.readouterr().out.splitlines()
    assert all(cell_len(line) <= width for line in out)
    assert sum(line.startswith("│") for line in out) == 3
    assert "more columns: choose with --columns" in " ".join(out) or width < 60


def test_of_an_address_the_end_is_shown(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "40")
    print_fitted(("title", "url"), [("Las redes del puerto viejo", "https://example.org/sección/redes.html"), ("b", "c")])
    out = capsys.readouterr().out
    assert "redes.html │" in out
    assert "https://" not in out


def test_what_is_said_of_a_table_is_as_wide_as_the_screen(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    print_table(("word",), [("red",)], title="What this [table] tells, in quite a few words.", caption="1 of 12 rows")
    out = capsys.readouterr().out.splitlines()
    assert (out[0], out[-1]) == ("What this [table] tells, in quite a few words.", "1 of 12 rows")


def test_what_is_written_to_a_hyphen_is_printed(capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    with place_for("-") as path:
        Path(path).write_bytes(b"\x00\xff")
    assert capfdbinary.readouterr().out == b"\x00\xff"
    with place_for("somewhere") as path:
        assert path == "somewhere"


def test_one_of_a_kind_is_no_plural() -> None:
    assert [number_of(count, "row") for count in (0, 1, 2000)] == ["0 rows", "1 row", "2,000 rows"]


def _commands_with_time() -> list[str]:
    """All commands that answer as of a date or a run; what a page said on a date (`versions`) is of no run."""
    context = click.Context(program)
    found = ((name, program.get_command(context, name)) for name in COMMANDS)
    told = {name: {option for each in command.params for option in each.opts} for name, command in found if command}
    return [name for name, options in told.items() if {"--as-of", "--run"} <= options]


@pytest.mark.parametrize("command", _commands_with_time())
def test_a_time_that_means_nothing_is_refused_with_the_repair(
    command: str, finished: Project, trasmallo: Callable[..., Done], tmp_path: Path
) -> None:
    reference = tmp_path / "reference.tsv"
    reference.write_text("mar\t5\n")
    needed = ["--against", reference] if command == "keyness" else NEEDED.get(command, [])
    for option in ("--as-of", "--run"):
        done = trasmallo(command, finished.folder, *needed, option, "nonsense")
        assert (done.code, done.out) == (2, "")
        assert done.refusal().startswith("trasmallo: there is no run 'nonsense': choose one of demo-")
        assert done.err.endswith(", or a date like 2026-05-31\n")
    said = trasmallo(command, finished.folder, *needed, "--as-of", "2026-02-31").refusal()
    assert said == "trasmallo: '2026-02-31' is no date: write it like 2026, 2026-05 or 2026-05-31"
    said = trasmallo(command, finished.folder, *needed, "--as-of", "1999").refusal()
    assert said == "trasmallo: the collection had no results on 1999: choose a later date"


@pytest.mark.skipif(sys.platform == "darwin", reason="names there are UTF-8")
def test_names_that_are_no_text_are_told_in_json(tmp_path: Path, trasmallo: Callable[..., Done]) -> None:
    for octet in (b"\xe1", b"\xe9"):
        path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/caf" + octet + b".txt"))
        path.write_text("Los barcos salen del puerto de la ciudad cada mañana con las redes.")
    (pair,) = trasmallo("duplicates", tmp_path, "--json").rows()
    assert sorted(str(pair[name])[-13:] for name in ("first", "second")) == [r"caf\udce1.txt", r"caf\udce9.txt"]
    refused = trasmallo("status", tmp_path / "caf\udce9.txt", "--json")
    assert (refused.code, refused.out) == (2, "")
    assert "caf" in msgspec.json.decode(refused.err)["error"]["problem"]
