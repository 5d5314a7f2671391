"""Syllables of Spanish words, and formulas for how hard a Spanish text is to read."""

from __future__ import annotations

import re

from trasmallo.study.languages.parts import Readability, TextSize

INFLESZ = ((40.0, "very hard"), (55.0, "rather hard"), (65.0, "normal"), (80.0, "rather easy"))
"""Upper limits of the INFLESZ scale for Szigriszt's index (I. M. Barrio-Cantalejo and others 2008); above is very easy."""

_SILENT = re.compile(r"(?<=[qg])u(?=[eiéí])|h")
_STRONG = "aeoáéíóúàèòâêôãõïäö"
_NUCLEI = re.compile(f"[{_STRONG}iuüûîì]+")
_FINAL_Y = re.compile(r"(?<![^\W_])y(?![^\W_])|(?<=[aeiouáéó])y(?![^\W_])|(?<![aeiouáéíóú])y(?![aeiouáéíóú])")
_EACH_STRONG = re.compile(f"[{_STRONG}]")


def syllables(word: str) -> int:
    """Syllables of a Spanish word: two open vowels, or an accented closed one beside an open one, stand apart.

    After the Ortografía de la lengua española (RAE 2010), II.2.4: closed vowels always make a diphthong with each other, and an
    h between vowels does not count. A word without vowels has one.
    """
    spelt = _SILENT.sub("", _FINAL_Y.sub("i", word.lower()))
    return sum(max(len(_EACH_STRONG.findall(group)), 1) for group in _NUCLEI.findall(spelt)) or 1


def measure(size: TextSize) -> Readability:
    """The measures of a text."""
    index = szigriszt(size)
    return Readability(
        syllables=size.syllables,
        fernandez_huerta=fernandez_huerta(size),
        szigriszt=index,
        gutierrez=gutierrez(size),
        inflesz=grade(index),
    )


def fernandez_huerta(size: TextSize) -> float:
    """Fernández Huerta's reading ease, 0 (hard) to 100 (easy): 206.84 - 60 P - 1.02 F.

    P are syllables per word, F words per sentence (J. Fernández Huerta, Medidas sencillas de lecturabilidad, 1959; that F is
    words per sentence, not sentences in a hundred words as printed, was shown by G. Law, 2011).
    """
    return 206.84 - 60 * size.syllables_per_word - 1.02 * size.words_per_sentence


def szigriszt(size: TextSize) -> float:
    """Szigriszt-Pazos' perspicuity, which the INFLESZ scale grades: 206.835 - 62.3 syllables per word - words per sentence.

    F. Szigriszt Pazos, Sistemas predictivos de legibilidad del mensaje escrito (1993).
    """
    return 206.835 - 62.3 * size.syllables_per_word - size.words_per_sentence


def gutierrez(size: TextSize) -> float:
    """Gutiérrez de Polini's comprehensibility: 95.2 - 9.7 letters per word - 0.35 words per sentence (1972)."""
    return 95.2 - 9.7 * size.letters / size.words - 0.35 * size.words_per_sentence


def grade(index: float) -> str:
    """Szigriszt's index on the INFLESZ scale."""
    return next((name for limit, name in INFLESZ if index < limit), "very easy")
