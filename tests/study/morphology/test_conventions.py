from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study import languages
from trasmallo.study.morphology.conventions import Conventions, split
from trasmallo.study.morphology.tables import Readings
from trasmallo.study.morphology.tags import Tags

RULED = sorted({languages.choose(language.code) for language in languages.known()})
"""The languages with rules of their own, and und."""

SPANISH = Conventions("es", Tags("es"))


def told(form: str, readings: Readings) -> set[tuple[str, str]]:
    return {(form[: len(form) - one.cut] + one.add, one.category) for one in readings}


@pytest.mark.parametrize(
    ("form", "listed", "expected"),
    [
        ("me", [("me", "PP1CS00"), ("me", "P01CS00")], {("yo", "PRON")}),
        ("la", [("el", "DA0FS0"), ("lo", "PP3FSA0")], {("el", "DET"), ("él", "PRON")}),
        ("usted", [("usted", "PP2CS0P")], {("usted", "PRON")}),
        ("al", [("a+el", "SP+DA")], {("al", "ADP"), ("a", "ADP")}),
        ("primeras", [("1", "AO0FP00")], {("primero", "ADJ")}),
        ("primer", [("1", "AO0MS00")], {("primero", "ADJ")}),
        ("cantadas", [("cantar", "VMP00PF")], {("cantar", "VERB"), ("cantado", "ADJ"), ("cantado", "NOUN")}),
        ("alumna", [("alumno", "NCFS000")], {("alumno", "NOUN"), ("alumna", "NOUN")}),
        ("alumnas", [("alumno", "NCFP000")], {("alumno", "NOUN"), ("alumna", "NOUN")}),
        ("razones", [("razón", "NCFP000")], {("razón", "NOUN")}),
        ("dos", [("do", "NCMP000")], {("dos", "NUM")}),
        ("muy", [("muy", "RG")], {("muy", "ADV"), ("mucho", "ADV")}),
    ],
)
def test_readings_as_the_treebanks_write_them(form: str, listed: list[tuple[str, str]], expected: set[tuple[str, str]]) -> None:
    assert told(form, SPANISH.readings(form, listed)) == expected


def test_a_participle_used_as_a_noun_keeps_gender_and_number_only() -> None:
    features = {one.category: one.features for one in SPANISH.readings("cantadas", [("cantar", "VMP00PF")])}
    assert features["NOUN"] == "Gender=Fem|Number=Plur"
    assert features["ADJ"] == "Gender=Fem|Number=Plur|VerbForm=Part"


def test_readings_that_differ_in_features_are_one() -> None:
    (found,) = SPANISH.readings("cantaba", [("cantar", "VMII1S0"), ("cantar", "VMII3S0")])
    assert (found.tag, "Person=1,3" in found.features) == ("VMII1S0 VMII3S0", True)


@given(st.text(alphabet="abñé", max_size=8), st.text(alphabet="abñé", max_size=8))
def test_a_form_and_its_lemma_come_back(form: str, lemma: str) -> None:
    cut, add = split(form, lemma)
    assert form[: len(form) - cut] + add == lemma


@pytest.mark.parametrize("code", RULED)
def test_the_tables_can_be_read(code: str) -> None:
    assert Conventions(code, Tags(code)).readings("?", []) == ()
