"""Words made from known ones: prefixes, pronouns behind verbs, adverbs, diminutives, derivations, plurals, voseo, compounds.

The rules are data (`rules.Affixes`); what a base means is asked through `find`, so that the lexicon can use them while it is
compiled. Words come as `tokenise.key` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from itertools import product
from typing import NamedTuple

import msgspec

from trasmallo.study.morphology.enclitics import Enclitics
from trasmallo.study.morphology.rules import Affixes, Prefixes
from trasmallo.study.morphology.stress import PLAIN
from trasmallo.study.morphology.tables import Readings, SetReading
from trasmallo.study.morphology.tags import TYPO, Tags, extended, joined, pairs
from trasmallo.values.model import Analysis

Find = Callable[[str], Readings]
Test = Callable[[str], object]
Rule = Callable[[str], list[Analysis]]
_LONGEST = 60
"""Letters of a word that rules are tried on. Judgement: what is longer is no word."""
_LONGEST_DEGREE = 7
"""Letters of an ending of degree with its inflection at most. Judgement."""
# No word ends so.
_NONE = ("\0",)
_NO_VERB = ("", "")


class RulesByEnding:
    """Rules by the last two letters of the words that they may be for: most words, names above all, end as no rule says."""

    def __init__(self, ordered: Sequence[tuple[Rule, Iterable[str] | None]]) -> None:
        ends = {ending[-2:] for _, endings in ordered for ending in endings or () if ending}
        self._by_end = {end: _fitting(ordered, end) for end in ends}
        self._others = _fitting(ordered, "")

    def for_ending_of(self, word: str) -> tuple[Rule, ...]:
        """Those that may know a word, in order."""
        return self._by_end.get(word[-2:]) or self._by_end.get(word[-1:]) or self._others


def _fitting(ordered: Sequence[tuple[Rule, Iterable[str] | None]], end: str) -> tuple[Rule, ...]:
    """The rules for words with this end of two letters, or of one that makes no such end with any other."""
    return tuple(
        rule
        for rule, endings in ordered
        if endings is None or any(ending and ending[-2:] in (end, end[1:]) for ending in endings)
    )


class Formation:
    """The rules of a language, ready to use; each method gives the analyses that its rule finds, [] for none."""

    def __init__(self, affixes: Affixes, tags: Tags, find: Find) -> None:
        self._affixes = affixes
        self._tags = tags
        self._find = find
        self._enclitics = Enclitics(affixes, tags, self._verb)
        self._contractions = tuple(affixes.contractions.endings.split()) or _NONE
        self._irregular = {word: (first, behind) for word, first, behind in affixes.contractions.irregular}
        self._prefixes = _by_beginning(affixes.prefixes)
        self._first = frozenset(" ".join([affixes.compounds.first, *(group.forms for group in affixes.prefixes)]).split())
        self._compound_hosts = beginning(affixes.compounds.hosts)
        self._adverb_hosts = beginning(affixes.adverbs.hosts)
        self._plural_hosts = beginning(affixes.plurals.hosts)
        self._degrees = _degrees(affixes)
        self._degree_endings = tuple(self._degrees) or _NONE
        self._derivations = _derivations(affixes)
        self._derived_endings = tuple(self._derivations) or _NONE
        self._voseo = {ending: (infinitive, tag) for ending, infinitive, tag in affixes.voseo.endings}
        self._voseo_letters = frozenset(ending[-1] for ending in self._voseo)
        self._number = re.compile(affixes.numbers.pattern or "(?!)")
        self._rules = RulesByEnding(self._ordered())

    def _ordered(self) -> list[tuple[Rule, Iterable[str] | None]]:
        """The rules in the order in which they are tried, with the endings of their words, None for any."""
        return [
            (self.contracted, (*self._contractions, *self._irregular)),
            (self.adverb, (self._affixes.adverbs.ending,)),
            (self.evaluative, self._degrees),
            (self.prefixed, None),
            (self.voseo, self._voseo),
            (self.plural, (self._affixes.plurals.ending,)),
            (self.derived, self._derivations),
            (self.compound, None),
            (self.number, None),
        ]

    def analyse(self, word: str) -> list[Analysis]:
        """What the first rule that knows the word says."""
        if len(word) > _LONGEST:
            return []
        sure, unsure = self._enclitics.analyse(word)
        if sure:
            return sure
        for rule in self._rules.for_ending_of(word):
            found = rule(word)
            if found:
                return found
        return unsure or self.misaccented(word)

    def listed_enclitics(self, word: str) -> list[Analysis]:
        """Pronouns behind the verb in a word that the lexicon lists as something else too (hacerte, verse)."""
        return self._enclitics.analyse(word, listed=True)[0]

    def _verb(self, base: str) -> Readings:
        """Readings of what stands before the pronouns; the lexicon knows no voseo."""
        return self._find(base) or tuple(self._vos(base))

    def contracted(self, word: str) -> list[Analysis]:
        """A word in one with what is written behind it (it's, don't): its own readings, the rest as a clitic."""
        if word not in self._irregular and not word.endswith(self._contractions):
            return []
        first, behind = self._irregular.get(word) or next(
            (word[: -len(ending)], ending) for ending in self._contractions if word.endswith(ending)
        )
        return [msgspec.structs.replace(analysis(first, reading), clitics=(behind,)) for reading in self._find(first)]

    def adverb(self, word: str) -> list[Analysis]:
        """Adverbs made from adjectives (-mente); the word is its own lemma."""
        ending = self._affixes.adverbs.ending
        if not ending or not word.endswith(ending) or len(word) < len(ending) + 3:
            return []
        base = word[: -len(ending)]
        known = [reading for reading in self._find(base) if self._adverb_hosts(reading.tag)]
        if known:
            return [Analysis(word, "ADV", TYPO if known[0].by != "lexicon" else "", by="rule", tag="RG")]
        if any(found.category == "ADJ" for found in self.evaluative(base) or self.prefixed(base)):
            return [Analysis(word, "ADV", by="rule", tag="RG")]
        return []

    def evaluative(self, word: str) -> list[Analysis]:
        """Diminutives, augmentatives and superlatives; the lemma is the plain word's."""
        if not word.endswith(self._degree_endings):
            return []
        for length in range(min(len(word) - self._affixes.evaluation.least, _LONGEST_DEGREE), 1, -1):
            for degree in self._degrees.get(word[-length:], ()):
                readings = self._plain(word[:-length], degree)
                if readings:
                    made = [_evaluated(base, reading, degree.features) for base, reading in readings]
                    lemma = word.removesuffix(degree.inflection) + "o"
                    own = Analysis(lemma, "ADJ", degree.features, by="rule", tag=made[0].tag)
                    return list(dict.fromkeys([own, *made] if degree.own_lemma else made))
        return []

    def _plain(self, stem: str, degree: _Degree) -> list[tuple[str, SetReading]]:
        rules = self._affixes.evaluation
        stems = [stem, *(stem.removesuffix(end) + instead for end, instead in rules.changes if stem.endswith(end))]
        endings = (degree.inflection, *rules.bases) if degree.inflection else rules.bases
        for base, ending in product(stems, endings):
            readings = [(base + ending, reading) for reading in self._find(base + ending) if degree.hosts(reading.tag)]
            if readings:
                return readings
        return []

    def prefixed(self, word: str) -> list[Analysis]:
        """A prefix or several before a known word or a verb with pronouns (desmontarlo)."""
        return self._prefixed(word, self._affixes.compounds.stacked)

    def _prefixed(self, word: str, depth: int) -> list[Analysis]:
        for prefix, hosts, least in self._prefixes.get(word[:2], ()):
            if word.startswith(prefix) and len(word) - len(prefix) >= least:
                rest = word[len(prefix) :]
                link = rest[0] if rest.startswith(("rr", "-")) else ""
                found = self._behind_prefix(rest.removeprefix(link), hosts, depth)
                if found:
                    return [_put_before(prefix, link, analysis) for analysis in found]
        return []

    def _behind_prefix(self, rest: str, hosts: Test, depth: int) -> list[Analysis]:
        readings = self._find(rest)
        if readings:
            return [analysis(rest, reading) for reading in readings if reading.by == "lexicon" and hosts(reading.tag)]
        with_pronouns = [found for found in self._enclitics.analyse(rest)[0] if hosts(found.tag)]
        return with_pronouns or (self._prefixed(rest, depth - 1) if depth > 1 else [])

    def compound(self, word: str) -> list[Analysis]:
        """Words joined by a hyphen: what the last one is, when the first ones are known or may be joined (político-militar)."""
        if "-" not in word:
            return []
        head, _, tail = word.rpartition("-")
        if not all(part in self._first or self._find(part) for part in head.split("-")):
            return []
        readings = [reading for reading in self._find(tail) if self._compound_hosts(reading.tag)]
        return [_put_before(head, "-", analysis(tail, reading)) for reading in readings]

    def plural(self, word: str) -> list[Analysis]:
        """The plural of a new word, made with a bare ending (blogs)."""
        ending = self._affixes.plurals.ending
        if not ending or not word.endswith(ending):
            return []
        base = word[: -len(ending)]
        if base[-1:].translate(PLAIN) in "aeiousxz":
            return []
        singular = [analysis(base, reading) for reading in self._find(base) if self._plural_hosts(reading.tag)]
        return [
            changed(found, extended(found.features, "Number=Plur"), found.tag[:3] + "P" + found.tag[4:]) for found in singular
        ]

    def derived(self, word: str) -> list[Analysis]:
        """Words made with an ending from other words (-ismo, -able, -ización)."""
        if not word.endswith(self._derived_endings):
            return []
        found: dict[Analysis, None] = {}
        for length in range(min(len(word) - self._affixes.derivations.least, 9), 2, -1):
            for bases, hosts, tag, ending in self._derivations.get(word[-length:], ()):
                stem = word[:-length]
                known = (reading for base in bases for reading in self._find(stem + base) if reading.by == "lexicon")
                if any(hosts(reading.tag) for reading in known):
                    category, features = self._tags.read(tag)
                    found[Analysis(stem + ending, category, features, by="rule", tag=tag)] = None
            if found:
                break
        return list(found)

    def voseo(self, word: str) -> list[Analysis]:
        """Verbs of the second person as the Americas say them (tenés, decí)."""
        return [analysis(word, reading) for reading in self._vos(word)]

    def _vos(self, word: str) -> list[SetReading]:
        if word[-1:] not in self._voseo_letters:
            return []
        for length in (2, 1):
            infinitive, tag = self._voseo.get(word[-length:], _NO_VERB)
            if tag and len(word) > length + 1:
                base = word[:-length] + infinitive
                if any(reading.tag.startswith("VMN") and reading.by == "lexicon" for reading in self._find(base)):
                    category, features = self._tags.read(tag)
                    return [
                        SetReading(
                            cut=length, add=infinitive, category=category, features=features, clitics=(), by="lexicon", tag=tag
                        )
                    ]
        return []

    def number(self, word: str) -> list[Analysis]:
        """Numbers in letters that no list holds."""
        return [Analysis(word, "NUM", "NumForm=Word|NumType=Card", by="rule", tag="Z")] if self._number.fullmatch(word) else []

    def misaccented(self, word: str) -> list[Analysis]:
        """The readings of the word without an accent that it should not have (dió)."""
        plain = word if word.isascii() else word.translate(PLAIN)
        if plain == word:
            return []
        return [
            changed(analysis(plain, reading), extended(reading.features, TYPO), reading.tag)
            for reading in self._find(plain)
            if reading.by == "lexicon"
        ]


def beginning(pattern: str) -> Test:
    """Whether one of a reading's tags begins as the pattern says."""
    return re.compile(rf"(?:.* )?(?:{pattern})" if pattern else "(?!)").match


class _Degree(NamedTuple):
    """An evaluative ending with its inflection, ready to use."""

    inflection: str
    features: str
    hosts: Test
    own_lemma: bool


def _degrees(affixes: Affixes) -> dict[str, list[_Degree]]:
    rules = affixes.evaluation
    alone = rules.bare.split()
    found: dict[str, list[_Degree]] = {}
    for kind in affixes.evaluative:
        hosts = beginning(kind.hosts or rules.hosts)
        taken = [pair for pair in rules.inflections if not kind.inflected or pair[0] in kind.inflected.split()]
        for ending in kind.endings.split():
            for inflection, said in [("", "Number=Sing")] if ending in alone else taken:
                degree = _Degree(inflection, extended(said, kind.feature), hosts, kind.own_lemma)
                found.setdefault(ending + inflection, []).append(degree)
    return found


def _derivations(affixes: Affixes) -> dict[str, list[tuple[list[str], Test, str, str]]]:
    found: dict[str, list[tuple[list[str], Test, str, str]]] = {}
    for ending, bases, hosts, tag, lemma in affixes.derivations.endings:
        rows = found.setdefault(ending, [])
        rows.append((["" if base == "0" else base for base in bases.split()], beginning(hosts), tag, lemma))
    return found


def _by_beginning(groups: tuple[Prefixes, ...]) -> dict[str, list[tuple[str, Test, int]]]:
    """The prefixes by their first two letters, the longest first; one of a single letter is entered under every pair."""
    listed = [(prefix, beginning(group.hosts), group.least) for group in groups for prefix in group.forms.split()]
    pairs_of_letters = {prefix[:2] for prefix, _, _ in listed if len(prefix) > 1}
    letters = "abcdefghijklmnñopqrstuvwxyzáéíóúü-"
    pairs_of_letters |= {prefix + letter for prefix, _, _ in listed if len(prefix) == 1 for letter in letters}
    longest_first = sorted(listed, key=lambda entry: -len(entry[0]))
    return {pair: [entry for entry in longest_first if entry[0][:2] == pair[: len(entry[0])]] for pair in pairs_of_letters}


def analysis(form: str, reading: SetReading, by: str = "rule") -> Analysis:
    """A reading of a form, by default as found by a rule."""
    lemma = form[: len(form) - reading.cut] + reading.add
    return Analysis(
        lemma=lemma,
        category=reading.category,
        features=reading.features,
        clitics=reading.clitics,
        by=by,
        tag=reading.tag,
    )


def changed(found: Analysis, features: str, tag: str) -> Analysis:
    """The same with other features and tag."""
    return Analysis(
        lemma=found.lemma,
        category=found.category,
        features=features,
        prefix=found.prefix,
        clitics=found.clitics,
        by="rule",
        tag=tag,
    )


def _evaluated(base: str, reading: SetReading, inflected: str) -> Analysis:
    features, said = dict(pairs(reading.features)), dict(pairs(inflected))
    features.pop("Typo", None)
    if reading.category == "ADV":
        said = {name: value for name, value in said.items() if name not in ("Gender", "Number")}
    return changed(analysis(base, reading), joined(features | said), reading.tag)


def _put_before(prefix: str, link: str, found: Analysis) -> Analysis:
    cut_off = f"{prefix}{'-' if link == '-' else ''}{found.prefix}"
    return Analysis(
        lemma=f"{prefix}{link}{found.lemma}",
        category=found.category,
        features=found.features,
        prefix=cut_off,
        clitics=found.clitics,
        by="rule",
        tag=found.tag,
    )
