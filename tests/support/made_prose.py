"""Made-up prose and its edited copies, the same in every run, and how much two texts truly share."""

from __future__ import annotations

import random

WORDS = [
    f"{a}{b}{c}"
    for a in ("ma", "pe", "sol", "tri")
    for b in ("lo", "ra", "vi", "nu", "ce")
    for c in ("", "s", "do", "mos", "ción")
]


def prose(seed: int, length: int = 400) -> list[str]:
    return random.Random(seed).choices(WORDS, k=length)


def edited(words: list[str], share: float, seed: int) -> list[str]:
    """The same text with one stretch replaced."""
    chance = random.Random(seed)
    size = int(len(words) * share)
    start = chance.randrange(len(words) - size)
    return [*words[:start], *chance.choices(WORDS, k=size), *words[start + size :]]


def true_overlap(one: list[str], other: list[str]) -> float:
    """Jaccard of word 5-grams, spelled out."""
    first, second = (set(zip(*(words[n:] for n in range(5)), strict=False)) for words in (one, other))
    return len(first & second) / len(first | second)
