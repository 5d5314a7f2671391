from __future__ import annotations

import pytest

from trasmallo.study import languages
from trasmallo.study.morphology.tags import Tags, extended, joined, merged, only, pairs

RULED = sorted({languages.choose(language.code) for language in languages.known()})
"""The languages with rules of their own, and und."""


@pytest.mark.parametrize(
    ("tag", "category", "features"),
    [
        ("NCFS000", "NOUN", "Gender=Fem|Number=Sing"),
        ("NCMN000", "NOUN", "Gender=Masc"),
        ("VMIP3S0", "VERB", "Mood=Ind|Number=Sing|Person=3|Tense=Pres|VerbForm=Fin"),
        ("VMIC3P0", "VERB", "Mood=Cnd|Number=Plur|Person=3|VerbForm=Fin"),
        ("VSIS3S0", "AUX", "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin"),
        ("VMP00PF", "VERB", "Gender=Fem|Number=Plur|Tense=Past|VerbForm=Part"),
        ("VMN0000", "VERB", "VerbForm=Inf"),
        ("AQ0CS00", "ADJ", "Number=Sing"),
        ("DA0FP0", "DET", "Definite=Def|Gender=Fem|Number=Plur|PronType=Art"),
        ("DP1FSP", "DET", "Gender=Fem|Number=Sing|Number[psor]=Plur|Person=1|Poss=Yes|PronType=Prs"),
        ("PP3MSA0", "PRON", "Case=Acc|Gender=Masc|Number=Sing|Person=3|PrepCase=Npr|PronType=Prs"),
        ("CC", "CCONJ", ""),
        ("CS", "SCONJ", ""),
        ("SP", "ADP", ""),
        ("?", "X", ""),
    ],
)
def test_a_spanish_tag_in_universal_terms(tag: str, category: str, features: str) -> None:
    assert Tags("es").read(tag) == (category, features)


def test_an_english_tag() -> None:
    assert Tags("en").read("NNS") == ("NOUN", "Number=Plur")
    assert Tags("en").read("VBZ")[0] == "VERB"


@pytest.mark.parametrize("code", RULED)
def test_every_row_names_a_category_or_features(code: str) -> None:
    assert all(category or features for _, category, features in languages.load(code).rows("tags.tsv"))


def test_features_that_differ_stand_side_by_side() -> None:
    assert Tags("es").features(["VMII1S0", "VMII3S0"]) == "Mood=Ind|Number=Sing|Person=1,3|Tense=Imp|VerbForm=Fin"
    assert merged(["A=1|B=2", "A=1|B=2"]) == "A=1|B=2"
    assert merged(["A=2", "A=1|B=1"]) == "A=1,2|B=1"


def test_features_as_text_and_back() -> None:
    assert joined(dict(pairs("Number=Sing|Gender=Fem"))) == "Gender=Fem|Number=Sing"
    assert pairs("") == []
    assert extended("Gender=Fem|Number=Sing", "Number=Plur|Typo=Yes") == "Gender=Fem|Number=Plur|Typo=Yes"
    assert only("Gender=Fem|Number=Sing|Tense=Past", ("Gender", "Tense")) == "Gender=Fem|Tense=Past"
