"""Quantities, money and percentages with their values: SI units, ISO 4217 codes, ISO 8601 durations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, partial

from trasmallo.study.entities.found_spans import FoundSpan
from trasmallo.study.entities.rule_sets import Begins, Rule, RuleSet
from trasmallo.study.entities.rule_words import RuleWords, either, read_amount, rule_words, written

_SI = {
    "m": (1.0, "m"), "km": (1000.0, "m"), "cm": (0.01, "m"), "mm": (0.001, "m"), "mi": (1609.344, "m"), "ft": (0.3048, "m"),
    "in": (0.0254, "m"), "yd": (0.9144, "m"), "nmi": (1852.0, "m"), "m2": (1.0, "m2"), "km2": (1e6, "m2"), "ha": (1e4, "m2"),
    "acre": (4046.8564224, "m2"), "m3": (1.0, "m3"), "hm3": (1e6, "m3"), "l": (0.001, "m3"), "ml": (1e-6, "m3"),
    "cl": (1e-5, "m3"), "gal": (0.003785411784, "m3"), "kg": (1.0, "kg"), "g": (0.001, "kg"), "mg": (1e-6, "kg"),
    "t": (1000.0, "kg"), "lb": (0.45359237, "kg"), "oz": (0.028349523125, "kg"), "km/h": (1 / 3.6, "m/s"),
    "mph": (0.44704, "m/s"), "m/s": (1.0, "m/s"), "W": (1.0, "W"), "kW": (1e3, "W"), "MW": (1e6, "W"), "GW": (1e9, "W"),
    "kWh": (3.6e6, "J"), "V": (1.0, "V"), "Hz": (1.0, "Hz"), "MHz": (1e6, "Hz"), "GHz": (1e9, "Hz"), "B": (1.0, "B"),
    "MB": (1e6, "B"), "GB": (1e9, "B"), "TB": (1e12, "B"), "bar": (1e5, "Pa"), "cal": (4.184, "J"), "kcal": (4184.0, "J"),
}  # fmt: skip
"""Factor and SI unit (bytes stay bytes) of each unit of the languages' files."""
_DURATIONS = {"Y": "P{}Y", "MO": "P{}M", "WK": "P{}W", "D": "P{}D", "H": "PT{}H", "MIN": "PT{}M", "S": "PT{}S"}
_HALVES = {"Y": "6M", "D": "T12H", "H": "30M", "MIN": "30S"}
"""How half a unit is written; of others a fraction is."""
_HALF = 0.5  # by definition
_KELVIN = 273.15  # by definition
_CENT = "cent"
_BEFORE = "MONEY before"
"""The rule of sums whose currency stands before them."""
_WEIGHED = "QUANTITY weighed"
"""The rule of units whose names are currencies too."""
_LONGEST_NAME = 60
"""Characters of a currency at most. Judgement: twice as many as the longest in the languages' files."""
_NEAR = 80  # judgement: characters before an amount among which a verb of weighing is looked for, with two words between


def find_measures(text: str, language: str) -> Iterator[FoundSpan]:
    """Every quantity, sum of money and percentage of a text; those of different rules may overlap."""
    return measures(language).find(text)


@cache
def measures(language: str) -> RuleSet:
    """The rules that find them."""
    words = rule_words(language)
    amount = Begins.with_any([*words.numbers, *words.multipliers, *words.halves], digits=True, signs="-−")
    before = Begins.with_any(_signs(words), whole=False)
    return RuleSet(
        [
            Rule(pattern, before if kind == _BEFORE else amount, partial(_found, kind=kind, words=words))
            for kind, pattern in _patterns(words).items()
        ]
    )


def _found(match: re.Match[str], *, kind: str, words: RuleWords) -> FoundSpan | None:
    amount = _amount(match, words)
    if amount is None or _is_rate(match, words) or _is_weight(match, words) != (kind == _WEIGHED):
        return None
    value = _value(kind, match, amount, words)
    return FoundSpan(match.start("all"), match.end("all"), kind.partition(" ")[0], value) if value else None


def _amount(match: re.Match[str], words: RuleWords) -> float | None:
    amount = read_amount(match["amount"], words)
    if amount is None:
        return None
    amount += _HALF if match.groupdict().get("half") else 0
    return -amount if match["sign"] else amount


def _is_rate(match: re.Match[str], words: RuleWords) -> bool:
    """Whether the article of a unit means each: 45 euros a month, two euros a kilo, twice a week."""
    if words.numbers.get(match["amount"].lower()) != 1 or not _key(words.units, match["unit"]):
        return False
    before = match.string[: match.start()]
    said = before.rstrip()
    return len(said) < len(before) and bool(words.times and words.counted.search(said, max(len(said) - _LONGEST_NAME, 0)))


def _is_weight(match: re.Match[str], words: RuleWords) -> bool:
    """Whether a unit that is a currency too is a weight: behind a verb of weighing, or of something."""
    if not _key(words.weights, match["unit"]):
        return False
    verb, said = rf"\b(?:{either(words.weighing)})\s+(?:\w+\s+){{0,2}}$", match.string
    before = said[max(match.start("all") - _NEAR, 0) : match.start("all")]
    return bool(re.match(r"\s+(?:of|de)\s+[^\W\d]", said[match.end("unit") :]) or re.search(verb, before, re.IGNORECASE))


def _signs(words: RuleWords) -> list[str]:
    """The signs of currencies that may stand before a sum."""
    return [sign for names in words.currencies.values() for sign in names if not sign[-1].isalpha() or sign.isupper()]


def _patterns(words: RuleWords) -> dict[str, re.Pattern[str]]:
    amount = rf"(?P<amount>{words.amount})"
    named = [name for names in words.currencies.values() for name in names]
    units = [name for names in words.units.values() for name in names]
    weights = [name for names in words.weights.values() for name in names]
    scale = either(words.multipliers)
    found = {
        "PERCENT": rf"{amount}\s*(?P<unit>{either(words.per_cent)})(?!\w)",
        "MONEY": rf"{amount}\s*(?:(?:of|de)\s+)?(?P<unit>{either(named)})(?!\w)",
        _BEFORE: rf"(?P<unit>{either(_signs(words))})\s*(?P<amount>\d[\d.,]*\d|\d)(?P<scale>\s?(?:{scale}|m)\b)?",
        "QUANTITY": rf"{amount}(?:\s+de)?[\s-]*(?P<unit>{either(units)})(?![\w/²³]){words.after_half}",
        _WEIGHED: rf"{amount}\s+(?P<unit>{either(weights)})\b",
    }
    return {
        kind: re.compile(rf"(?<![\w$€£])(?P<all>(?P<sign>[-−](?=\d))?{pattern})", re.IGNORECASE if kind != _BEFORE else 0)
        for kind, pattern in found.items()
    }


def _value(kind: str, match: re.Match[str], amount: float, words: RuleWords) -> str:
    unit = re.sub(r"\s+", " ", match["unit"])
    if kind == "PERCENT":
        return f"{written(amount)} %"
    if kind.startswith("MONEY"):
        code = _key(words.currencies, unit)
        scale = (match.groupdict().get("scale") or "").strip().lower()
        amount *= words.multipliers.get(scale, 1e6 if scale == "m" else 1)
        return f"{written(amount / 100 if code == _CENT else amount)} {code if code != _CENT else 'USD'}" if code else ""
    return _in_si(amount, _key(words.weights if kind == _WEIGHED else words.units, unit))


def _key(table: dict[str, tuple[str, ...]], name: str) -> str:
    """The entry that a name belongs to: as it is written, else in any case where it is long enough not to mean another unit."""
    for key, names in table.items():
        if name in names:
            return key
    low = name.lower()
    return next((key for key, names in table.items() if low in [one.lower() for one in names]), "") if len(name) > 2 else ""


def _in_si(amount: float, unit: str) -> str:
    if unit in _DURATIONS:
        whole, half = divmod(amount, 1)
        if half == _HALF and unit in _HALVES:
            larger, smaller = _DURATIONS[unit].format(written(whole)), _HALVES[unit]
            return larger + smaller if whole else larger.partition("0")[0] + smaller
        return _DURATIONS[unit].format(written(amount))
    if unit == "°C":
        return f"{written(amount + _KELVIN)} K"
    if unit == "°F":
        return f"{written((amount - 32) / 1.8 + _KELVIN)} K"
    if unit not in _SI:
        return ""
    factor, name = _SI[unit]
    return f"{written(amount * factor)} {name}"
