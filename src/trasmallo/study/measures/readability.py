"""How hard a text is to read, by formulas made for its language: Spanish and English.

Words are alphabetic tokens, sentences those with at least one of them.
"""

from __future__ import annotations

import msgspec

INFLESZ = ((40.0, "very hard"), (55.0, "rather hard"), (65.0, "normal"), (80.0, "rather easy"))
"""Upper limits of the INFLESZ scale for Szigriszt's index (I. M. Barrio-Cantalejo and others 2008); above is very easy."""


class Size(msgspec.Struct, frozen=True):
    """What the formulas ask of a text."""

    sentences: int
    words: int
    syllables: int
    letters: int

    @property
    def words_per_sentence(self) -> float:
        """Mean length of a sentence."""
        return self.words / self.sentences

    @property
    def syllables_per_word(self) -> float:
        """Mean length of a word."""
        return self.syllables / self.words


class Readability(msgspec.Struct, frozen=True):
    """The measures of a text; None where a formula is not made for its language, or there is no sentence."""

    syllables: int | None = None
    fernandez_huerta: float | None = None
    szigriszt: float | None = None
    gutierrez: float | None = None
    flesch: float | None = None
    kincaid: float | None = None

    @property
    def inflesz(self) -> str:
        """Szigriszt's index in words; "" where there is none."""
        return "" if self.szigriszt is None else grade(self.szigriszt)


def measure(size: Size, language: str) -> Readability:
    """The measures of a text that has words."""
    if language == "es":
        return Readability(size.syllables, fernandez_huerta(size), szigriszt(size), gutierrez(size))
    if language == "en":
        return Readability(size.syllables, flesch=flesch(size), kincaid=kincaid(size))
    return Readability()


def fernandez_huerta(size: Size) -> float:
    """Fernández Huerta's reading ease, 0 (hard) to 100 (easy): 206.84 - 60 P - 1.02 F.

    P are syllables per word, F words per sentence (J. Fernández Huerta, Medidas sencillas de lecturabilidad, 1959; that F is
    words per sentence, not sentences in a hundred words as printed, was shown by G. Law, 2011).
    """
    return 206.84 - 60 * size.syllables_per_word - 1.02 * size.words_per_sentence


def szigriszt(size: Size) -> float:
    """Szigriszt-Pazos' perspicuity, which the INFLESZ scale grades: 206.835 - 62.3 syllables per word - words per sentence.

    F. Szigriszt Pazos, Sistemas predictivos de legibilidad del mensaje escrito (1993).
    """
    return 206.835 - 62.3 * size.syllables_per_word - size.words_per_sentence


def gutierrez(size: Size) -> float:
    """Gutiérrez de Polini's comprehensibility: 95.2 - 9.7 letters per word - 0.35 words per sentence (1972)."""
    return 95.2 - 9.7 * size.letters / size.words - 0.35 * size.words_per_sentence


def flesch(size: Size) -> float:
    """Flesch's reading ease for English: 206.835 - 84.6 syllables per word - 1.015 words per sentence (1948)."""
    return 206.835 - 84.6 * size.syllables_per_word - 1.015 * size.words_per_sentence


def kincaid(size: Size) -> float:
    """The school year of the United States by J. P. Kincaid and others (1975)."""
    return 0.39 * size.words_per_sentence + 11.8 * size.syllables_per_word - 15.59


def grade(index: float) -> str:
    """Szigriszt's index on the INFLESZ scale."""
    return next((name for limit, name in INFLESZ if index < limit), "very easy")
