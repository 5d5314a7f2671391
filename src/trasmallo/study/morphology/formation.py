"""Words made from known ones: prefixes, pronouns behind verbs, adverbs, diminutives, derivations, plurals, voseo, compounds.

The rules are data (`rules.Affixes`); what a base means is asked through `find`, so that the lexicon can use them while it is
compiled. Words come as `tokenise.key` writes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

import msgspec

from trasmallo.study.morphology.conjugation import NewVerbs
from trasmallo.study.morphology.enclitics import ARCHAIC, Enclitics
from trasmallo.study.morphology.evaluatives import Evaluatives
from trasmallo.study.morphology.inclusive import Inclusive
from trasmallo.study.morphology.readings_of_rules import Find, Test, analysis, beginning, changed
from trasmallo.study.morphology.rules import Affixes, Prefixes
from trasmallo.study.morphology.stress import PLAIN, accented_syllable, nuclei, stress
from trasmallo.study.morphology.tables import Readings, SetReading
from trasmallo.study.morphology.tags import TYPO, Tags, extended
from trasmallo.study.morphology.voseo import Voseo
from trasmallo.values.model import Analysis

Rule = Callable[[str], list[Analysis]]
_LONGEST = 60
"""Letters of a word that rules are tried on. Judgement: what is longer is no word."""
_SUPERLATIVE = "Degree=Abs"
_ADVERBIAL = ("ADJ", "VERB")
"""Categories of what adverbs are made from; participles are verbs."""
# No word ends so.
_NONE = ("\0",)


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
        self._evaluatives = Evaluatives(affixes, find)
        self._verbs = NewVerbs(affixes, tags, find)
        self._voseo = Voseo(affixes, tags, find, self._verbs.is_infinitive)
        self._inclusive = Inclusive(affixes, find)
        self._enclitics = Enclitics(affixes, tags, self._verb)
        self._enclitics_of_listed = Enclitics(affixes, tags, self._listed_verb)
        self._contractions = tuple(affixes.contractions.endings.split()) or _NONE
        self._irregular = {word: (first, behind) for word, first, behind in affixes.contractions.irregular}
        self._prefixes = _by_beginning(affixes.prefixes)
        self._adjectival = frozenset(form for group in affixes.prefixes if group.adjectival for form in group.forms.split())
        self._first = frozenset(" ".join([affixes.compounds.first, *(group.forms for group in affixes.prefixes)]).split())
        self._compound_hosts = beginning(affixes.compounds.hosts)
        self._known_hosts = beginning(affixes.compounds.known_hosts or affixes.compounds.hosts)
        self._heads = beginning(affixes.compounds.heads)
        self._joinable = beginning(affixes.compounds.joinable)
        self._adverb_hosts = beginning(affixes.adverbs.hosts)
        self._plural_hosts = beginning(affixes.plurals.hosts)
        self._plurals = [
            (ending, re.compile(rf".*{before}").fullmatch, instead) for ending, before, instead in affixes.plurals.endings
        ]
        self._derivations = _derivations(affixes)
        self._derived_endings = tuple(self._derivations) or _NONE
        self._regular = [(ending[:-1], infinitive) for ending, infinitive in affixes.participles.regular]
        self._right_participles = frozenset(affixes.participles.right.split())
        self._number = re.compile(affixes.numbers.pattern or "(?!)")
        self._ordinal = re.compile(affixes.numbers.ordinals or "(?!)")
        self._rules = RulesByEnding(self._ordered())

    def _ordered(self) -> list[tuple[Rule, Iterable[str] | None]]:
        """The rules in the order in which they are tried, with the endings of their words, None for any."""
        plurals = tuple(ending for ending, _, _ in self._plurals)
        participles = tuple(stem + inflection for stem, _ in self._regular for inflection in _INFLECTIONS)
        return [
            (self.contracted, (*self._contractions, *self._irregular)),
            (self.adverb, (self._affixes.adverbs.ending,)),
            (self.ordinal, _ORDINAL_ENDINGS),
            (self.evaluative, self._evaluatives.endings),
            (self.prefixed, None),
            (self.voseo, self._voseo.endings),
            (self.participle, participles),
            (self.plural, plurals),
            (self.new_verb, self._verbs.endings),
            (self.derived, self._derivations),
            (self.inclusive, self._inclusive.endings),
            (self.compound, None),
            (self.number, None),
        ]

    def analyse(self, word: str) -> list[Analysis]:
        """What the first rule that knows the word says."""
        if len(word) > _LONGEST:
            return []
        sure, unsure = self._enclitics.analyse(word)
        if sure:
            return sure if ARCHAIC not in sure[0].features else self._beside_archaic(word, [*unsure, *sure])
        for rule in self._rules.for_ending_of(word):
            found = rule(word)
            if found:
                return found
        return unsure or self.misaccented(word)

    def _beside_archaic(self, word: str, archaic: list[Analysis]) -> list[Analysis]:
        """What else a word may be; without an accent a large book (librote) is likelier than old pronouns."""
        found = self.evaluative(word)
        return found if found and word.isascii() else [*found, *archaic]

    def enclitics_among(
        self, words: Iterable[str], forms: Mapping[str, Readings], *, listed: bool
    ) -> Iterator[tuple[str, list[Analysis]]]:
        """Pronouns behind the verb in those of many words that have them, with the forms of the lexicon that it is made from.

        `listed`: the lexicon has the words as something else too (hacerte, verse, salte).
        """
        for word in self._enclitics_of_listed.worth_analysing(words, forms):
            found = self._enclitics_of_listed.analyse(word, listed=listed)[0]
            if found:
                yield word, found

    def listed_evaluatives(self, word: str, known: Collection[tuple[str, str]]) -> list[Analysis]:
        """The plain word of a diminutive or superlative that the lexicon lists as a word of its own (riquísimo)."""
        return self._evaluatives.listed(word, known)

    def listed_participle(self, word: str) -> list[Analysis]:
        """A word that the lexicon has as something else, as the participle of a verb that has two (maldecido)."""
        return [found for found in self.participle(word) if TYPO not in found.features]

    def listed_voseo(self, word: str) -> list[SetReading]:
        """Readings of a listed word as a verb in the second person that the lexicon does not know (salí)."""
        return self._voseo.readings(word)

    def _verb(self, base: str) -> Readings:
        """Readings of what stands before the pronouns; the lexicon knows no voseo and no new verbs."""
        return self._listed_verb(base) or tuple(self._verbs.readings(base))

    def _listed_verb(self, base: str) -> Readings:
        found = self._find(base)
        voseo = tuple(self._voseo.readings(base))
        return (*found, *voseo) if any(_is_listed_verb(one) for one in found) else voseo

    def contracted(self, word: str) -> list[Analysis]:
        """A word in one with what is written behind it (it's, don't): its own readings, the rest as a clitic."""
        if word not in self._irregular and not word.endswith(self._contractions):
            return []
        first, behind = self._irregular.get(word) or next(
            (word[: -len(ending)], ending) for ending in self._contractions if word.endswith(ending)
        )
        return [msgspec.structs.replace(analysis(first, reading), clitics=(behind,)) for reading in self._find(first)]

    def adverb(self, word: str) -> list[Analysis]:
        """Adverbs made from adjectives (-mente); the word is its own lemma, superlatives have the plain one too."""
        ending = self._affixes.adverbs.ending
        if not ending or not word.endswith(ending) or len(word) < len(ending) + 3:
            return []
        base = word[: -len(ending)]
        known = [reading for reading in self._find(base) if self._adverb_hosts(reading.tag)]
        found = [analysis(base, reading) for reading in known] or self.evaluative(base) or self.prefixed(base)
        adjectives = [one for one in found if one.category in _ADVERBIAL]
        degrees = [one for one in adjectives if _SUPERLATIVE in one.features and not _is_own_lemma(one, base)]
        if degrees:
            lemmas = dict.fromkeys(re.sub("o$", "a", one.lemma) + ending for one in degrees)
            return [Analysis(lemma, "ADV", _SUPERLATIVE, by="rule", tag="RG") for lemma in (word, *lemmas)]
        typo = TYPO if known and known[0].by != "lexicon" else ""
        return [Analysis(word, "ADV", typo, by="rule", tag="RG")] if adjectives else []

    def evaluative(self, word: str) -> list[Analysis]:
        """Diminutives, augmentatives and superlatives; the lemma is the plain word's.

        A form of both genders is none of them: vecines is of vecino, no small vez.
        """
        found = self._evaluatives.analyse(word)
        return (self.inclusive(word) or found) if found else []

    def prefixed(self, word: str) -> list[Analysis]:
        """A prefix or several before a known word or a verb with pronouns (desmontarlo)."""
        found = self._prefixed(word, self._affixes.compounds.stacked)
        return [*found, *self._as_adjectives(word, found)]

    def _as_adjectives(self, word: str, found: Sequence[Analysis]) -> list[Analysis]:
        adjectives = {one.lemma for one in found if one.category == "ADJ"}
        nouns = [one for one in found if one.category == "NOUN" and one.prefix in self._adjectival]
        if not nouns or nouns[0].lemma in adjectives:
            return []
        invariable = [Analysis(word, "NOUN", by="rule", prefix=nouns[0].prefix)] if "Number=Plur" in nouns[0].features else []
        of_nouns = [msgspec.structs.replace(one, category="ADJ", tag="AQ0CN00") for one in (*nouns, *invariable)]
        return [*of_nouns, *invariable]

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
        # A word of one syllable takes an accent behind a prefix (superbién).
        readings = self._find(rest) or (self._find(rest.translate(PLAIN)) if len(nuclei(rest)) == 1 else ())
        if readings:
            return [analysis(rest, reading) for reading in readings if reading.by == "lexicon" and hosts(reading.tag)]
        with_pronouns = [found for found in self._enclitics.analyse(rest)[0] if hosts(found.tag)]
        if with_pronouns:
            return with_pronouns
        new = [analysis(rest, reading) for reading in self._verbs.readings(rest) if hosts(reading.tag)]
        return new or (self._prefixed(rest, depth - 1) if depth > 1 else [])

    def compound(self, word: str) -> list[Analysis]:
        """Words joined by a hyphen: what the last one is, when the first ones are known or may be joined (político-militar).

        Two nouns are one with the number of the first (ciudades-estado).
        """
        if "-" not in word:
            return []
        head, _, tail = word.rpartition("-")
        parts = head.split("-")
        if not all(part in self._first or self._find(part) for part in parts):
            return []
        hosts = self._compound_hosts if all(part in self._first for part in parts) else self._known_hosts
        readings = [reading for reading in self._find(tail) if hosts(reading.tag) and reading.by == "lexicon"]
        # What is an adjective or a noun is no verb there (greco-latina).
        readings = [reading for reading in readings if reading.category != "VERB"] or readings
        headed = self._headed(head, tail, readings)
        if headed:
            return [*self._joined_adjective(head, tail, readings), *headed]
        return [_put_before(head, "-", analysis(tail, reading)) for reading in readings]

    def _joined_adjective(self, head: str, tail: str, readings: Sequence[SetReading]) -> list[Analysis]:
        """Two adjectives, the first in its plain form (médico-sanitario); participles are not joined so."""
        if not any(self._joinable(one.tag) and analysis(head, one).lemma == head for one in self._find(head)):
            return []
        return [_put_before(head, "-", analysis(tail, one)) for one in readings if self._joinable(one.tag)]

    def _headed(self, head: str, tail: str, readings: Sequence[SetReading]) -> list[Analysis]:
        lemmas = dict.fromkeys(analysis(tail, reading).lemma for reading in readings if self._heads(reading.tag))
        if head in self._first or not lemmas:
            return []
        heads = [analysis(head, reading) for reading in self._find(head) if self._heads(reading.tag)]
        return [
            msgspec.structs.replace(first, lemma=f"{first.lemma}-{lemma}", prefix=f"{first.lemma}-")
            for first in heads
            if TYPO not in first.features
            for lemma in lemmas
        ]

    def plural(self, word: str) -> list[Analysis]:
        """The plural of a new word, made with an ending of its own (blogs, sándwiches)."""
        for ending, fits, instead in self._plurals:
            base = word.removesuffix(ending)
            if base != word and fits(base):
                found = self._singulars(base + instead, word)
                if found:
                    return [_in_plural(one) for one in found]
        return []

    def _singulars(self, base: str, word: str) -> list[Analysis]:
        """What a plural is of: new words, or others that have no plural with another ending; its stress stays.

        Where the singular ends in a vowel, no accent is new, and the lexicon has the plurals of its own nouns.
        """
        bare = base.translate(PLAIN)
        more = len(nuclei(word)) - len(nuclei(bare))
        in_vowel = bare.endswith(_VOWELS)
        for form in (base, bare) if bare != base and not in_vowel and stress(bare) + more == stress(word) else (base,):
            listed = [one for one in self._find(form) if one.by == "lexicon"]
            other = any(one.category in _INFLECTED for one in self._find(form + "es"))  # a verb is none (gayes, of gayar)
            found = [one for one in listed if self._plural_hosts(one.tag) and not (other or in_vowel)]
            named = [one for one in listed if _is_named_singular(one)]
            if found or named:
                return [analysis(form, one) for one in found or named]
        return []

    def participle(self, word: str) -> list[Analysis]:
        """Regular participles of verbs that have others: mistakes but for some (imprimido)."""
        inflection = next((end for end in _INFLECTIONS if word.endswith(end)), "")
        for ending, infinitive in self._regular if inflection else ():
            if word.endswith(ending + inflection):
                verb = word.removesuffix(ending + inflection) + infinitive
                if any(one.tag.startswith("VMN") and one.by == "lexicon" for one in self._find(verb)):
                    return [self._participle(verb, inflection)]
        return []

    def _participle(self, verb: str, inflection: str) -> Analysis:
        tag = f"VMP00{'P' if inflection.endswith('s') else 'S'}{'F' if inflection[0] == 'a' else 'M'}"
        category, features = self._tags.read(tag)
        right = verb in self._right_participles
        return Analysis(verb, category, features if right else extended(features, TYPO), by="rule", tag=tag)

    def new_verb(self, word: str) -> list[Analysis]:
        """Forms of verbs that are formed today (tuitear, hackear), every one of them."""
        return [analysis(word, reading) for reading in self._verbs.readings(word)]

    def inclusive(self, word: str) -> list[Analysis]:
        """Forms that name no gender (todes, amigxs)."""
        return self._inclusive.analyse(word)

    def ordinal(self, word: str) -> list[Analysis]:
        """Ordinals of two parts, their short forms too (decimotercer)."""
        if not self._ordinal.fullmatch(word):
            return []
        short = word.endswith(self._affixes.numbers.short) and self._affixes.numbers.short
        lemma = word + "o" if short else re.sub("[oa]s?$", "o", word)
        tag = f"AO0{'F' if re.search('as?$', word) else 'M'}{'P' if word.endswith('s') else 'S'}00"
        category, features = self._tags.read(tag)
        return [Analysis(lemma, category, features, by="rule", tag=tag)]

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
        return [analysis(word, reading) for reading in self._voseo.readings(word)]

    def number(self, word: str) -> list[Analysis]:
        """Numbers in letters that no list holds."""
        return [Analysis(word, "NUM", "NumForm=Word|NumType=Card", by="rule", tag="Z")] if self._number.fullmatch(word) else []

    def misaccented(self, word: str) -> list[Analysis]:
        """The readings of the word without an accent that it should not have (dió): on the syllable that is stressed anyway."""
        plain = word if word.isascii() else word.translate(PLAIN)
        if plain == word or accented_syllable(word) != stress(plain):
            return []
        return [
            changed(analysis(plain, reading), extended(reading.features, TYPO), reading.tag)
            for reading in self._find(plain)
            if reading.by == "lexicon"
        ]


def _is_listed_verb(reading: SetReading) -> bool:
    return reading.category in ("VERB", "AUX") and reading.by == "lexicon" and bool(reading.tag)


def _is_own_lemma(found: Analysis, base: str) -> bool:
    """Whether a superlative is read as a word of its own (clarísimo)."""
    return found.lemma == re.sub("a$", "o", base)


def _in_plural(found: Analysis) -> Analysis:
    tag = found.tag and found.tag[:3] + "P" + found.tag[4:]
    return changed(found, extended(found.features, "Number=Plur"), tag)


def _is_named_singular(reading: SetReading) -> bool:
    """Whether a noun of `words.tsv`, which has no tags, may have a plural."""
    return not reading.tag and reading.category == "NOUN" and "Number=Plur" not in reading.features


_ORDINAL_ENDINGS = ("o", "a", "os", "as", "er")
_INFLECTIONS = ("os", "as", "o", "a")
_INFLECTED = ("NOUN", "ADJ")
_VOWELS = tuple("aeiou")


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
