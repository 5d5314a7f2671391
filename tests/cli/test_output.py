"""What commands print."""

from __future__ import annotations

import pytest

from trasmallo.cli.output import print_json, print_json_lines, print_separated, print_table


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
