"""Training of log-linear models."""

from __future__ import annotations

import pytest

pytest.importorskip("pycrfsuite")

from trasmallo.study.entities.sequence_tagger import SequenceTagger
from trasmallo.study.entities.sequence_training import train

SENTENCES = [[("Ana", "B-PER"), ("vive", "O"), ("en", "O"), ("Soria", "B-LOC")]] * 5


def test_what_was_learnt_is_what_the_tagger_says() -> None:
    tags = [["PROPN", "VERB", "ADP", "PROPN"]] * 5
    model = train(SENTENCES, tags, lambda _: "", language="es", made_from="a test")
    assert len(model.weights) == len(model.attributes) * len(model.labels)
    names = SequenceTagger(model, lambda _: "").names([["Ana", "vive", "en", "Soria"]], tags[:1])[0]
    assert [(one.start, one.end, one.kind) for one in names] == [(0, 1, "PER"), (3, 4, "LOC")]
    assert all(one.score > 0.5 for one in names)
