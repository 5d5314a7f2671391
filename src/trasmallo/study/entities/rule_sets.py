"""Rules that are tried only where they can begin.

A pattern with many words costs some microseconds at every word of a text, and next to none of them can begin a date or a sum of
money. So a rule says which words and signs it may begin with; each different word is asked for once, and the pattern is tried
at those places alone. The answer is that of the pattern tried everywhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, compress
from typing import NamedTuple

from trasmallo.study.entities.found_spans import FoundSpan

_MOST_RUNS = 50_000
"""Different words that are remembered. Judgement: some 8 MB."""
_FOLDED = frozenset("ıſİ")
"""Letters that patterns take for i and s where case does not count, though they are not these in lower case."""


class Begins(NamedTuple):
    """What a match begins with: one of some whole `words`, a word with a prefix or `like` a pattern, a digit, or a sign.

    Words and prefixes are in lower case; a word is a run of letters, digits and underscores.
    """

    words: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    digits: bool = False
    signs: str = ""
    like: re.Pattern[str] | None = None

    @classmethod
    def with_any(cls, texts: Iterable[str], *, whole: bool = True, digits: bool = False, signs: str = "") -> Begins:
        """With one of some texts, behind which the word ends or, where not `whole`, may go on."""
        heads = [re.match(r"\w*", text.lower()) for text in texts]
        words = {head[0] for head in heads if head is not None and head[0]}
        strange = "".join(sorted({text[0] for text in texts if not re.match(r"\w", text)}))
        if whole:
            return cls(words=frozenset(words), digits=digits, signs=signs + strange)
        return cls(prefixes=tuple(sorted(words)), digits=digits, signs=signs + strange)

    def at(self, run: str) -> bool:
        """Whether a match may begin with this word or sign."""
        low = run.lower()
        if low in self.words or low.startswith(self.prefixes) or not _FOLDED.isdisjoint(run):
            return True
        return (self.digits and run[0].isdecimal()) or run in self.signs or bool(self.like and self.like.match(run))


DIGITS = Begins(digits=True)


class Rule(NamedTuple):
    """A pattern, what its matches begin with, and what each of them is: None where it is nothing after all.

    A rule without `begins` is tried everywhere in texts that have its `sign`.
    """

    pattern: re.Pattern[str]
    begins: Begins | None
    found: Callable[[re.Match[str]], FoundSpan | None]
    sign: str = ""


class RuleSet:
    """Rules that are looked for together. May be asked by several threads."""

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        begins = [(number, rule.begins) for number, rule in enumerate(rules) if rule.begins]
        signs = "".join({sign for _, one in begins for sign in one.signs})
        self._runs = re.compile(rf"(\w+|[{re.escape(signs)}])" if signs else r"(\w+)").split
        self._begins = begins
        self._prefixes = tuple({prefix for _, one in begins for prefix in one.prefixes})
        self._like = tuple(one.like.match for _, one in begins if one.like)
        self._words = frozenset(word for _, one in begins for word in one.words)
        self._begun_by = _Beginnings(self._rules_at)

    def find(self, text: str) -> Iterator[FoundSpan]:
        """What the rules find, rule by rule; finds of different rules may overlap."""
        for rule, places in zip(self.rules, self._places(text), strict=True):
            for match in _matches(rule, text, places):
                found = rule.found(match)
                if found is not None:
                    yield found

    def _places(self, text: str) -> list[list[int]]:
        """For each rule the places at which it may begin."""
        places: list[list[int]] = [[] for _ in self.rules]
        if len(self._begun_by) > _MOST_RUNS:
            self._begun_by = _Beginnings(self._rules_at)
        # Between runs stands what is none, so that every second piece is a run.
        pieces = self._runs(text)
        rules = list(map(self._begun_by.__getitem__, pieces[1::2]))
        starts = list(accumulate(map(len, pieces)))[::2]
        for start, begun in compress(zip(starts, rules, strict=False), rules):
            for number in begun:
                places[number].append(start)
        return places

    def _rules_at(self, run: str) -> tuple[int, ...]:
        """The rules that may begin with a word or sign; most words begin none, which is told at once."""
        low = run.lower()
        plain = run.isalpha() and _FOLDED.isdisjoint(run) and low not in self._words and not low.startswith(self._prefixes)
        if plain and not any(like(run) for like in self._like):
            return ()
        return tuple(number for number, begins in self._begins if begins.at(run))


class _Beginnings(dict[str, tuple[int, ...]]):
    """The rules that may begin with each word or sign, asked for when it is first met."""

    def __init__(self, rules_at: Callable[[str], tuple[int, ...]]) -> None:
        self._rules_at = rules_at

    def __missing__(self, run: str) -> tuple[int, ...]:
        found = self[run] = self._rules_at(run)
        return found


def _matches(rule: Rule, text: str, places: Sequence[int]) -> Iterator[re.Match[str]]:
    """The matches of a rule from the left, none over another."""
    if rule.begins is None:
        yield from rule.pattern.finditer(text) if rule.sign in text else ()
        return
    past = 0
    for place in places:
        match = rule.pattern.match(text, place) if place >= past else None
        if match is not None:
            past = match.end()
            yield match
