"""Figures of a test."""

from __future__ import annotations

from trasmallo.study.entities.evaluation import evaluate, spans

GOLD = [[("Ana", "B-PER"), ("Pérez", "I-PER"), ("en", "O"), ("Soria", "B-LOC"), ("y", "O"), ("Madrid", "B-LOC")]]


def test_spans_of_labels() -> None:
    assert list(spans(["B-PER", "I-PER", "B-PER", "O", "I-LOC", "I-ORG"])) == [
        (0, 2, "PER"),
        (2, 3, "PER"),
        (4, 5, "LOC"),
        (5, 6, "ORG"),
    ]


def test_figures_and_failures() -> None:
    found = evaluate(GOLD, lambda _: ["B-PER", "I-PER", "B-MISC", "B-ORG", "O", "O"])
    scores = {one.kind: one for one in found.scores}
    assert (scores["PER"].f1, scores["LOC"].recall, scores["all"].right, scores["spans"].right) == (100.0, 0.0, 1, 2)
    assert {(one.wanted, one.found, one.count) for one in found.confusion} == {
        ("LOC", "ORG", 1), ("LOC", "missed", 1), ("none", "MISC", 1),
    }  # fmt: skip
    assert [one.text for one in found.failures] == ["Soria", "Madrid", "en"]


def test_nothing_gives_zeros() -> None:
    assert [one.f1 for one in evaluate([], lambda _: []).scores] == [0.0, 0.0]
