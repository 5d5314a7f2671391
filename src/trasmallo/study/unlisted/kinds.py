"""The kinds of words that nobody lists, and what a language's folder tells of them."""

from __future__ import annotations

from enum import StrEnum
from functools import cache

import msgspec

from trasmallo.study import languages
from trasmallo.values.decodable import decodable


class Kind(StrEnum):
    """What an unrecognised word is; the first is what the others are told apart from.

    `WAITING` is a candidate that one source alone has: most of these are never seen again. Only a corpus tells it.
    """

    CANDIDATE = "candidate"
    WAITING = "waiting"
    FORMED = "formed by rule"
    INCLUSIVE = "inclusive form"
    FOREIGN = "foreign word"
    MISTAKE = "misspelling"
    NAME = "proper name"
    ABBREVIATION = "abbreviation"
    SEQUENCE = "special sequence"


TOLD_APART = (Kind.NAME, Kind.FOREIGN, Kind.MISTAKE, Kind.ABBREVIATION, Kind.FORMED, Kind.CANDIDATE)
"""The kinds that a model gives probabilities of, in this order; sequences and inclusive forms show by themselves, waiting is
told by a corpus."""


class KindRules(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The keys of `kinds.toml`; lists of words are apart by blanks."""

    determiners: str = ""
    prepositions: str = ""
    titles: str = ""
    introducing: str = ""
    before_verbs: str = ""
    derived: tuple[tuple[str, str, str], ...] = ()
    prefixes: str = ""
    plurals: str = ""
    last: str = ""
    least: int = 4


@cache
def rules_of(code: str) -> KindRules:
    """The rules of a language folder; empty ones where it has none."""
    return msgspec.toml.decode(languages.load(code).content("kinds.toml"), type=decodable(KindRules))
