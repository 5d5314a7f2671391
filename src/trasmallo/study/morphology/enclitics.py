"""Pronouns written behind a verb: which ones, and the verb form before them with its accent repaired."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from itertools import product

from trasmallo.study.morphology.rules import Affixes
from trasmallo.study.morphology.stress import ACCENTED, PLAIN, nuclei, stress
from trasmallo.study.morphology.tables import Readings, SetReading
from trasmallo.study.morphology.tags import TYPO, Tags, extended
from trasmallo.values.model import Analysis

_MOST_PRONOUNS = 3
"""Pronouns behind a verb at most (Spanish: cómpresemelo)."""
_SHORTEST_VERB = 2
"""Letters of a verb form before pronouns at least (Spanish: da, ve)."""


class Enclitics:
    """The rules of a language; `find` gives the readings of a verb form."""

    def __init__(self, affixes: Affixes, tags: Tags, find: Callable[[str], Readings]) -> None:
        rules = affixes.enclitics
        self._tags = tags
        self._find = find
        self._sequences = _sequences(rules.groups)
        self._lengths = sorted({len(ending) for ending in self._sequences}, reverse=True)
        self._last = tuple({pronouns[-1] for pronouns in self._sequences.values()}) or ("\0",)
        self._hosts = {True: _hosts(rules.listed_hosts), False: _hosts(rules.hosts)}
        self._listed = re.compile(
            rf"(?:{'|'.join(rules.listed_endings.split())})(?:{'|'.join(self._sequences)})$" if rules.groups else "(?!)"
        )
        self._dropped = [(ending, left, frozenset(before.split())) for ending, left, before in rules.dropped]
        self._vowels = affixes.accents.forgotten

    def analyse(self, word: str, *, listed: bool = False) -> tuple[list[Analysis], list[Analysis]]:
        """Readings as verb with pronouns: those stressed as the verb is, and those that forgot the accent.

        `listed` says that the lexicon has the whole word too: then only its surest hosts count.
        """
        if not word.endswith(self._last) or (listed and not self._listed.search(word)):
            return [], []
        found: dict[tuple[str, str, tuple[str, ...]], tuple[bool, dict[str, None]]] = {}
        for pronouns, base, reading in self._candidates(word):
            tags = self._hosts[listed].findall(reading.tag)
            if tags and reading.by == "lexicon" and not reading.clitics:
                lemma = base[: len(base) - reading.cut] + reading.add
                exact = stress(base) + len(nuclei("".join(pronouns))) == stress(word)
                sure, its_tags = found.get((lemma, reading.category, pronouns), (False, {}))
                kept = its_tags if exact == sure or not exact else {}
                if exact or not sure:
                    found[lemma, reading.category, pronouns] = (exact, kept | dict.fromkeys(tags))
        made = {reading: self._analysis(reading, exact, list(tags)) for reading, (exact, tags) in found.items()}
        sure_ones = [made[reading] for reading, (exact, _) in found.items() if exact]
        return sure_ones, [made[reading] for reading, (exact, _) in found.items() if not exact]

    def _candidates(self, word: str) -> Iterable[tuple[tuple[str, ...], str, SetReading]]:
        for length in self._lengths:
            pronouns = self._sequences.get(word[-length:])
            if pronouns is not None and len(word) >= length + _SHORTEST_VERB:
                for base in self._verb_forms(word[:-length], pronouns[0]):
                    for reading in self._find(base):
                        if reading.category in ("VERB", "AUX"):
                            yield pronouns, base, reading

    def _verb_forms(self, stem: str, pronoun: str) -> Iterable[str]:
        """What the stem may have been before the pronouns came: without its accent, with a lost ending, with a final accent."""
        plain = stem.translate(PLAIN)
        forms = {stem: None, plain: None}
        for ending, left, before in self._dropped:
            if pronoun in before and plain.endswith(left):
                forms[plain[: -len(left)] + ending] = None
        if plain[-1] in self._vowels:
            forms[plain[:-1] + plain[-1].translate(ACCENTED)] = None
        return forms

    def _analysis(self, reading: tuple[str, str, tuple[str, ...]], exact: bool, tags: list[str]) -> Analysis:
        lemma, category, pronouns = reading
        features = self._tags.features(tags)
        return Analysis(
            lemma=lemma,
            category=category,
            features=features if exact else extended(features, TYPO),
            clitics=pronouns,
            by="rule",
            tag=" ".join(tags),
        )


def _sequences(groups: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    chosen = product(*(("", *group.split()) for group in groups))
    sequences = [tuple(pronoun for pronoun in pronouns if pronoun) for pronouns in chosen]
    return {"".join(pronouns): pronouns for pronouns in sequences if 0 < len(pronouns) <= _MOST_PRONOUNS}


def _hosts(pattern: str) -> re.Pattern[str]:
    """Finds in a reading's tags those that begin as the pattern says."""
    return re.compile(rf"(?:^|(?<= ))(?:{pattern})\S*" if pattern else "(?!)")
