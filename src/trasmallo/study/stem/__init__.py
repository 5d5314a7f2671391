"""Stems: what the forms of a word have in common, found by rules, by a dictionary, or by both (textbook, 4.3.4).

| name | what it does |
| --- | --- |
| s | takes the last s off |
| porter | Porter's rules for English of 1980 |
| porter2 | his later rules for English |
| krovetz | rules for English that keep to a dictionary: stems are words |
| light10 | takes articles and endings off Arabic words |
| snowball | the rules of the Snowball project for the text's language |

A Snowball algorithm can be named too ("spanish", "german"), and a stemmer that a language brings (as krovetz, light10).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NoReturn

from trasmallo.study import languages
from trasmallo.study.stem.snowball import algorithms, snowball
from trasmallo.values.errors import UsageError
from trasmallo.values.nearest import nearest

Stemmer = Callable[[str], str]
"""From a word under its key (`tokenise.key`) to its stem."""

_ALIASES = {"porter2": "english"}
"""Other names of algorithms of the Snowball project."""


def defaults(language: str) -> tuple[str, ...]:
    """The stemmers worth comparing on a text in a language."""
    known = languages.find(language)
    if known is None:
        return ("s",)
    return known.description.compared or (("s", "snowball") if known.description.snowball else ("s",))


def choose(names: Sequence[str], language: str = "en") -> dict[str, Stemmer]:
    """The named stemmers; raises UsageError that names the nearest known one."""
    return {name: _stemmer(name, language) for name in names}


def snowball_of(language: str) -> Stemmer | None:
    """The stemmer of the Snowball project for a language, None when it has none."""
    known = languages.find(language)
    return snowball(known.description.snowball) if known and known.description.snowball else None


def _stemmer(name: str, language: str) -> Stemmer:
    if name == "s":
        return suffix_s
    if name == "snowball":
        return snowball_of(language) or _refuse_language(language)
    if own := next(filter(None, (known.stemming(name) for known in languages.known())), None):
        return own.stem
    if _ALIASES.get(name, name) in algorithms():
        return snowball(_ALIASES.get(name, name))
    own_names = (name for known in languages.known() for name in known.description.stemmers)
    every = ["s", *sorted({*own_names, *_ALIASES}), "snowball", *algorithms()]
    problem = "there is no stemmer {name!r}"
    how = "did you mean {meant!r}? There are {every}"
    raise UsageError(problem, how, name=name, meant=nearest(name, every), every=", ".join(every))


def suffix_s(word: str) -> str:
    """The word without a last s: the simplest stemmer, which takes every such word for a plural (textbook, 4.3.4)."""
    return word[:-1] if len(word) > 1 and word.endswith("s") else word


def _refuse_language(language: str) -> NoReturn:
    codes = ", ".join(known.code for known in languages.known() if known.description.snowball)
    raise UsageError(
        "Snowball has no rules for the language {language!r}",
        "name one with --language: {codes}",
        language=language,
        codes=codes,
    )
