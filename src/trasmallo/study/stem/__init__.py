"""Stems: what the forms of a word have in common, found by rules, by a dictionary, or by both (textbook, 4.3.4).

| name | what it does |
| --- | --- |
| s | takes the last s off |
| porter | Porter's rules for English of 1980 |
| porter2 | his later rules for English |
| krovetz | rules for English that keep to a dictionary: stems are words |
| light10 | takes articles and endings off Arabic words |
| snowball | the rules of the Snowball project for the text's language |

A Snowball algorithm can be named too ("spanish", "german").
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from trasmallo.study.stem.snowball import LANGUAGES, algorithms, snowball
from trasmallo.values.errors import UsageError
from trasmallo.values.language_tags import primary
from trasmallo.values.nearest import nearest

Stemmer = Callable[[str], str]
"""From a word under its key (`tokenise.key`) to its stem."""

NAMES = ("s", "porter", "porter2", "krovetz", "light10", "snowball")


def defaults(language: str) -> tuple[str, ...]:
    """The stemmers worth comparing on a text in a language."""
    if primary(language) == "en":
        return ("s", "porter", "porter2", "krovetz")
    if primary(language) == "ar":
        return ("light10", "snowball")
    return ("s", "snowball") if primary(language) in LANGUAGES else ("s",)


def choose(names: Sequence[str], language: str = "en") -> dict[str, Stemmer]:
    """The named stemmers; raises UsageError that names the nearest known one."""
    return {name: _stemmer(name, language) for name in names}


def _stemmer(name: str, language: str) -> Stemmer:
    if name == "s":
        return suffix_s
    if name == "porter":
        from trasmallo.study.stem import porter

        return porter.stem
    if name == "krovetz":
        from trasmallo.study.stem import krovetz

        return krovetz.stem
    if name == "light10":
        from trasmallo.study.languages.ar import affixes

        return affixes.stem
    if name == "snowball":
        return snowball(_algorithm_for(language))
    if name == "porter2":
        return snowball("english")
    if name in algorithms():
        return snowball(name)
    known = [*NAMES, *algorithms()]
    raise UsageError(f"there is no stemmer {name!r}", f"did you mean {nearest(name, known)!r}? There are {', '.join(known)}")


def suffix_s(word: str) -> str:
    """The word without a last s: the simplest stemmer, which takes every such word for a plural (textbook, 4.3.4)."""
    return word[:-1] if len(word) > 1 and word.endswith("s") else word


def _algorithm_for(language: str) -> str:
    code = primary(language)
    if code not in LANGUAGES:
        raise UsageError(
            f"Snowball has no rules for the language {language!r}", f"name one with --language: {', '.join(LANGUAGES)}"
        )
    return LANGUAGES[code]
