from __future__ import annotations

import pytest

from trasmallo.study.unlisted.classifier import Classifier, classifier_of
from trasmallo.study.unlisted.kind_model import load
from trasmallo.study.unlisted.kinds import TOLD_APART, Kind
from trasmallo.study.unlisted.signs import Sign, shares
from trasmallo.study.unlisted.word_facts import gatherer_of

SMALL = Sign.SMALL | Sign.AFTER_DETERMINER


@pytest.fixture
def spanish() -> Classifier:
    found = classifier_of("es")
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("word", "sign", "kind"),
    [
        ("barcoteca", SMALL, Kind.CANDIDATE),
        ("barcoteca", Sign.CAPITAL_FIRST, Kind.CANDIDATE),
        ("torrelodones", Sign.CAPITAL_INSIDE | Sign.AFTER_PREPOSITION, Kind.NAME),
        ("whistleblower", SMALL, Kind.FOREIGN),
        ("full-upgrade", SMALL, Kind.FOREIGN),
        ("travajo", Sign.SMALL, Kind.MISTAKE),
        ("dgt", Sign.CAPITALS | Sign.AFTER_DETERMINER, Kind.ABBREVIATION),
        ("ctrl", Sign.SMALL, Kind.ABBREVIATION),
        ("rehumanización", SMALL, Kind.FORMED),
        ("temparatura", SMALL, Kind.MISTAKE),
        ("perreo", SMALL, Kind.CANDIDATE),
        ("escrache", SMALL, Kind.CANDIDATE),
        ("pdte", Sign.SMALL, Kind.ABBREVIATION),
    ],
)
def test_the_likeliest_kind(spanish: Classifier, word: str, sign: int, kind: Kind) -> None:
    assert TOLD_APART[int(spanish.probabilities([word], shares([sign]))[0].argmax())] is kind


def test_what_is_meant(spanish: Classifier) -> None:
    assert spanish.nearest(["travajo", "hicistes", "xyzxyzxyz"]) == ["trabajo", "hiciste", ""]
    assert spanish.probabilities([], shares([])).shape == (0, len(TOLD_APART))


def test_no_more_than_so_many_are_remembered() -> None:
    model = load("es")
    assert model is not None
    few = Classifier(model, gatherer_of("es"), most=3)
    words = ["barcoteca", "travajo", "dgt", "whiplash"]
    first = [one.scores for one in few.known(words)]
    for word, scores in zip(words, first, strict=True):
        assert few.known([word])[0].scores == pytest.approx(scores)
    assert len(few._known) <= 4


def test_a_language_without_a_model_has_none() -> None:
    assert classifier_of("de") is None
