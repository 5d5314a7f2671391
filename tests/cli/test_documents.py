"""Commands for one document."""

from __future__ import annotations

import csv
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done, call
from support.office97 import make_doc
from support.sample_documents import GOOD, WORDS
from support.stored_pages import html
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


@pytest.mark.parametrize("method", ["best", "plain", "cnr", "cetr", "cetr-1d", "bte", "bte-window", "all"])
def test_text_by_every_method(page: Path, trasmallo: Command, method: str) -> None:
    assert "La farola." in trasmallo("text", page, "--method", method, "--favour", "0.7").out


def test_text_says_when_it_was_cut(page: Path, trasmallo: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    assert trasmallo("text", page, "--json").value()["truncated"] is False
    monkeypatch.setattr("trasmallo.clean.flat.MAX_CHARACTERS", 200)
    cut = trasmallo("text", page)
    assert (cut.code, cut.err) == (0, "trasmallo: not everything was read (the page is too large to be read to its end)\n")
    assert trasmallo("text", page, "--quiet").err == ""
    assert trasmallo("text", page, "--json", "--quiet").value()["truncated"] is True


def test_text_as_json_has_metadata(page: Path, trasmallo: Command) -> None:
    assert trasmallo("text", page, "--json").value()["metadata"]["title"] == "Título"


def test_blocks_with_ratio_and_path(page: Path, trasmallo: Command) -> None:
    blocks = trasmallo("blocks", page, "--count", 2, "--json").rows()

    assert blocks[0]["rank"] == 1
    assert blocks[0]["path"] == "/html/body"
    assert blocks[0]["ratio"] > 10
    assert "/html/body" in trasmallo("blocks", page).out


def test_the_headline_by_choice(tmp_path: Path, trasmallo: Command) -> None:
    prose = "".join(f"<p>{'La red se cala al anochecer y se recoge de madrugada. ' * 5}</p>" for _ in range(5))
    (tmp_path / "a.html").write_text(f"<h1>Las redes</h1><div>{prose}</div>", "utf-8")
    assert "Las redes" not in trasmallo("text", tmp_path / "a.html", "--method", "cnr").out
    assert trasmallo("text", tmp_path / "a.html", "--method", "cnr", "--headline").out.startswith("Las redes")


def test_menus(tmp_path: Path, trasmallo: Command) -> None:
    entries = "".join(f"<li><a href=/{n}>Puerto {n}</a>" for n in range(5))
    (tmp_path / "a.html").write_bytes(html(f"</p><ul>{entries}</ul><p>La farola."))

    assert [menu["size"] for menu in trasmallo("blocks", tmp_path / "a.html", "--menus", "--json").rows()] == [5, 5, 5]


@pytest.mark.parametrize(("name", "start"), [("a.svg", b"<svg "), ("a.PNG", b"\x89PNG")])
def test_pictures(page: Path, trasmallo: Command, tmp_path: Path, name: str, start: bytes) -> None:
    done = trasmallo("blocks", page, "--plot", tmp_path / name, "--picture", "tree")

    assert done.code == 0
    assert (tmp_path / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("options", "repair"),
    [
        (("--plot", "a.gif"), "give a name that ends in .svg or .png"),
        (("--plot", "a.svg", "--picture", "selfie"), "choose among nodes, curve, tree, cnr, cetr, slope"),
        (("--plot", "none/a.svg"), "check that place on the disk and run the same command again"),
        (("--count", "0"), "see trasmallo blocks --help"),
    ],
)
def test_pictures_that_cannot_be_drawn(page: Path, trasmallo: Command, options: tuple[str, ...], repair: str) -> None:
    done = trasmallo("blocks", page, *options)

    assert done.code in (1, 2)
    assert done.refusal().endswith(repair)


def test_words_are_places_in_the_text(page: Path, trasmallo: Command) -> None:
    text = trasmallo("text", page, "--json").value()["text"]
    rows = trasmallo("words", page, "--json").rows()
    assert all(text[row["start"] : row["end"]] == row["word"] for row in rows)
    head, *lines = csv.reader(trasmallo("words", page).out.splitlines(), dialect="excel-tab")
    assert head == ["start", "end", "word", "kind", "lemma", "category", "features", "prefix", "clitics", "by", "tag", "parts"]
    assert [line[2] for line in lines] == [row["word"] for row in rows for _ in row["analyses"]]


def test_words_in_parts(tmp_path: Path, trasmallo: Command) -> None:
    counts, german, arabic = (tmp_path / name for name in ("counts.tsv", "de.txt", "ar.txt"))
    counts.write_text("Hafen\t900\nMauer\t700\n", encoding="utf-8")
    german.write_text("Die alte Hafenmauer steht noch.", encoding="utf-8")
    arabic.write_text("بيت الكتاب والقلم", encoding="utf-8")
    for flags in ((), ("--in-context",)):
        done = trasmallo("words", german, "--language", "de", "--frequencies", counts, *flags)
        rows = list(csv.DictReader(done.out.splitlines(), dialect="excel-tab"))
        assert {row["word"]: row["parts"] for row in rows if row["parts"]} == {"Hafenmauer": "hafen mauer"}
    found = trasmallo("words", arabic, "--language", "ar", "--json").rows()
    assert [row["parts"] for row in found] == [[], ["ال", "كتاب"], ["و", "ال", "قلم"]]
    assert "cannot read" in trasmallo("words", german, "--language", "de", "--frequencies", tmp_path / "none.tsv").refusal()


def test_words_in_context_have_one_reading(tmp_path: Path, trasmallo: Command) -> None:
    note = tmp_path / "note.txt"
    note.write_text("La casa es blanca. Dándoselo todo, ella casa con él.", encoding="utf-8")
    command = ("words", note, "--language", "es", "--in-context")
    head, *lines = csv.reader(trasmallo(*command).out.splitlines(), dialect="excel-tab")
    told = {
        (row["word"], row["lemma"], row["category"], row["clitics"])
        for row in (dict(zip(head, line, strict=True)) for line in lines)
    }
    assert {("casa", "casa", "NOUN", ""), ("Dándoselo", "dar", "VERB", "se lo"), ("es", "ser", "AUX", "")} <= told
    assert all(len(row["analyses"]) == 1 for row in trasmallo(*command, "--json").rows())


def test_a_language_of_which_nothing_is_known_is_refused(page: Path, trasmallo: Command) -> None:
    refused = trasmallo("words", page, "--language", "xx")
    assert refused.code == 2
    assert refused.refusal().startswith("trasmallo: nothing is known of the language 'xx': choose one of ar, ca")


def test_an_unknown_convention_is_refused(page: Path, trasmallo: Command) -> None:
    done = trasmallo("words", page, "--language", "es", "--in-context", "--convention", "penn")
    assert (done.code, done.refusal().endswith("choose ancora or gsd")) == (2, True)


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


@pytest.mark.parametrize("verb", ["text", "blocks", "words", "convert"])
def test_what_cannot_be_read(trasmallo: Command, verb: str, tmp_path: Path) -> None:
    done = trasmallo(verb, tmp_path / "none.html")
    assert done.code == 2
    assert done.refusal().endswith("give a file, a URL, or - for standard input")


def test_an_unknown_method_is_refused(page: Path, trasmallo: Command) -> None:
    done = trasmallo("text", page, "--method", "magic")
    assert done.code == 2
    assert "best" in done.refusal()


def test_comments_can_be_had_for_themselves(trasmallo: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    article = "<p>La farola se enciende al anochecer y se apaga de madrugada, cuando vuelven los barcos.</p>" * 5
    page.write_text(f"<article>{article}</article><div id=comments><p>Muy bueno.</p></div>")

    assert trasmallo("text", page, "--role", "comments").out == "Muy bueno.\n"
    refused = trasmallo("text", page, "--role", "pie")
    assert refused.code == 2
    assert "choose one of main, comments" in refused.err


def test_that_words_are_guessed_is_told_beside_the_output(trasmallo: Command, tmp_path: Path) -> None:
    page = tmp_path / "page.txt"
    page.write_text("Les maisons de la ville sont belles.", encoding="utf-8")
    done = trasmallo("words", page, "--language", "fr")
    assert done.code == 0
    assert "no words of French (fr) are listed: lemmas and categories are guesses" in done.err
    assert "guesses" not in trasmallo("words", page, "--language", "fr", "--quiet").err
    assert "guesses" not in trasmallo("words", page, "--language", "es").err


@pytest.mark.parametrize(
    "command",
    [
        ("blocks",),
        ("languages",),
        ("measures",),
        ("stems", "--language", "es"),
        ("words", "--language", "es"),
        ("entities",),
        ("slice", "farola"),
    ],
    ids=lambda command: command[0],
)
def test_every_command_says_when_its_document_was_cut(
    page: Path, trasmallo: Command, command: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    name, *rest = command
    assert "not everything" not in trasmallo(name, page, *rest).err
    monkeypatch.setattr("trasmallo.clean.flat.MAX_CHARACTERS", 200)
    told = "trasmallo: not everything was read (the page is too large to be read to its end)"
    assert told in trasmallo(name, page, *rest).err.splitlines()
    assert told not in trasmallo(name, page, *rest, "--quiet").err


def test_converting_says_when_a_text_was_cut(tmp_path: Path, trasmallo: Command) -> None:
    text = tmp_path / "largo.txt"
    text.write_text("mar\n\n" * 10, "utf-8")
    assert trasmallo("convert", text).err == ""
    text.write_text(f"{'mar ' * 4_000_000}\n\nfin\n", "utf-8")
    cut = trasmallo("convert", text)
    assert (cut.code, cut.err) == (0, "trasmallo: not everything was read (what follows was too much)\n")
    assert "fin" not in cut.out
