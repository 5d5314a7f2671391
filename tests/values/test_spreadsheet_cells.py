"""Cells that spreadsheets would take for formulas."""

from __future__ import annotations

import csv
import io
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.values.spreadsheet_cells import CellForm, SeparatedLines, neutral, restored

STRANGE = ["=1+1", "+1", "-1", "@SUM(1)", "\t=1", "\r=1", "'=1", "''-", '=HYPERLINK("http://x")']
PLAIN = ["gato", "", "a=b", "1-2", "'tis", " =1"]

texts = st.text(st.sampled_from("=+-@\t\r'a1\n\",;"), max_size=6)


@given(texts)
def test_what_there_was_comes_back(text: str) -> None:
    safe = neutral(text)
    assert restored(safe) == text
    assert safe[:1] not in tuple("=+-@\t\r")


def test_only_texts_that_may_be_formulas_change() -> None:
    assert [neutral(text) for text in STRANGE] == ["'" + text for text in STRANGE]
    assert [neutral(text) for text in PLAIN] == PLAIN
    assert "".join(SeparatedLines("abc", [(-3.5, -7, None)], CellForm())) == "a,b,c\n-3.5,-7,\n", "numbers stay numbers"


@given(st.lists(st.tuples(texts, st.integers()), max_size=10), st.booleans(), st.booleans(), st.booleans())
def test_lines_are_read_back(rows: list[tuple[str, int]], tabs: bool, raw: bool, bom: bool) -> None:
    lines = SeparatedLines(("text", "number"), rows, CellForm(tabs=tabs, raw=raw, bom=bom))
    written = "".join(lines)
    assert written.startswith("\ufeff") == bom
    found = list(csv.reader(io.StringIO(written.removeprefix("\ufeff"), newline=""), delimiter="\t" if tabs else ","))
    back = [(text if raw else restored(text), int(number)) for text, number in found[1:]]
    assert (found[0], back) == (["text", "number"], rows)
    assert lines.changed == (0 if raw else sum(neutral(text) != text for text, _ in rows))


def test_options_are_those_of_the_command_line() -> None:
    assert CellForm().options == ()
    assert CellForm(raw=True, bom=True).options == ("--raw", "--bom")


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice (soffice) is not installed")
def test_libreoffice_computes_nothing(tmp_path: Path) -> None:
    (tmp_path / "cells.csv").write_text("".join(SeparatedLines(("text", "number"), [("=1+1", -3.5), ("+2+3", 4)], CellForm())))
    command = ["soffice", f"-env:UserInstallation={(tmp_path / 'profile').as_uri()}", "--headless", "--convert-to", "fods"]
    subprocess.run([*command, "--outdir", tmp_path, tmp_path / "cells.csv"], check=True, capture_output=True, timeout=120)
    sheet = (tmp_path / "cells.fods").read_text()
    assert "table:formula" not in sheet
    assert 'office:value="-3.5"' in sheet, "a number stays a number"
    assert "=1+1" in sheet
