"""How many syllables a word has: by the rules of spelling for Spanish, by a rule of thumb for English."""

from __future__ import annotations

import re

from trasmallo.study.vocabulary import Facts

_SILENT = re.compile(r"(?<=[qg])u(?=[eiéí])|h")
_STRONG = "aeoáéíóúàèòâêôãõïäö"
_NUCLEI = re.compile(f"[{_STRONG}iuüûîì]+")
_FINAL_Y = re.compile(r"(?<![^\W_])y(?![^\W_])|(?<=[aeiouáéó])y(?![^\W_])|(?<![aeiouáéíóú])y(?![aeiouáéíóú])")
_EACH_STRONG = re.compile(f"[{_STRONG}]")

_ENGLISH_GROUPS = re.compile("[aeiouyáéíóúèêëïöü]+")
# An e that is not spoken: at the end (but -le after a consonant), in -es and -ed that add no syllable, before some endings.
_ENGLISH_SILENT = re.compile(
    r"(?<=[^aeiouy])(?<![^aeiouy]l)e$|(?<=[^aeiouysxzcg])(?<!sh)(?<!ch)(?<![^aeiouy]l)es$|(?<=[^aeiouydt])(?<![^aeiouyl]l)ed$"
    r"|(?<=[^aeiouy])(?<![^aeiouy]l)e(?=(?:less|ness|ful|ly|thing|where|times?)$)"
)
# Vowels side by side that are spoken apart, and the m of -ism.
_ENGLISH_APART = re.compile(r"(?<![cgstlnx])i(?=[aou])|(?<!q)(?<!g)u(?=a[lt])|[aeiouy](?=ing$)|(?<=s)m$")


def spanish(word: str) -> int:
    """Syllables of a Spanish word: two open vowels, or an accented closed one beside an open one, stand apart.

    After the Ortografía de la lengua española (RAE 2010), II.2.4: closed vowels always make a diphthong with each other, and an
    h between vowels does not count. A word without vowels has one.
    """
    spelt = _SILENT.sub("", _FINAL_Y.sub("i", word.lower()))
    return sum(max(len(_EACH_STRONG.findall(group)), 1) for group in _NUCLEI.findall(spelt)) or 1


def english(word: str) -> int:
    """Syllables of an English word by its groups of vowels.

    Measured against the CMU pronouncing dictionary: right for 94 % of the 19,000 most frequent words and 98 % of occurrences;
    the mean of a text is right to 0.1 %.
    """
    spelt = _ENGLISH_SILENT.sub("", word.lower())
    return max(len(_ENGLISH_GROUPS.findall(spelt)) + len(_ENGLISH_APART.findall(spelt)), 1)


COUNTED = {
    "es": Facts(lambda words: list(map(spanish, words))),
    "en": Facts(lambda words: list(map(english, words))),
}
"""The syllables of forms, for languages that have them counted."""
