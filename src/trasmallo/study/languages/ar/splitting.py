"""Takes articles, the conjunction "and", pronouns and endings off Arabic words: the light10 stemmer, rules in `splitting.toml`.

There are too few roots in Arabic to search by them, and too many forms of a word to search by these (textbook, 4.3.4).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources

import msgspec

from trasmallo.study.languages.parts import Split
from trasmallo.values.decodable import decodable

NEEDS_FREQUENCIES = False
# Vowel signs and the stroke that makes a word longer.
_SIGNS = re.compile("[\u0610-\u061a\u0640\u064b-\u065f\u0670]")
_LONGEST = 100
"""Letters of a word at most. Judgement: what is longer is no word."""


class _Affixes(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Forms, the longest first, and how many letters must stay."""

    forms: tuple[str, ...]
    least: int


class _Rules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    conjunction: _Affixes
    articles: _Affixes
    suffixes: _Affixes
    letters: dict[str, str]


class Affixed(msgspec.Struct, frozen=True):
    """A word in parts, each in order of writing; together they spell the word without vowel signs."""

    prefixes: tuple[str, ...]
    stem: str
    suffixes: tuple[str, ...]


def splitter(_frequencies: Mapping[str, float]) -> Split:
    """Who takes affixes off, whatever the frequencies of words."""
    return parts


def parts(word: str) -> tuple[str, ...]:
    """The affixes and the stem of a word, in order of writing."""
    found = split(word)
    return (*found.prefixes, found.stem, *found.suffixes)


def split(word: str) -> Affixed:
    """The parts of a word: "and" before three letters or more, then one article, then every ending from the last on.

    What is longer than 100 letters is no word and stays whole.
    """
    return _split(word) if len(word) <= _LONGEST else Affixed((), word, ())


@lru_cache(maxsize=65_536)
def _split(word: str) -> Affixed:
    rules = _rules()
    rest = "".join(rules.letters.get(letter, letter) for letter in _SIGNS.sub("", word))
    prefixes: list[str] = []
    suffixes: list[str] = []
    for kind in (rules.conjunction, rules.articles):
        found = next((form for form in kind.forms if rest.startswith(form) and len(rest) - len(form) >= kind.least), "")
        prefixes += [found] if found else []
        rest = rest.removeprefix(found)
    kind = rules.suffixes
    while found := next((form for form in kind.forms if rest.endswith(form) and len(rest) - len(form) >= kind.least), ""):
        suffixes.insert(0, found)
        rest = rest.removesuffix(found)
    return Affixed(tuple(prefixes), rest, tuple(suffixes))


def stem(word: str) -> str:
    """The word without affixes."""
    return split(word).stem


@cache
def _rules() -> _Rules:
    text = resources.files(__package__).joinpath("splitting.toml").read_text("utf-8")
    return msgspec.toml.decode(text, type=decodable(_Rules))
