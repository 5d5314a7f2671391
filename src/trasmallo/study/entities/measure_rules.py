"""Quantities, money and percentages with their values: SI units, ISO 4217 codes, ISO 8601 durations."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from trasmallo.study.entities.found_spans import FoundSpan
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
_KELVIN = 273.15  # by definition
_CENT = "cent"


def find_measures(text: str, language: str) -> Iterator[FoundSpan]:
    """Every quantity, sum of money and percentage of a text; those of different rules may overlap."""
    words = rule_words(language)
    patterns = _patterns(language)
    for kind, pattern in patterns.items():
        for match in pattern.finditer(text):
            amount = read_amount(match["amount"], words)
            amount = -amount if amount is not None and match["sign"] else amount
            value = "" if amount is None else _value(kind, match, amount, words)
            if value:
                yield FoundSpan(match.start("all"), match.end("all"), kind.partition(" ")[0], value)


@cache
def _patterns(language: str) -> dict[str, re.Pattern[str]]:
    words = rule_words(language)
    amount = rf"(?P<amount>{words.amount})"
    signs = [sign for names in words.currencies.values() for sign in names if not sign[-1].isalpha() or sign.isupper()]
    named = [name for names in words.currencies.values() for name in names]
    units = [name for names in words.units.values() for name in names]
    scale = either(words.multipliers)
    found = {
        "PERCENT": rf"{amount}\s*(?P<unit>{either(words.per_cent)})(?!\w)",
        "MONEY": rf"{amount}\s*(?:(?:of|de)\s+)?(?P<unit>{either(named)})(?!\w)",
        "MONEY before": rf"(?P<unit>{either(signs)})\s*(?P<amount>\d[\d.,]*\d|\d)(?P<scale>\s?(?:{scale}|m)\b)?",
        "QUANTITY": rf"{amount}(?:\s+de)?[\s-]*(?P<unit>{either(units)})(?![\w/²³])",
    }
    return {
        kind: re.compile(
            rf"(?<![\w$€£])(?P<all>(?P<sign>[-−](?=\d))?{pattern})", re.IGNORECASE if kind != "MONEY before" else 0
        )
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
    return _in_si(amount, _key(words.units, unit))


def _key(table: dict[str, tuple[str, ...]], name: str) -> str:
    """The entry that a name belongs to: as it is written, else in any case where it is long enough not to mean another unit."""
    for key, names in table.items():
        if name in names:
            return key
    low = name.lower()
    return next((key for key, names in table.items() if low in [one.lower() for one in names]), "") if len(name) > 2 else ""


def _in_si(amount: float, unit: str) -> str:
    if unit in _DURATIONS:
        return _DURATIONS[unit].format(written(amount))
    if unit == "°C":
        return f"{written(amount + _KELVIN)} K"
    if unit == "°F":
        return f"{written((amount - 32) / 1.8 + _KELVIN)} K"
    if unit not in _SI:
        return ""
    factor, name = _SI[unit]
    return f"{written(amount * factor)} {name}"
