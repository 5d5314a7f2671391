"""Own models: trained, tested, cross-validated."""

from __future__ import annotations

import pytest

from trasmallo.study.entities.evaluation import evaluate
from trasmallo.study.entities.learning import Method, cross_validate, entities_with, labeller, train_model
from trasmallo.values.errors import UsageError

NAMES = ("Ana Pérez", "Juan Gómez", "Luis Gil", "Eva Sanz", "Marta Ruiz", "Pedro Mora")
SENTENCES = [
    [(given, "B-PER"), (surname, "I-PER"), ("toma", "O"), ("Ibuprol", "B-DRUG"), ("en", "O"), (town, "B-LOC"), (".", "O")]
    for given, surname in map(str.split, NAMES)
    for town in ("Soria", "Madrid", "Lugo", "Toledo")
]


@pytest.mark.parametrize("method", ["crf", "hmm"])
def test_a_model_learns_own_kinds(method: Method) -> None:
    if method == "crf":
        pytest.importorskip("pycrfsuite")
    model = train_model(SENTENCES, method, "es", "a test")
    assert evaluate(SENTENCES, labeller(model, "es")).scores[-2].f1 > 95
    found = entities_with(model, "Ana Gil toma Ibuprol en Soria desde 1998.", "es")
    assert ("Ibuprol", "DRUG") in [(one.text, one.kind) for one in found]
    assert ("1998", "DATE") in [(one.text, one.kind) for one in found]


def test_every_sentence_is_tested_once() -> None:
    found = cross_validate(SENTENCES, "hmm", "es", 4)
    assert found.sentences == len(SENTENCES)
    assert found.scores[-2].f1 > 80


@pytest.mark.parametrize("folds", [1, 99])
def test_folds_must_fit(folds: int) -> None:
    with pytest.raises(UsageError, match="folds"):
        cross_validate(SENTENCES, "hmm", "es", folds)
