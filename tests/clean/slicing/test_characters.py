from __future__ import annotations

import importlib
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.clean.slicing.characters import BREAK, IDEOGRAPH, OTHER, SPACE, WORD, class_of, folding, kind, table

ROOT = Path(__file__).resolve().parents[3]
FOLDINGS = [folding(case=case, accents=accents) for case in (True, False) for accents in (True, False)]


def test_both_copies_are_those_that_the_script_writes(monkeypatch: pytest.MonkeyPatch) -> None:
    if unicodedata.unidata_version != table()["unicode"]:
        pytest.skip(f"the table is of Unicode {table()['unicode']}, this Python has {unicodedata.unidata_version}")
    monkeypatch.syspath_prepend(str(ROOT / "training"))
    made = importlib.import_module("characters").texts()
    sys.modules.pop("characters")
    assert len(made) == 2
    for path, text in made.items():
        assert path.read_text("utf-8") == text, path


def test_both_copies_hold_the_same_table() -> None:
    script = (ROOT / "extension" / "core" / "tables.js").read_text("utf-8")
    package = ROOT / "src" / "trasmallo" / "clean" / "slicing" / "characters.json"
    assert f"trasmallo.characters = {package.read_text('utf-8').strip()};" in script


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        ("MÁLAGA", "malaga"),
        ("cafe\u0301", "cafe"),
        ("Straße", "strasse"),
        ("ﬁn", "fin"),
        ("ŁÓDŹ", "lodz"),
        ("co\u00adrazón\u200b", "corazon"),
        ("İSTANBUL", "istanbul"),
        ("हिन्दी", "हिन्दी"),
        ("a\0b", "a\ufffdb"),
        ("𐐀", "𐐨"),
    ],
)
def test_folding(text: str, folded: str) -> None:
    assert folding(case=True, accents=True).fold(text) == folded


def test_case_and_accents_matter_when_they_should() -> None:
    assert folding(case=True, accents=False).fold("Ñandú") == "ñandú"
    assert folding(case=False, accents=True).fold("Ñandú") == "Nandu"
    assert folding(case=False, accents=False).fold("Ñandú\u00ad") == "Ñandú"


@pytest.mark.parametrize(
    ("characters", "expected"),
    [("añ\u03017½𐐀", WORD), ("_-😀\ud800", OTHER), (" \u00a0\u3000", SPACE), ("日か", IDEOGRAPH)],
)
def test_classes(characters: str, expected: int) -> None:
    assert [class_of(character) for character in characters] == [expected] * len(characters)


def test_blanks_are_those_of_str_split() -> None:
    assert all((class_of(chr(code)) == SPACE) == chr(code).isspace() for code in range(0x110000))


def test_lists_of_tags() -> None:
    assert "td" not in kind("inline")
    assert "script" in kind("unread")


@given(st.text())
def test_a_text_folded_twice_is_folded_once(text: str) -> None:
    for one in FOLDINGS:
        assert one.fold(one.fold(text)) == one.fold(text)


@given(st.text(st.characters() | st.sampled_from("ßáñÑ\u00ad\u0301ﬁ𐐀\0"), max_size=30))
def test_a_long_text_is_folded_like_its_characters(text: str) -> None:
    for one in FOLDINGS:
        whole = "".join(BREAK if character == BREAK else one.character(character) for character in text)
        found = one.fold_in_place(text)
        assert found == whole if found is not None else not one.keeps_places(text)


@given(st.text(st.characters() | st.sampled_from("ßáñÑ\u00ad\u0301ﬁ"), max_size=30))
def test_places_lead_back(text: str) -> None:
    for one in FOLDINGS:
        places = one.places(text)
        assert len(places) == len(one.fold(text)) + 1
        assert places == sorted(places)
        assert all(one.fold(text)[at] in one.character(text[place]) for at, place in enumerate(places[:-1]))
