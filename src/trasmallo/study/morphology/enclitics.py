"""Pronouns written behind a verb: which ones, and the verb form before them with its accent repaired."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import NamedTuple

from trasmallo.study.morphology.rules import Affixes
from trasmallo.study.morphology.stress import ACCENTED, PLAIN, nuclei, stress
from trasmallo.study.morphology.tables import Readings, SetReading
from trasmallo.study.morphology.tags import TYPO, Tags, extended
from trasmallo.values.model import Analysis

_MOST_PRONOUNS = 3
"""Pronouns behind a verb at most (Spanish: cómpresemelo)."""
_SHORTEST_VERB = 2
"""Letters of a verb form before pronouns at least (Spanish: da, ve)."""
_LAST_VOWEL = re.compile("[aeiou](?=[^aeiou]*$)")
ARCHAIC = "Style=Arch"
"""The feature of what nobody writes today."""
_VERBS = ("VERB", "AUX")


_Reading = tuple[str, str, tuple[str, ...], bool]
"""Lemma, category and pronouns, and whether the form takes them today."""


class _Found(NamedTuple):
    """The tags of a reading; `exact`: it is stressed as the verb is, `modern`: on a form that takes pronouns today."""

    exact: bool
    modern: bool
    tags: dict[str, None]


class Enclitics:
    """The rules of a language; `find` gives the readings of a verb form."""

    def __init__(self, affixes: Affixes, tags: Tags, find: Callable[[str], Readings]) -> None:
        rules = affixes.enclitics
        self._tags = tags
        self._find = find
        self._sequences = sequences(rules.groups)
        self._lengths = sorted({len(ending) for ending in self._sequences}, reverse=True)
        self._last = tuple({pronouns[-1] for pronouns in self._sequences.values()}) or ("\0",)
        self._hosts = {True: _hosts(rules.listed_hosts), False: _hosts(rules.hosts)}
        self._archaic = {True: _hosts(rules.listed_archaic_hosts), False: _hosts(rules.archaic_hosts)}
        self._plain_archaic = _hosts(rules.plain_archaic_hosts)
        self._beside_modern = re.compile(rules.beside_modern or "(?!)").match
        self._refused, self._refused_plain = (
            [(re.compile(tag).match, re.compile(pronouns).match) for tag, pronouns in some]
            for some in (rules.refused, rules.refused_plain)
        )
        self._dropped = [(ending, left, frozenset(before.split())) for ending, left, before in rules.dropped]
        self._kept = frozenset(rules.kept.split())
        self._stems: set[str] = set()

    def analyse(self, word: str, *, listed: bool = False) -> tuple[list[Analysis], list[Analysis]]:
        """Readings as verb with pronouns: those stressed as the verb is, and those that forgot the accent.

        `listed` says that the lexicon has the whole word too: then only its surest hosts count.
        """
        if not word.endswith(self._last):
            return [], []
        found: dict[_Reading, _Found] = {}
        for pronouns, base, reading in self._candidates(word):
            if reading.by == "lexicon" and not reading.clitics:
                self._enter(word, base, (reading, pronouns), found, listed=listed)
        sure = {its for its, one in found.items() if one.exact and (one.modern or self._is_beside(its, one, found))}
        made = {reading: self._analysis(reading, one) for reading, one in found.items()}
        unsure = [made[its] for its, one in found.items() if not one.exact]
        return [made[its] for its in found if its in sure], unsure

    def worth_analysing(self, words: Iterable[str], forms: Mapping[str, Readings]) -> list[str]:
        """Those of many words that end in pronouns behind what a listed verb form may be before them: a quick look."""
        stems = self._stems = self._stems or self._stems_of(forms)
        lengths, sequences, last = self._lengths, self._sequences, self._last
        found = []
        for word in words:
            if word.endswith(last):
                plain = word if word.isascii() else word.translate(PLAIN)
                if any(plain[-length:] in sequences and plain[:-length] in stems for length in lengths):
                    found.append(word)
        return found

    def _stems_of(self, forms: Mapping[str, Readings]) -> set[str]:
        """Verb forms that take pronouns, without accents and with what they lose; an infinitive without its r is a voseo."""
        hosts = re.compile(f"{self._hosts[False].pattern}|{self._archaic[False].pattern}").search
        stems = {form for form, readings in forms.items() if any(one.category in _VERBS and hosts(one.tag) for one in readings)}
        stems |= {form[:-1] for form in stems if form.endswith(("r", "d", "mos"))}
        return {stem if stem.isascii() else stem.translate(PLAIN) for stem in stems}

    def _enter(
        self,
        word: str,
        base: str,
        candidate: tuple[SetReading, tuple[str, ...]],
        found: dict[_Reading, _Found],
        *,
        listed: bool,
    ) -> None:
        reading, pronouns = candidate
        exact = stress(base) + len(nuclei("".join(pronouns))) == stress(word)
        tags = self._fitting(self._hosts[listed], reading.tag, pronouns)
        modern = bool(tags)
        if modern and exact and _is_superfluous(word):
            exact = False
        if not modern and exact:
            plain = word.isascii() and not listed
            tags = self._fitting(self._plain_archaic if plain else self._archaic[listed], reading.tag, pronouns, plain=plain)
        if tags:
            its = (base[: len(base) - reading.cut] + reading.add, reading.category, pronouns, modern)
            before = found.get(its)
            if before is None or exact > before.exact:
                found[its] = _Found(exact, modern, dict.fromkeys(tags))
            elif exact == before.exact:
                before.tags.update(dict.fromkeys(tags))

    def _fitting(self, hosts: re.Pattern[str], told: str, pronouns: tuple[str, ...], *, plain: bool = False) -> list[str]:
        """Those of a reading's tags that take these pronouns: a verb in the second person has no third one behind it.

        `plain`: no accent shows that they are pronouns.
        """
        joined, refused = "+".join(pronouns), self._refused + self._refused_plain * plain
        return [tag for tag in hosts.findall(told) if not any(its(tag) and those(joined) for its, those in refused)]

    def _is_beside(self, reading: _Reading, one: _Found, found: dict[_Reading, _Found]) -> bool:
        """Whether an archaic reading stands where there are modern ones: those of the third person do (véndese)."""
        if any(other.modern and other.exact for other in found.values()):
            same = any(its[0] == reading[0] and its[2] == reading[2] and other.modern for its, other in found.items())
            return not same and all(self._beside_modern(f"{tag} {reading[2][0]}") for tag in one.tags)
        return True

    def _candidates(self, word: str) -> Iterable[tuple[tuple[str, ...], str, SetReading]]:
        for length in self._lengths:
            pronouns = self._sequences.get(word[-length:])
            if pronouns is not None and len(word) >= length + _SHORTEST_VERB:
                for base in self._verb_forms(word[:-length], pronouns[0]):
                    for reading in self._find(base):
                        if reading.category in _VERBS:
                            yield pronouns, base, reading

    def _verb_forms(self, stem: str, pronoun: str) -> Iterable[str]:
        """What the stem may have been before the pronouns came: without its accent, with a lost ending, with a final accent."""
        plain = stem.translate(PLAIN)
        forms = {stem: None, plain: None}
        for ending, left, before in self._dropped:
            if pronoun in before and plain.endswith(left):
                forms[plain[: -len(left)] + ending] = None
                forms[stem[: -len(left)] + stem[-len(left) :] + ending.removeprefix(left)] = None
            if pronoun in before and plain.endswith(ending) and plain not in self._kept:
                return ()
        final = _LAST_VOWEL.search(plain)
        if final:
            forms[plain[: final.start()] + final[0].translate(ACCENTED) + plain[final.end() :]] = None
        return forms

    def _analysis(self, reading: _Reading, found: _Found) -> Analysis:
        lemma, category, pronouns, _ = reading
        features = self._tags.features(found.tags)
        return Analysis(
            lemma=lemma,
            category=category,
            features=extended(features, "" if found.modern else ARCHAIC) if found.exact else extended(features, TYPO),
            clitics=pronouns,
            by="rule",
            tag=" ".join(found.tags),
        )


def _is_superfluous(word: str) -> bool:
    """Whether a word would be stressed on the same syllable without its accent (estáte); in reíte it parts two syllables."""
    plain = word if word.isascii() else word.translate(PLAIN)
    return plain != word and stress(plain) == stress(word) and len(nuclei(plain)) == len(nuclei(word))


def sequences(groups: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
    """What may be written behind a verb, with the pronouns in it."""
    chosen = product(*(("", *group.split()) for group in groups))
    told = [tuple(pronoun for pronoun in pronouns if pronoun) for pronouns in chosen]
    return {"".join(pronouns): pronouns for pronouns in told if 0 < len(pronouns) <= _MOST_PRONOUNS}


def _hosts(pattern: str) -> re.Pattern[str]:
    """Finds in a reading's tags those that begin as the pattern says."""
    return re.compile(rf"(?:^|(?<= ))(?:{pattern})\S*" if pattern else "(?!)")
