"""The words that rules of dates, numbers, quantities and addresses need in a language, read from its `entities.toml`."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable, Mapping
from functools import cache, cached_property

import msgspec

from trasmallo.study import languages
from trasmallo.values.decodable import decodable

FILE = "entities.toml"
_FALLBACK = "en"


class RuleWords(msgspec.Struct, frozen=True, dict=True):
    """Words of a language by what they are in rules; the names are those of the file."""

    months: tuple[str, ...]
    weekdays: tuple[str, ...]
    first: tuple[str, ...]
    of: tuple[str, ...]
    years: tuple[str, ...]
    before_year: tuple[str, ...]
    century: tuple[str, ...]
    before_christ: tuple[str, ...]
    decade: tuple[str, ...]
    hours: tuple[str, ...]
    at: tuple[str, ...]
    less: str
    half: str
    quarter: str
    morning: tuple[str, ...]
    evening: tuple[str, ...]
    noon: tuple[str, ...]
    midnight: tuple[str, ...]
    per_cent: tuple[str, ...]
    decimal: str
    thousands: str
    day_first: bool
    streets: tuple[str, ...]
    street_first: bool
    number_signs: tuple[str, ...]
    floors: tuple[str, ...]
    numbers: dict[str, int]
    multipliers: dict[str, int]
    currencies: dict[str, tuple[str, ...]]
    units: dict[str, tuple[str, ...]]
    joiner: str = msgspec.field(name="and")
    halves: tuple[str, ...] = ()
    times: tuple[str, ...] = ()
    weighing: tuple[str, ...] = ()
    weights: dict[str, tuple[str, ...]] = {}
    decades: dict[str, int] = {}
    centuries: dict[str, int] = {}
    place_words: tuple[str, ...] = ()
    of_place: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    team: str = ""
    press: tuple[str, ...] = ()
    before_quotes: tuple[str, ...] = ()
    before_month: tuple[str, ...] = ()

    @cached_property
    def month_numbers(self) -> dict[str, int]:
        """The number of each name of a month."""
        return {name: number for number, names in enumerate(self.months, 1) for name in names.split("|")}

    @cached_property
    def full_months(self) -> tuple[str, ...]:
        """The name of each month that is no abbreviation."""
        return tuple(names.partition("|")[0] for names in self.months)

    @cached_property
    def after_half(self) -> str:
        """A pattern of the half that stands behind a unit: una hora y media."""
        return rf"(?:\s+{self.joiner}\s+(?P<half>{either(self.halves)})\b)?"

    @cached_property
    def counted(self) -> re.Pattern[str]:
        """A pattern of what ends a text before an article that means each: a number, or what is counted."""
        named = either([*self.times, *(name for names in self.currencies.values() for name in names)])
        return re.compile(rf"(?:[\d%]|(?<!\w)(?:{named}))$", re.IGNORECASE)

    @cached_property
    def amount(self) -> str:
        """A pattern of an amount: digits with or without a multiplier, or words."""
        many = either(self.multipliers)
        thousands, decimal = re.escape(self.thousands), re.escape(self.decimal)
        grouped = rf"\d{{1,3}}(?:(?:{thousands}|[\u00a0\u202f\u2009])\d{{3}})+(?:{decimal}\d+)?"
        digits = rf"(?<![\w.,])(?:{grouped}|\d+(?:[.,]\d+)?)(?![\d])"
        word = either([*self.numbers, *self.multipliers, *self.halves])
        words = rf"\b(?!(?:un|una|an?)\s+(?:{either(self.numbers)})\b)(?:{word})(?:(?:\s+{self.joiner}\s+|[\s-]+)(?:{word}))*\b"
        return rf"(?:(?:{digits})(?:\s+(?:{many})\b)*|{words})"


def either(words: Iterable[str] | Mapping[str, object]) -> str:
    """A pattern of some words, the longest first."""
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True)) or r"(?!)"


@cache
def rule_words(language: str) -> RuleWords:
    """The words of a language; of one without a file those of English."""
    found = languages.load(language)
    content = (found if found.has(FILE) else languages.load(_FALLBACK)).content(FILE)
    return msgspec.convert(tomllib.loads(content.decode()), decodable(RuleWords))


def read_amount(text: str, words: RuleWords) -> float | None:
    """The number that a text of `RuleWords.amount` stands for; None when it is none."""
    total, current, seen, last = 0.0, 0.0, False, 1.0
    halved = re.sub(rf"\b(?:{either(words.halves)})\b", _HALF, text.lower().strip())
    for piece in re.split(r"[\s\u00a0\u202f\u2009-]+(?=[^\d]|$)", halved):
        if not piece or piece == words.joiner:
            continue
        if piece == _HALF:
            current, seen = current + last / 2, True
            continue
        if piece[0].isdigit():
            current, seen = current + _digits(piece, words), True
        elif piece in words.multipliers:
            total, current = _multiplied(total, current if seen else 1.0, words.multipliers[piece])
            seen, last = False, float(words.multipliers[piece])
        elif piece in words.numbers:
            current, seen = current + words.numbers[piece], True
        else:
            return None
    return total + current if total + current or seen else None


_HUNDRED = 100  # by definition
_HALF = "½"


def _multiplied(total: float, current: float, by: int) -> tuple[float, float]:
    """English hundred counts what stands before it; mil and larger ones close a group."""
    if by == _HUNDRED:
        return total, current * by
    if by == 1000 or not total:
        return total + current * by, 0.0
    return (total + current) * by, 0.0


def _digits(text: str, words: RuleWords) -> float:
    plain = re.sub(r"[\s\u00a0\u202f\u2009]", "", text)
    groups = plain.split(words.thousands)
    if len(groups) > 1 and all(len(group.partition(words.decimal)[0]) == 3 for group in groups[1:]):
        plain = "".join(groups)
    return float(plain.replace(words.decimal, ".").replace(",", ".")) if plain.count(",") + plain.count(".") <= 1 else 0.0


def written(value: float) -> str:
    """A number as values have it: no point where it is whole, no digits that floating arithmetic added."""
    rounded = float(f"{value:.10g}")
    return str(int(rounded)) if rounded.is_integer() else repr(rounded)
