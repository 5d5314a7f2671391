"""All readings of a word: from the lexicon, or else by the rules of formation, or else guessed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache

from trasmallo.study import languages
from trasmallo.study.morphology import conjugation, rules
from trasmallo.study.morphology.compilation import Report, open_tables
from trasmallo.study.morphology.formation import Formation
from trasmallo.study.morphology.readings_of_rules import analysis
from trasmallo.study.morphology.tables import LexiconTables, Readings
from trasmallo.study.morphology.tags import TYPO, Tags
from trasmallo.study.tokenise import key
from trasmallo.values.model import Analysis

_ROMAN = re.compile("(?=[IVXLCDM])M{0,3}(?:CM|CD|D?C{0,3})(?:XC|XL|L?X{0,3})(?:IX|IV|V?I{0,3})")
# Words that folding would not change, which most are; it costs more than looking.
_PLAIN = re.compile("[A-Za-zÀ-ÖØ-öø-ÿ-]+").fullmatch
_LETTER_OR_DIGIT, _CODE = re.compile(r"[^\W_]").search, re.compile("[0-9/@_]").search
_SYMBOLS = frozenset("%+=$€°ºª&£<>@#§©®™×÷±|~^")
_OPEN = frozenset(("NOUN", "ADJ", "VERB"))
_COMMON_SIGNS = (*",.;:()¿?¡!-–—'\"«»“”‘’%/€$[]", "...", "…")
_NUMBER = re.compile(r"[+-]?\d[\d.,:/'’–\u00a0\u202f-]*(?:%|º|ª)?")


_Row = tuple[slice, str, str, str, tuple[str, ...], str, str]
"""A reading ready to be made an analysis of a form: what the lemma keeps of the form, what it adds, what else is said."""


class Analyser:
    """The analyses of one language, without a memory; `Memory` in this package remembers."""

    def __init__(self, code: str, tables: LexiconTables) -> None:
        self._find = tables.find
        self.likely = tables.likely
        """Which of some fingerprints may be those of listed words, see `LexiconTables`."""
        # By identity: a lexicon keeps one tuple for each set of readings, some ten thousand in Spanish.
        self._rows: dict[int, tuple[_Row, ...]] = {}
        self._namable: dict[int, bool] = {}
        self._unmarked: dict[int, Readings] = {}
        self._affixes = rules.load(code)
        tags = Tags(code)
        self._formation = Formation(self._affixes, tags, tables.find)
        self.adverb_ending = self._affixes.adverbs.ending or "\0"
        """How adverbs end that are made by rule; something that no word ends in where there are none."""
        self._written = _number_pattern(self._affixes.numbers)
        endings = (*self._affixes.guesses.endings, *conjugation.guesses(self._affixes, tags))
        self._guesses = _by_category(endings)
        self._lengths = sorted({len(row[0]) for row in endings}, reverse=True)
        self._common: dict[str, list[Analysis]] = {}
        # Signs and function words are half of any text, and a closed list.
        named = (form for row in languages.load(code).rows("words.tsv") for form in row[0].split())
        function_words = filter(tables.find, (*languages.stopwords(code), *named))
        self._common = {word: self.analyse(word) for word in (*_COMMON_SIGNS, *function_words)}

    def analyse(self, word: str) -> list[Analysis]:
        """Every reading of a word, however it is written; [] for an empty one."""
        form = word.lower()
        common = self._common.get(form)
        if common is not None:
            listed = common.copy()
        else:
            found = self._find(form)
            if not found:
                return self._unlisted(word, form)
            # By position, because every word of every text passes here.
            listed = [
                Analysis(form[kept] + add, category, features, "", clitics, by, tag)
                for kept, add, category, features, clitics, by, tag in self._rows.get(id(found)) or self._prepare(found)
            ]
            if form != word and self._namable[id(found)] and word.istitle():
                listed.append(Analysis(word, "PROPN", by="guess"))
        return listed if form == word or not word.isupper() else self._numeral(word, listed)

    def _prepare(self, readings: Readings) -> tuple[_Row, ...]:
        # A word with a capital may be a name as well (París), which no lexicon need list; function words are none.
        self._namable[id(readings)] = any(one.category in _OPEN and "Abbr" not in one.features for one in readings)
        rows = self._rows[id(readings)] = tuple((slice(-one.cut or None), *one[1:]) for one in readings)
        return rows

    def listed(self, word: str) -> tuple[str, Readings]:
        """The form under which the lexicon lists a word, and its readings there; () when it does not.

        Those of a word that lacks its accent are told only where no other word is written so; `analyse` tells all.
        """
        form = word.lower()
        found = self._find(form)
        return form, self._unmarked.get(id(found)) or self._without_mistakes(found)

    def _without_mistakes(self, readings: Readings) -> Readings:
        right = tuple(one for one in readings if TYPO not in one.features)
        found = self._unmarked[id(readings)] = right if right and len(right) < len(readings) else readings
        return found

    def _numeral(self, word: str, listed: list[Analysis]) -> list[Analysis]:
        """A word in capitals may be a Roman number as well."""
        if _ROMAN.fullmatch(word) and not any(found.category == "NUM" for found in listed):
            listed.append(Analysis(word.lower(), "NUM", "NumForm=Roman|NumType=Card", by="rule", tag="Z"))
        return listed

    def _unlisted(self, word: str, low: str) -> list[Analysis]:
        form = low if (word.isascii() and word.isalpha()) or _PLAIN(word) else key(word)
        if not form:
            return []
        if form != low and self._find(form):
            return self.analyse(form.upper() if word.isupper() else form)
        if form != word and (found := self._find(word)):
            return [analysis(word, reading, reading.by) for reading in found]
        shaped = self._by_shape(word, form)
        if shaped is not None:
            return [shaped]
        made = self._formation.analyse(form)
        if word.isupper():
            return self._numeral(word, made) or self._guess(word, form)
        return made or self._guess(word, form)

    def _by_shape(self, word: str, form: str) -> Analysis | None:
        """Numbers, signs and sequences with letters and digits, which no lexicon lists; None for anything else."""
        if form.isalpha():
            return None
        if _NUMBER.fullmatch(form):
            return Analysis(self._value(form), "NUM", "NumForm=Digit|NumType=Card", by="rule", tag="Z")
        if not _LETTER_OR_DIGIT(form):
            signs = all(letter in _SYMBOLS for letter in form)
            return Analysis(form, "SYM" if signs else "PUNCT", by="rule", tag="F")
        if (_CODE(form) or any(map(str.isdigit, form))) and not self._formation.inclusive(form):
            return Analysis(word, "X", by="guess")
        return None

    def _value(self, number: str) -> str:
        """A number without signs between thousands and with a point before decimals, when it is written by the rules."""
        if not self._written.fullmatch(number):
            return number
        rules = self._affixes.numbers
        return number.replace(rules.thousands, "").replace(rules.decimal, ".")

    def _guess(self, word: str, form: str) -> list[Analysis]:
        if word[0].isupper():
            return [Analysis(word, "PROPN", by="guess")]
        return [self.guess(form) or Analysis(form, "X", by="guess")]

    def guess(self, form: str, category: str = "") -> Analysis | None:
        """What the ending of an unknown word says, of one category when it is given; None when it says nothing."""
        guesses, size = self._guesses.get(category, {}), len(form)
        for length in self._lengths if guesses else ():
            if size > length + 1 and (said := guesses.get(form[size - length :])) is not None:
                its_category, features, lemma = said
                return Analysis(form[: size - length] + lemma, its_category, features, by="guess")
        return None


def _by_category(endings: Iterable[tuple[str, str, str, str]]) -> dict[str, dict[str, tuple[str, str, str]]]:
    """What the endings of each category say, and under "" those of all; of two rows with the same ending the first counts."""
    found: dict[str, dict[str, tuple[str, str, str]]] = {"": {}}
    for ending, category, features, lemma in endings:
        for its in (found[""], found.setdefault(category, {})):
            its.setdefault(ending, (category, features, lemma))
    return found


def _number_pattern(numbers: rules.Numbers) -> re.Pattern[str]:
    if not numbers.thousands:
        return re.compile("(?!)")
    between, before = re.escape(numbers.thousands), re.escape(numbers.decimal)
    return re.compile(rf"\d{{1,3}}(?:{between}\d{{3}})*(?:{before}\d+)?")


@cache
def analyser(code: str) -> Analyser:
    """The analyser of a language folder, made once a process."""
    return Analyser(code, open_tables(code))


def prepare(code: str, report: Report | None) -> None:
    """See to it that the lexicon of a language folder is compiled; `report` hears of the progress when it must be."""
    open_tables(code, report)
