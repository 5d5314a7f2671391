"""Commands for one document."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from commands import Done, call
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


@pytest.mark.parametrize("verb", ["text", "words"])
def test_what_cannot_be_read(trasmallo: Command, verb: str, tmp_path: Path) -> None:
    done = trasmallo(verb, tmp_path / "none.html")
    assert done.code == 2
    assert done.refusal().endswith("give a file, a URL, or - for standard input")


def test_an_unknown_method_is_refused(page: Path, trasmallo: Command) -> None:
    done = trasmallo("text", page, "--method", "magic")
    assert done.code == 2
    assert "best" in done.refusal()
