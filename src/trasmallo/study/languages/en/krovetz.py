"""Krovetz's stemmer for English: endings are taken off only where a dictionary knows what is left, so that stems are words.

After R. Krovetz, Viewing morphology as an inference process (SIGIR 1993), and the textbook, 4.3.4. The dictionary is made of
WordNet 3.0 by `training/headwords.py` (its licence lies beside it): headwords, irregular forms, relational adjectives, adverbs.
Single words differ from the original's, whose dictionary may not be passed on. A headword stays as it is (marketing), an
exception gives its headword (mice, italian, quickly). Inflections go even if the dictionary does not know the rest; derivations
do not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib import resources

import msgspec

_STEPS_DOWN = 3
"""Endings that are taken off one after the other at most. Judgement."""
_SHORTEST, _LONGEST = 4, 40
"""Letters of a word that is changed, and of one that is looked at. Judgement: what is longer is no word."""
_SHORTEST_ROOT = 3
"""Letters that a derivation must leave. Judgement."""
_DERIVING = ("comparison", "adverb", "nominal", "agent", "verbal", "adjectival")
_INFLECTING = ("plural", "past", "progressive")
_PLAIN = re.compile(r"[a-z']+")
_VOWEL = re.compile("[aeiouy]")
_DOUBLED = re.compile(r"([^aeiouylsz])\1$")
_WANTS_E = re.compile(r"(?:at|bl|iz|is|[cgsuvz]|[^aeiouylr][lr])$")


class EndingRule(msgspec.Struct, frozen=True):
    """An ending, what the dictionary is asked for in its place, and what is taken otherwise ("" when nothing is)."""

    ending: str
    tried: tuple[str, ...]
    otherwise: str


class Headwords(msgspec.Struct, frozen=True):
    """Words that stay as they are, and words with the one to which they belong."""

    headwords: frozenset[str]
    exceptions: dict[str, str]


def stem(word: str) -> str:
    """The stem of a word in lower case; what is no English word by its letters or its length stays as it is."""
    return _stem(word) if len(word) <= _LONGEST and _PLAIN.fullmatch(word) else word


@lru_cache(maxsize=65_536)
def _stem(word: str) -> str:
    known, rules = lexicon(), steps()
    word = _changed(word, rules["possessive"], known)
    for name in _INFLECTING:
        if len(word) < _SHORTEST or word in known.headwords or word in known.exceptions:
            break
        word = _changed(word, rules[name], known)
    word = known.exceptions.get(word, word)
    return word if word in known.headwords else _derive(word, known, _STEPS_DOWN) or word


def _changed(word: str, rules: tuple[EndingRule, ...], known: Headwords) -> str:
    """The word after the first rule that fits it."""
    rule = next((rule for rule in rules if word.endswith(rule.ending)), None)
    if rule is None:
        return word
    root = word.removesuffix(rule.ending)
    found = next((form for form in _forms(root, rule) if form in known.headwords), "")
    return found or (_otherwise(word, root, rule) if rule.otherwise and _VOWEL.search(root) else word)


def _forms(root: str, rule: EndingRule) -> Iterator[str]:
    for tried in rule.tried:
        if tried != "~":
            yield root + tried.strip("-")
        elif root[-1:] == root[-2:-1]:
            yield root[:-1]


def _otherwise(word: str, root: str, rule: EndingRule) -> str:
    """What a word becomes that the dictionary does not have: new words follow the common rules."""
    if rule.otherwise == "=":
        return word
    if rule.otherwise != "~e":
        return root + rule.otherwise.strip("-")
    if _DOUBLED.search(root):
        return root[:-1]
    return root + "e" if _WANTS_E.search(root) else root


def _derive(word: str, known: Headwords, left: int) -> str:
    """The headword from which a word was made by one or more endings; "" when there is none."""
    for name in _DERIVING:
        rule = next((rule for rule in steps()[name] if word.endswith(rule.ending)), None)
        if rule is None or len(word) - len(rule.ending) < _SHORTEST_ROOT:
            continue
        forms = list(_forms(word.removesuffix(rule.ending), rule))
        found = next((form for form in forms if form in known.headwords), "")
        if not found and left > 1:
            found = next(filter(None, (_derive(form, known, left - 1) for form in forms)), "")
        if found:
            return found
    return ""


@cache
def lexicon() -> Headwords:
    """The dictionary, read once a process: 57,000 headwords, about 7 MB and 40 ms."""
    import zstandard

    packed = resources.files(__package__).joinpath("headwords.txt.zst").read_bytes()
    lines = zstandard.ZstdDecompressor().decompress(packed).decode().split("\n")
    exceptions = dict(line.split(" ") for line in lines if " " in line)
    return Headwords(frozenset(line for line in lines if line and " " not in line), exceptions)


@cache
def steps() -> dict[str, tuple[EndingRule, ...]]:
    """The rules of each step."""
    found: dict[str, list[EndingRule]] = {}
    lines = resources.files(__package__).joinpath("krovetz.rules").read_text("utf-8").splitlines()
    for line in filter(None, (line.strip() for line in lines)):
        if line.startswith("["):
            rules = found.setdefault(line.strip("[]"), [])
        elif not line.startswith("#"):
            rules.append(_rule(line.split()))
    return {name: tuple(rules) for name, rules in found.items()}


def _rule(fields: list[str]) -> EndingRule:
    otherwise = fields.pop()[1:] if fields[-1].startswith("!") else ""
    return EndingRule(fields[0], tuple(fields[1:]), otherwise)
