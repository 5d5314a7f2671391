"""trasmallo slice."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done

Command = Callable[..., Done]
HTML = (
    "<html lang=es><nav><a href=/x>Madrid</a></nav><article><h1>Madrid gana</h1><p>El <b>Madrid</b> gana al Auxerre. "
    "Luego llueve.</p><p>Nada que ver.</p></article>"
)


@pytest.fixture
def page(tmp_path: Path) -> Path:
    (tmp_path / "a.html").write_text(HTML, "utf-8")
    return tmp_path / "a.html"


def test_a_page_about_something(page: Path, trasmallo: Command) -> None:
    done = trasmallo("slice", page, "madrid AND auxerre")
    assert (done.code, done.err) == (0, "")
    assert "<p>El <b>Madrid</b> gana al Auxerre. Luego llueve.</p>" in done.out
    assert "Nada" not in done.out


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ([], "Madrid\nMadrid gana\nMadrid"),
        (["--tolerance", "1"], "Madrid\nMadrid gana\nEl Madrid gana al Auxerre. Luego llueve.\nNada que ver."),
        (["--tolerance", "near:1"], "Madrid\nMadrid gana\nEl Madrid gana"),
        (["--tolerance", "meaning:0"], "Madrid\nMadrid\nEl Madrid"),
        (["--inverse"], "El gana al Auxerre. Luego llueve.\nNada que ver."),
        (["--in", "attributes"], ""),
        (["--case"], ""),
        (["--then", "gana"], "Madrid gana"),
        (["--without", "gana"], "Madrid\nMadrid"),
        (["--tolerance", "9", "--then", "nada", "--tolerance", "0"], "Nada que ver."),
    ],
)
def test_options(page: Path, trasmallo: Command, options: list[str], text: str) -> None:
    done = trasmallo("slice", page, "madrid", "--format", "text", "--quiet", *options)
    assert (done.code, done.err) == (0, "")
    assert done.out.rstrip("\n") == text


def test_parts_of_words_and_accents(page: Path, trasmallo: Command) -> None:
    assert trasmallo("slice", page, "aux", "--part", "--format", "text").out.startswith("El Madrid gana")
    assert trasmallo("slice", page, "auxérre", "--accents", "--quiet", "--format", "text").out.strip() == ""
    assert "Auxerre" in trasmallo("slice", page, "auxérre", "--format", "text").out


@pytest.mark.parametrize("view", ["keep", "collapse", "bare"])
def test_views_and_files(page: Path, trasmallo: Command, tmp_path: Path, view: str) -> None:
    target = tmp_path / "out.html"
    done = trasmallo("slice", page, "auxerre", "--view", view, "--mark", "-o", target)
    assert (done.code, done.out, done.err) == (0, "", "")
    written = target.read_text("utf-8")
    assert "<mark>Auxerre</mark>" in written
    assert ("Nada" in written) is (view == "keep")
    assert ("<article>" in written) is (view != "bare")


def test_json_has_paths_and_reasons(page: Path, trasmallo: Command) -> None:
    found = trasmallo("slice", page, "x OR auxerre", "--then", "madrid OR x", "--json").value()
    assert (found["count"], found["most_tolerance"]) == (2, 2)
    assert [step["criterion"] for step in found["steps"]] == ["x OR auxerre", "madrid OR x"]
    assert [(node["path"], node["reason"]) for node in found["nodes"]] == [
        ("/html/body/nav[1]/a[1]", "text"),
        ("/html/body/article[1]/p[1]/b[1]", "text"),
    ]
    assert found["html"].startswith("<!DOCTYPE html>")
    assert found["text"] == "Madrid\nMadrid"
    assert trasmallo("slice", page, "x", "--json").value()["nodes"][0]["reason"] == "attributes"


def test_the_main_block(page: Path, trasmallo: Command) -> None:
    for place in ("before", "after"):
        assert trasmallo("slice", page, "gana", "--main", place, "--format", "text", "--quiet").code == 0


@pytest.mark.parametrize(
    ("kind", "part"),
    [("command", "trasmallo slice"), ("css", "{ display: none !important; }"), ("ublock", "##:is(p, li")],
)
def test_rules(page: Path, trasmallo: Command, kind: str, part: str) -> None:
    assert part in trasmallo("slice", page, "madrid", "--rule", kind).out


def test_a_rule_as_command_gives_the_same(page: Path, trasmallo: Command) -> None:
    options = ["madrid", "--tolerance", "near:2", "--then", "gana", "--without", "auxerre", "--part", "--view", "keep"]
    words = shlex.split(trasmallo("slice", page, *options, "--rule", "command").out)
    assert trasmallo(*words[1:]).out == trasmallo("slice", page, *options).out


def test_nothing_found_is_said(page: Path, trasmallo: Command) -> None:
    done = trasmallo("slice", page, "xenon")
    assert (done.code, done.err) == (0, "trasmallo: nothing on the page matches\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["madrid AND"], "AND lacks a word beside it, at character 8 of the criterion: write a word on each side"),
        ([""], "the criterion is empty, at character 1 of the criterion: write a word to look for"),
        (["a", "--then", "("], "a parenthesis is not closed, at character 1 of the criterion: close it with )"),
        (["a", "--tolerance", "far"], "'far' is no tolerance: write a number of levels, near:5 or meaning:2"),
        (["a", "--tolerance", "1", "--tolerance", "2"], "There are more tolerances than criteria: see trasmallo slice --help"),
        (["a", "--tolerance", "meaning:1", "--language", "fr"], "there are no meanings for the language 'fr': use near:N"),
    ],
)
def test_what_is_refused(page: Path, trasmallo: Command, arguments: list[str], message: str) -> None:
    done = trasmallo("slice", page, *arguments)
    assert done.code == 2
    assert done.err.startswith(f"trasmallo: {message}")
    assert done.err.count("\n") == 1


def test_a_file_that_is_not_there(trasmallo: Command) -> None:
    assert trasmallo("slice", "nowhere.html", "a").code == 2


def test_what_is_no_document(tmp_path: Path, trasmallo: Command) -> None:
    (tmp_path / "a.bin").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(50))
    done = trasmallo("slice", tmp_path / "a.bin", "a")
    assert done.code == 2
    assert "give a document in a format that trasmallo reads" in done.err


def test_forms_of_words(page: Path, trasmallo: Command) -> None:
    assert trasmallo("slice", page, "ganar~ auxerre", "--format", "text").out.startswith("El Madrid gana")
    assert trasmallo("slice", page, "llover", "--forms", "--format", "text").out.startswith("El Madrid gana")
    refused = trasmallo("slice", page, "llover~", "--language", "fr")
    assert refused.code == 2
    assert "say the language is en or es" in refused.err


def test_a_tree_of_related_words(page: Path, trasmallo: Command, tmp_path: Path) -> None:
    tree = tmp_path / "tree.xml"
    tree.write_text('<criterio valor="lluvia"><palabra nivel="1" valor="llover"/></criterio>', "utf-8")
    done = trasmallo("slice", page, "lluvia", "--tolerance", "meaning:1", "--related", tree, "--format", "text")
    assert "llueve" in done.out
    assert done.err.strip() == "trasmallo: the words themselves are not on the page; shown for their meaning: llueve (1)"
    told = trasmallo("slice", page, "lluvia", "--tolerance", "meaning:1", "--related", tree, "--json").value()
    assert told["related"] == [{"word": "llueve", "distance": 1, "way": []}]
    assert trasmallo("slice", page, "lluvia", "--related", tree).code == 2


def test_frames_beside_a_file_are_read(page: Path, trasmallo: Command, tmp_path: Path) -> None:
    outer = tmp_path / "outer.html"
    outer.write_text("<html lang=es><p>Fuera</p><iframe src=a.html></iframe><iframe src=../b.html></iframe>", "utf-8")
    (tmp_path.parent / "b.html").write_text("<p>Auxerre no se lee</p>", "utf-8")
    assert trasmallo("slice", outer, "auxerre", "--format", "text").out.strip() == "El Madrid gana al Auxerre. Luego llueve."


def test_names_of_xml_are_found_with_their_case(trasmallo: Command, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(
        '<?xml version="1.0"?><Mensaje><Remitente Nombre="Ana"/><Texto>Hola</Texto></Mensaje>', "utf-8"
    )
    (node,) = trasmallo("slice", tmp_path / "a.xml", "Remitente", "--case", "--json").value()["nodes"]
    assert node["attributes"] == [{"tag": "Remitente", "name": "data-element", "value": "Remitente"}]


def test_elements_in_the_middle_of_a_text_are_found_by_their_names(trasmallo: Command, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(
        '<?xml version="1.0"?><p>Vive en <City Region="CyL">Soria</City>, sola, en <City>Ólvega</City> no.</p>', "utf-8"
    )
    found = trasmallo("slice", tmp_path / "a.xml", "City", "--in", "elements", "--json").value()["nodes"]
    assert [(node["tag"], node["text"]) for node in found] == [("City", "Soria"), ("City", "Ólvega")]
    (node,) = trasmallo("slice", tmp_path / "a.xml", "Region", "--in", "attributes", "--case", "--json").value()["nodes"]
    assert node["attributes"] == [{"tag": "City", "name": "Region", "value": "CyL"}]


def test_names_of_elements_and_attributes_are_asked_for_alone(trasmallo: Command, tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(
        '<?xml version="1.0"?><Mensaje><Remitente codigoPostal="3"/><Texto Remitente="x">remitente</Texto></Mensaje>', "utf-8"
    )

    def found(word: str, *options: str) -> list[tuple[str, str, list[str]]]:
        nodes = trasmallo("slice", tmp_path / "a.xml", word, "--quiet", "--json", *options).value()["nodes"]
        return [(node["tag"], node["reason"], [told["name"] for told in node["attributes"]]) for node in nodes]

    assert found("remitente", "--in", "elements") == [("Remitente", "name", [])]
    assert found("remitente", "--in", "elements", "--case") == []
    assert found("remitente", "--in", "attributes") == [("Texto", "attributes", ["Remitente"])]
    assert found("remitente", "--in", "text") == [("Texto", "text", [])]
    assert found("codigoPostal", "--case") == [("Remitente", "attributes", ["codigoPostal"])]


def test_a_rule_of_names_of_elements(page: Path, trasmallo: Command) -> None:
    assert trasmallo("slice", page, "nav", "--in", "elements", "--format", "text").out.strip() == "Madrid"
    assert trasmallo("slice", page, "nav", "--in", "elements", "--rule", "command").out.rstrip().endswith("nav --in elements")
    assert "display: none" in trasmallo("slice", page, "nav", "--in", "elements", "--rule", "css").out
    refused = trasmallo("slice", page, "nav", "--in", "elements", "--rule", "ublock")
    assert (refused.code, "names of elements" in refused.err) == (2, True)


def test_forms_in_their_context(tmp_path: Path, trasmallo: Command) -> None:
    page = tmp_path / "vino.html"
    page.write_text("<html lang=es><p>Mi hermano no vino a casa.</p><p>Bebimos un vino tinto.</p></html>", encoding="utf-8")
    done = trasmallo("slice", page, "venir~", "--in-context", "--format", "text")
    assert done.out.strip() == "Mi hermano no vino a casa."
    assert (
        trasmallo("slice", page, "vino", "--forms", "--in-context", "--format", "text").out.strip() == "Bebimos un vino tinto."
    )
    refused = trasmallo("slice", page, "vino", "--in-context")
    assert refused.code == 2
    assert refused.err.strip().endswith("write word~, or ask for all forms")


def test_what_only_attributes_say_is_told_where_text_is_wanted(page: Path, trasmallo: Command) -> None:
    page.write_text("<html lang=es><p>Nada.</p><img alt='Madrid de noche' src=x.png>", "utf-8")
    done = trasmallo("slice", page, "madrid", "--format", "text")
    assert (done.code, done.out.strip()) == (0, "")
    assert 'no text matches, but img alt="Madrid de noche": see where with --format html --mark' in done.err
    assert trasmallo("slice", page, "madrid").err == ""
