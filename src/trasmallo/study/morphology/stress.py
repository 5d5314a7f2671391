"""Where Spanish spelling puts the stress of a word; pronouns behind a verb must leave it where the verb has it."""

from __future__ import annotations

import re

PLAIN = str.maketrans("áéíóú", "aeiou")
ACCENTED = str.maketrans("aeiou", "áéíóú")
# A syllable's vowels: one strong or accented vowel with the weak ones around it, or weak ones alone; a mute u is no vowel.
_NUCLEI = re.compile(r"(?:(?<=q)u(?=[eiéí])|(?<=g)u(?=[eiéí]))|((?:[iuü])*(?:[aeoáéóíú])(?:[iuü])*|[iuü]+)")
ACCENTED_LETTERS = re.compile("[áéíóú]")
"""Finds a written accent."""
_UNMARKED_PENULT = frozenset("aeiouns")


def nuclei(word: str) -> list[str]:
    """The vowels of each syllable of a word in lower case."""
    return [found for found in _NUCLEI.findall(word) if found]


def stress(word: str) -> int:
    """The stressed syllable, counted from the end: 1 is the last. The accent says it, or else the last letter."""
    syllables = nuclei(word)
    for place, vowels in enumerate(reversed(syllables), 1):
        if ACCENTED_LETTERS.search(vowels):
            return place
    return 2 if word[-1:] in _UNMARKED_PENULT and len(syllables) > 1 else 1


def accented_syllable(word: str) -> int:
    """The syllable with the first accent, counted from the end: 1 is the last; 0 when there is none."""
    return next((place for place, vowels in _from_the_end(word) if ACCENTED_LETTERS.search(vowels)), 0)


def _from_the_end(word: str) -> list[tuple[int, str]]:
    return list(enumerate(reversed(nuclei(word)), 1))[::-1]
