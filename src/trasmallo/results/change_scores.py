"""How much a page changed: the share of the words of two texts that only one of them has, less what changes by itself.

What changes by itself is in `change_noise.json`, by classes: dates and times, "2 days ago", counters, footers. It is masked in
both texts before words are counted, so that thousands of trivial changes come last and a new paragraph first. Nothing is
hidden: a change in which only such things differ has the score 0, and says which.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import resources

import msgspec

_WORD = re.compile(r"\w+")
_LONGEST_EXCERPT = 160
"""Characters of a change that are quoted. Judgement: what fits in a cell."""
_LONGEST_LINE = 4_000
"""Characters of a paragraph in which noise is looked for; what is behind them counts as it is. Judgement: footers are short."""


class ChangeScore(msgspec.Struct, frozen=True):
    """How two texts differ: a share from 0 to 1, and the words that were added and removed, without noise.

    `noise` are the classes of what changes by itself that differ; `excerpt` is what was added where most was, or removed.
    """

    score: float
    added: int
    removed: int
    noise: tuple[str, ...] = ()
    excerpt: str = ""


class _Reading(msgspec.Struct, frozen=True):
    """A text: the words of its paragraphs without noise, and what was masked by class."""

    words: tuple[Counter[str], ...]
    noise: dict[str, Counter[str]]


def score_change(before: str, after: str) -> ChangeScore:
    """How much a text changed into another."""
    old, new = _paragraphs(before), _paragraphs(after)
    lost, won = _only(old, new), _only(new, old)
    read_old, read_new = _read(lost), _read(won)
    in_old, in_new = _sum(read_old.words), _sum(read_new.words)
    removed, added = (in_old - in_new).total(), (in_new - in_old).total()
    shared = sum(len(_WORD.findall(paragraph)) for paragraph in old) - sum(len(_WORD.findall(each)) for each in lost)
    total = 2 * shared + in_old.total() + in_new.total()
    noise = tuple(name for name in noise_classes() if read_old.noise[name] != read_new.noise[name])
    return ChangeScore(
        score=round((added + removed) / total, 4) if total else 0.0,
        added=added,
        removed=removed,
        noise=noise,
        excerpt=_excerpt(won, read_new.words, in_old) or _excerpt(lost, read_old.words, in_new),
    )


@cache
def noise_classes() -> dict[str, re.Pattern[str]]:
    """What changes by itself, by the names of its classes, in the order in which it is masked."""
    written = json.loads(resources.files(__package__).joinpath("change_noise.json").read_text(encoding="utf-8"))
    return {name: re.compile("|".join(patterns), re.IGNORECASE) for name, patterns in written.items()}


def _paragraphs(text: str) -> list[str]:
    return [stripped for line in text.splitlines() if (stripped := " ".join(line.split()))]


def _only(some: Iterable[str], others: Iterable[str]) -> list[str]:
    """The paragraphs of one text that the other lacks; one that stands there more often counts as often."""
    left = Counter(others)
    found = []
    for paragraph in some:
        if left[paragraph]:
            left[paragraph] -= 1
        else:
            found.append(paragraph)
    return found


def _read(paragraphs: Sequence[str]) -> _Reading:
    noise = {name: Counter[str]() for name in noise_classes()}
    words = []
    for paragraph in paragraphs:
        masked, rest = paragraph[:_LONGEST_LINE], paragraph[_LONGEST_LINE:]
        for name, pattern in noise_classes().items():
            masked = pattern.sub(_collected(noise[name]), masked)
        words.append(Counter(word.lower() for word in _WORD.findall(masked + rest)))
    return _Reading(tuple(words), noise)


def _collected(found: Counter[str]) -> Callable[[re.Match[str]], str]:
    def take(match: re.Match[str]) -> str:
        found[match[0]] += 1
        return " "

    return take


def _sum(counters: Iterable[Counter[str]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for counter in counters:
        total.update(counter)
    return total


def _excerpt(paragraphs: Sequence[str], words: Sequence[Counter[str]], others: Counter[str]) -> str:
    """The beginning of the paragraph with most words that the other text lacks, "" where none has any."""
    best = max(range(len(words)), key=lambda at: (words[at] - others).total(), default=-1)
    if best < 0 or not (words[best] - others):
        return ""
    text = paragraphs[best]
    return text if len(text) <= _LONGEST_EXCERPT else text[: _LONGEST_EXCERPT - 1].rstrip() + "…"
