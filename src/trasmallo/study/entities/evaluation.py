"""How well names are found: precision, recall and F1 by kind, which kinds are taken for which, and the failures themselves."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence

import msgspec

Labelled = Sequence[tuple[str, str]]
Label = Callable[[Sequence[str]], Sequence[str]]
"""Gives each word of a sentence its label."""
MISSED, INVENTED, ELSEWHERE = "missed", "none", "other bounds"


class Score(msgspec.Struct, frozen=True, kw_only=True):
    """Precision, recall and F1 of a kind in per cent, and how many names are right, found and wanted."""

    kind: str
    precision: float
    recall: float
    f1: float
    right: int
    found: int
    wanted: int


class Confusion(msgspec.Struct, frozen=True, kw_only=True):
    """How often names of a kind were taken for another; none or missed where there was none."""

    wanted: str
    found: str
    count: int


class Failure(msgspec.Struct, frozen=True, kw_only=True):
    """A name that was not found as it should be; `sentence` counts from 1."""

    sentence: int
    text: str
    wanted: str
    found: str


class Evaluation(msgspec.Struct, frozen=True, kw_only=True):
    """All of a test; the last scores are of all kinds together and of spans whatever their kind."""

    sentences: int
    words: int
    scores: tuple[Score, ...]
    confusion: tuple[Confusion, ...]
    failures: tuple[Failure, ...]


def spans(labels: Sequence[str]) -> Iterator[tuple[int, int, str]]:
    """The names that BIO labels mark: first word, past the last, kind."""
    begin, kind = -1, ""
    for place, label in enumerate([*labels, "O"]):
        if begin >= 0 and (label[0] != "I" or label[2:] != kind):
            yield begin, place, kind
            begin = -1
        if label != "O" and begin < 0:
            begin, kind = place, label[2:]


Places = Mapping[tuple[int, int], str]
"""Names by where they begin and end, with their kinds."""


class NameComparison:
    """Counts names that were wanted and found, text by text."""

    def __init__(self) -> None:
        self._right, self._found, self._wanted = Counter[str](), Counter[str](), Counter[str]()
        self._confused = Counter[tuple[str, str]]()

    def add(self, wanted: Places, found: Places) -> list[tuple[tuple[int, int], str, str]]:
        """The next text; where it differs: the place, what was wanted there, and what was found."""
        for place, kind in wanted.items():
            self._wanted.update((kind, "all", "spans"))
            if place in found:
                self._right["spans"] += 1
            if found.get(place) == kind:
                self._right.update((kind, "all"))
        for kind in found.values():
            self._found.update((kind, "all", "spans"))
        differences = list(_differences(wanted, found))
        self._confused.update((one, other) for _, one, other in differences)
        return differences

    def scores(self) -> tuple[Score, ...]:
        """Of each kind, then of all together and of spans."""
        names = sorted({*self._found, *self._wanted} - {"all", "spans"})
        told = (*names, "all", "spans")
        return tuple(_score(kind, self._right[kind], self._found[kind], self._wanted[kind]) for kind in told)

    def confusion(self) -> tuple[Confusion, ...]:
        """What was taken for what, the most frequent first."""
        return tuple(Confusion(wanted=one, found=other, count=count) for (one, other), count in self._confused.most_common())


def evaluate(sentences: Sequence[Labelled], label: Label, *, most_failures: int = 1_000) -> Evaluation:
    """Label each sentence anew and compare."""
    compared, failures = NameComparison(), list[Failure]()
    for number, sentence in enumerate(sentences, 1):
        words = [word for word, _ in sentence]
        gold = {one[:2]: one[2] for one in spans([name for _, name in sentence])}
        ours = {one[:2]: one[2] for one in spans(label(words))}
        for (start, end), one, other in compared.add(gold, ours):
            if len(failures) < most_failures:
                failures.append(Failure(sentence=number, text=" ".join(words[start:end]), wanted=one, found=other))
    return Evaluation(
        sentences=len(sentences),
        words=sum(map(len, sentences)),
        scores=compared.scores(),
        confusion=compared.confusion(),
        failures=tuple(failures),
    )


def _differences(gold: Places, ours: Places) -> Iterator[tuple[tuple[int, int], str, str]]:
    for place, kind in gold.items():
        if ours.get(place) != kind:
            yield place, kind, ours.get(place) or (ELSEWHERE if _touches(place, ours) else MISSED)
    for place, kind in ours.items():
        if place not in gold and not _touches(place, gold):
            yield place, INVENTED, kind


def _touches(place: tuple[int, int], others: Places) -> bool:
    return any(place[0] < end and start < place[1] for start, end in others)


def _score(kind: str, right: int, found: int, wanted: int) -> Score:
    precision, recall = 100 * right / (found or 1), 100 * right / (wanted or 1)
    f1 = 2 * precision * recall / (precision + recall) if right else 0.0
    return Score(
        kind=kind,
        precision=round(precision, 2),
        recall=round(recall, 2),
        f1=round(f1, 2),
        right=right,
        found=found,
        wanted=wanted,
    )
