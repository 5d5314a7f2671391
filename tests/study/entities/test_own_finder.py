"""Users' own kinds in texts: lists, titles, patterns, what verifies what, and patterns that would take too long."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from trasmallo.study.entities.found import entities
from trasmallo.study.entities.own_finder import OwnFinder, finder_of, fixed_finder
from trasmallo.study.entities.own_kinds import OwnKinds, OwnPattern
from trasmallo.study.entities.tagged_text import TaggedText
from trasmallo.study.morphology import tag_types
from trasmallo.study.sentences import cut

KINDS = """
[[list]]
kind = "DRUG"
file = "drugs.txt"
inflected = true

[[list]]
kind = "STREET"
file = "streets.txt"

[[list]]
kind = "CITY"
file = "cities.txt"
verified = true

[[list]]
kind = "PER"
file = "titles.txt"
inflected = true
titles = true

[[pattern]]
kind = ""
pattern = '[ent="STREET"]+ "," [ent="CITY"]+'
verifies = ["CITY"]

[[pattern]]
kind = "DOSE"
before = '[ent="DRUG"]+ "de"'
pattern = '[ent="QUANTITY"]+'
score = 0.8
"""
LISTS = {
    "drugs.txt": "aspirina\tN02BA01\nantiinflamatorio no esteroideo\n",
    "streets.txt": "calle Mayor\n",
    "cities.txt": "Soria\nSol\n",
    "titles.txt": "ministro de Hacienda\ndoctor\n",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, text in LISTS.items():
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "entities.toml").write_text(KINDS, "utf-8")
    return tmp_path


def found(text: str, folder: Path) -> dict[str, tuple[str, str, str]]:
    return {one.text: (one.kind, one.value, one.source) for one in entities(text, "es", kinds=folder)}


def test_lists_and_patterns_find_their_kinds(folder: Path) -> None:
    told = found("Tomó aspirinas de 500 mg, no ANTIINFLAMATORIOS NO ESTEROIDEOS.", folder)
    assert told["aspirinas"] == ("DRUG", "N02BA01", "list")
    assert told["500 mg"] == ("DOSE", "0.0005 kg", "pattern")
    assert told["ANTIINFLAMATORIOS NO ESTEROIDEOS"] == ("DRUG", "antiinflamatorio no esteroideo", "list")
    (dose,) = [one for one in entities("Tomó aspirinas de 500 mg.", "es", kinds=folder) if one.kind == "DOSE"]
    assert dose.score == 0.8


def test_what_stands_before_a_pattern_must_stand_right_before_it(folder: Path) -> None:
    assert found("Tomó aspirinas y 500 mg de sal.", folder)["500 mg"][0] == "QUANTITY"


def test_a_name_counts_where_a_pattern_verifies_it(folder: Path) -> None:
    told = entities("Vive en la calle Mayor, Soria. El sol brilla en Soria.", "es", kinds=folder)
    assert [(one.text, one.kind) for one in told] == [("calle Mayor", "STREET"), ("Soria", "CITY"), ("Soria", "LOC")]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Habló la ministra de Hacienda, Zurbia Quandt de la Mar, ayer.", "Zurbia Quandt de la Mar"),
        ("Vino el doctor Zzap y habló.", "Zzap"),
        ("Vinieron las doctoras Zzap.", "Zzap"),
    ],
)
def test_the_name_behind_a_title_is_of_its_kind(folder: Path, text: str, name: str) -> None:
    assert found(text, folder)[name] == ("PER", "", "list")


@pytest.mark.parametrize("text", ["", " ", "el doctor", "doctor , y", "calle Mayor ,", "doctor " * 50])
def test_odd_texts_are_no_trouble(folder: Path, text: str) -> None:
    assert all(one.kind != "CITY" for one in entities(text, "es", kinds=folder))


def test_names_do_not_reach_over_sentences(folder: Path) -> None:
    assert "calle. Mayor" not in found("Es una calle. Mayor es la otra.", folder)


def test_a_pattern_that_explodes_is_given_up_and_told(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    pattern = OwnPattern(kind="X", pattern='(([]{0,20}){0,5}){0,5} "z"')
    finder = OwnFinder(OwnKinds((), (pattern,)), tmp_path, "es", most_steps=10_000)
    text = "a b c d e f g h " * 200 + "z"
    found = cut(text, "es")
    with caplog.at_level(logging.WARNING, "trasmallo"):
        assert finder.find(TaggedText(text, found, tag_types(found, "es").spread(), "es"), []) == []
    assert "was given up" in caplog.text


def test_a_changed_file_is_read_again_but_not_in_a_run(folder: Path) -> None:
    path = str(folder / "entities.toml")
    fixed = fixed_finder(path)
    before = finder_of(path, "es")
    assert before is finder_of(path, "es") is fixed("es")
    (folder / "drugs.txt").write_text("ibuprofeno\n", "utf-8")
    assert finder_of(path, "es") is not before
    assert fixed("es") is before
    assert finder_of("", "es") is None
