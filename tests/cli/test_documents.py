"""Commands for one document."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import Done, call
from documents import GOOD, WORDS
from oldoffice import make_doc
from pages import html
from trasmallo.demo.site import Site

Command = Callable[..., Done]


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "a.html").write_bytes(html("La <b>farola</b>."))
    return tmp_path / "a.html"


@pytest.mark.parametrize(("kind", "mark"), [("text", "La farola."), ("md", "farola"), ("html", "<p>")])
def test_text_in_its_formats(page: Path, trasmallo: Command, kind: str, mark: str) -> None:
    done = trasmallo("text", page, "--format", kind)
    assert (done.code, done.err) == (0, "")
    assert mark in done.out


def test_text_as_json(page: Path, trasmallo: Command) -> None:
    found = trasmallo("text", page, "--json").value()
    assert found == trasmallo("text", page, "--format", "json").value()
    assert (found["title"], found["language"]) == ("Título", "es")


def test_words_are_places_in_the_text(page: Path, trasmallo: Command) -> None:
    text = trasmallo("text", page, "--json").value()["text"]
    rows = trasmallo("words", page, "--json").rows()
    assert all(text[row["start"] : row["end"]] == row["word"] for row in rows)
    head, *lines = csv.reader(trasmallo("words", page).out.splitlines(), dialect="excel-tab")
    assert head == ["start", "end", "word", "kind"]
    assert [line[2] for line in lines] == [row["word"] for row in rows]


def test_standard_input_and_a_url(site: Site, trasmallo: Command) -> None:
    assert "farola" in call("text", "-", input=html("La farola.").decode()).out
    assert trasmallo("text", site.truth().pdf).out.strip()


@pytest.fixture
def report(tmp_path: Path) -> Path:
    (tmp_path / "a.docx").write_bytes(GOOD["docx"])
    return tmp_path / "a.docx"


def test_convert_prints_or_writes_html(report: Path, trasmallo: Command, tmp_path: Path) -> None:
    printed = trasmallo("convert", report)
    written = trasmallo("convert", report, "-o", tmp_path / "a.html")

    assert (printed.code, printed.err, written.out, written.err) == (0, "", "", "")
    assert "<h1>Redes</h1>" in printed.out
    assert (tmp_path / "a.html").read_text("utf-8") == printed.out.rstrip("\n")
    assert trasmallo("convert", report, "--json").value()["html"] == printed.out.rstrip("\n")


def test_the_text_of_an_office_document_is_all_of_it(report: Path, trasmallo: Command) -> None:
    assert all(word in trasmallo("text", report).out for word in WORDS)


def test_convert_says_what_was_lost(trasmallo: Command, tmp_path: Path) -> None:
    (tmp_path / "a.zip").write_bytes(GOOD["zip"])

    assert "c.png" in trasmallo("convert", tmp_path / "a.zip").err
    assert trasmallo("convert", tmp_path / "a.zip", "--quiet").err == ""


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (make_doc(flags=0x1300), "a.doc: could not be converted (it is encrypted): save it without a password"),
        (b"\x89PNG", "a.doc: format not read (image/png): give a document in a format that trasmallo reads"),
        (b"{\\rtf1 }", "a.doc: no text (nothing to read in 8 bytes of application/rtf)"),
    ],
)
def test_what_cannot_be_converted_ends_with_the_repair(trasmallo: Command, tmp_path: Path, content: bytes, line: str) -> None:
    (tmp_path / "a.doc").write_bytes(content)
    for verb in ("convert", "text"):
        done = trasmallo(verb, tmp_path / "a.doc")
        assert done.code == 2
        assert line in done.refusal()


def test_convert_into_a_place_that_cannot_be_written(report: Path, trasmallo: Command, tmp_path: Path) -> None:
    done = trasmallo("convert", report, "-o", tmp_path / "none" / "a.html")

    assert done.code == 2
    assert done.refusal().endswith("give a file in a folder that can be written")


@pytest.mark.parametrize("verb", ["text", "words", "convert"])
def test_what_cannot_be_read(trasmallo: Command, verb: str, tmp_path: Path) -> None:
    done = trasmallo(verb, tmp_path / "none.html")
    assert done.code == 2
    assert done.refusal().endswith("give a file, a URL, or - for standard input")


def test_an_unknown_method_is_refused(page: Path, trasmallo: Command) -> None:
    done = trasmallo("text", page, "--method", "magic")
    assert done.code == 2
    assert "best" in done.refusal()
