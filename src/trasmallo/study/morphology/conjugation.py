"""Every form of regular verbs that the lexicon lacks: those that `affixes.toml` names, and those formed today (-ear, -izar)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from trasmallo.study.morphology.readings_of_rules import Find, Test, beginning
from trasmallo.study.morphology.rules import Affixes, Conjugation
from trasmallo.study.morphology.tables import SetReading
from trasmallo.study.morphology.tags import Tags, pairs

_SHORTEST_BASE = 3
"""Letters of the word that a verb is made from at least. Judgement: of shorter ones most are typos of other verbs."""
_SHORTEST_CUT_BASE = 4
"""The same where it loses its last vowel. Calibrated on random misspellings of treebank words (benchmarks/morphology.py): a
third of those that pass for new verbs with 3."""


# No word ends so.
_NONE = ("\0",)


class _Suffix(NamedTuple):
    letters: str
    endings: tuple[str, ...]
    hosts: Test
    foreign: bool


class NewVerbs:
    """The regular verbs of a language; `find` gives the readings of infinitives, nouns and adjectives."""

    def __init__(self, affixes: Affixes, tags: Tags, find: Find) -> None:
        self._rules = affixes.conjugation
        self._tags = tags
        self._find = find
        self._of_ending: dict[str, list[str]] = {}
        for ending, its_tags in self._rules.endings:
            self._of_ending.setdefault(ending, []).extend(its_tags.split())
        self._lengths = sorted({len(ending) for ending in self._of_ending}, reverse=True)
        self.endings = tuple(self._of_ending)
        """What the forms end in."""
        self._named = {verb.removesuffix(self._rules.infinitive) for verb in self._rules.verbs.split()}
        self._last = tuple(letters for letters, _, _ in self._rules.suffixes) or ("\0",)
        written = [(stem, ending) for stem in self._named for ending in self._of_ending]
        self._forms = {_before(stem, ending, self._rules) + ending for stem, ending in written}
        letters = [one for one, _, _ in self._rules.suffixes]
        self._tails: dict[str, tuple[str, ...]] = {}
        for tail in {_before(one, ending, self._rules) + ending for one in letters for ending in self._of_ending}:
            self._tails[tail[-2:]] = (*self._tails.get(tail[-2:], ()), tail)
        self._ambiguous = frozenset(self._rules.ambiguous.split())
        self._foreign = re.compile(self._rules.foreign or "(?!)")
        self._suffixes = [
            _Suffix(
                letters=letters,
                endings=tuple("" if one == "0" else one for one in endings.split() if one != "*"),
                hosts=beginning(hosts),
                foreign="*" in endings,
            )
            for letters, endings, hosts in self._rules.suffixes
        ]

    def readings(self, word: str) -> list[SetReading]:
        """Those of a form, as the lexicon would list them; [] when it is none of a new verb."""
        if word not in self._forms and not self._may_be(word):
            return []
        for length in self._lengths:
            tags = self._of_ending.get(word[-length:])
            if tags and len(word) > length + 2:
                whole = word[-length:] in self._ambiguous
                stem = next((one for one in self._stems(word[:-length], word[-length]) if self.is_stem(one, whole=whole)), "")
                if stem:
                    return list(self._made(word, stem, tags))
        return []

    def _may_be(self, word: str) -> bool:
        """A quick look at the end of a word, because every unknown word passes here."""
        return word.endswith(self._tails.get(word[-2:], _NONE))

    def is_infinitive(self, word: str) -> bool:
        """Whether a word is the infinitive of a new verb."""
        ending = self._rules.infinitive
        return bool(ending) and word.endswith(ending) and self.is_stem(word.removesuffix(ending))

    def _stems(self, stem: str, following: str) -> Iterator[str]:
        """A stem, and as it is written before other vowels (viralicen is of viralizar)."""
        changes = self._rules.changes if following in "eé" else ()
        yield from (stem.removesuffix(end) + instead for end, instead in changes if stem.endswith(end))
        yield stem

    def is_stem(self, stem: str, *, whole: bool = False) -> bool:
        """Whether a verb with this stem is named, or not listed and made from a known or a foreign word, `whole` if need be."""
        if stem in self._named:
            return True
        if not stem.endswith(self._last) or self._find(stem + self._rules.infinitive):
            return False
        return any(self._is_made(stem, suffix, whole) for suffix in self._suffixes if stem.endswith(suffix.letters))

    def _is_made(self, stem: str, suffix: _Suffix, whole: bool) -> bool:
        base = stem.removesuffix(suffix.letters)
        if len(base) < _SHORTEST_BASE:
            return False
        if suffix.foreign and self._foreign.search(base):
            return True
        plain = [base, *(base.removesuffix(end) + instead for end, instead in self._rules.changes if base.endswith(end))]
        return any(
            suffix.hosts(one.tag or one.category[0]) and one.by == "lexicon"
            for before in plain
            for ending in suffix.endings
            if not ending or (len(base) >= _SHORTEST_CUT_BASE and not whole)
            for one in self._find(before + ending)
        )

    def _made(self, word: str, stem: str, tags: list[str]) -> Iterator[SetReading]:
        common = (
            len(stem) if word.startswith(stem) else next(i for i, (a, b) in enumerate(zip(word, stem, strict=False)) if a != b)
        )
        category, features = self._tags.read(tags[0])[0], self._tags.features(tags)
        yield SetReading(
            cut=len(word) - common,
            add=stem[common:] + self._rules.infinitive,
            category=category,
            features=features,
            clitics=(),
            by="lexicon",
            tag=" ".join(tags),
        )
        if all(tag.startswith(self._rules.participles) for tag in tags) and self._rules.participles:
            inflection = {name: value for name, value in pairs(features) if name in ("Gender", "Number", "VerbForm")}
            masculine = re.search("[oa]s?$", word)
            yield SetReading(
                cut=len(masculine[0]) if masculine else 0,
                add="o" if masculine else "",
                category="ADJ",
                features="|".join(f"{name}={value}" for name, value in inflection.items()),
                clitics=(),
                by="lexicon",
                tag=" ".join(tags),
            )


def guesses(affixes: Affixes, tags: Tags) -> Iterator[tuple[str, str, str, str]]:
    """What the endings of new verbs say of a word that nobody knows, as the rows of `[guesses]`; not those that nouns share."""
    rules = affixes.conjugation
    for ending, its_tags in rules.endings:
        if ending not in rules.ambiguous.split():
            category, features = tags.read(its_tags.split()[0])[0], tags.features(its_tags.split())
            whole = [("", "", "")] if 0 < rules.telling <= len(ending) else []
            for letters, _, _ in [*rules.suffixes, *whole]:
                yield _before(letters, ending, rules) + ending, category, features, letters + rules.infinitive


def _before(stem: str, ending: str, rules: Conjugation) -> str:
    changed = (stem.removesuffix(one) + end for end, one in rules.changes if ending[0] in "eé" and stem.endswith(one))
    return next(changed, stem)
