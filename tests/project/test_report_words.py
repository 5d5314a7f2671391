"""Words of a report."""

from __future__ import annotations

import ast
import inspect

from trasmallo.project import report
from trasmallo.project.report_words import ReportWords
from trasmallo.values.drawing.shapes import Drawing, Label


def test_numbers_are_written_as_the_language_does() -> None:
    assert ReportWords("es")("{first} to {last}", first=1_000, last=2.5) == "del 1.000 al 2,500"
    assert ReportWords("en")("{first} to {last}", first=1_000, last=2.5) == "1,000 to 2.500"
    assert ReportWords("es").value(None) == ""


def test_pictures_are_in_the_language() -> None:
    drawing = Drawing(10, 10, "rank")
    drawing.add(Label(0, 0, "words"), Label(0, 0, "rank"))
    assert ">palabras<" in ReportWords("es").picture(drawing, kept="rank")
    assert ">rank<" in ReportWords("es").picture(drawing, kept="rank")


def test_all_that_a_report_says_is_there_in_spanish() -> None:
    say = ReportWords("es")
    said = {
        str(call.args[0].value)
        for call in ast.walk(ast.parse(inspect.getsource(report)))
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "say" and isinstance(call.args[0], ast.Constant)
    }
    assert len(said) > 8
    assert [text for text in said if say(text) == text] == []
