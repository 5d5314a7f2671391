"""Dates and times with their ISO 8601 values.

A date without a year begins with `--`; a decade is 198X and a century 19XX (EDTF, ISO 8601-2); a range has a slash.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache

from trasmallo.study.entities.found_spans import FoundSpan
from trasmallo.study.entities.rule_sets import DIGITS, Begins, Rule, RuleSet
from trasmallo.study.entities.rule_words import RuleWords, either, rule_words

_YEAR = r"(?:1\d{3}|20\d{2})"
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_MOST_MONTHS, _MOST_DAYS, _NOON = 12, 31, 12  # by the calendar and the clock
_ROMAN = {"I": 1, "V": 5, "X": 10}
_CENTURY = 100  # by definition


_Made = tuple[str, str, Callable[[re.Match[str], RuleWords], str], Begins]
"""The kind, pattern and value of a rule, and what its matches begin with."""


def find_dates(text: str, language: str) -> Iterator[FoundSpan]:
    """Every date and time of a text; those of different rules may overlap."""
    return dates(language).find(text)


@cache
def dates(language: str) -> RuleSet:
    """The rules that find them."""
    words = rule_words(language)
    made = [*_calendar(words), *_numeric(words), *_years(words), *_clock(words)]
    return RuleSet([_rule(one, words) for one in made])


def _rule(made: _Made, words: RuleWords) -> Rule:
    kind, pattern, value, begins = made

    def found(match: re.Match[str]) -> FoundSpan | None:
        told = value(match, words)
        return FoundSpan(match.start("all"), match.end("all"), kind, told) if told else None

    whole = pattern if "(?P<all>" in pattern else f"(?P<all>{pattern})"
    return Rule(re.compile(whole, re.IGNORECASE), begins, found)


def _calendar(words: RuleWords) -> list[_Made]:
    """Dates with the name of a month."""
    whole = "".join(rf"(?<!{re.escape(name)})" for name in words.full_months)
    month = rf"(?P<month>(?:{either(words.month_numbers)}))\b(?:{whole}\.)?"  # behind a whole name it ends the sentence
    week = rf"(?:(?:{either(words.weekdays)})\s*,?\s+(?:the\s+)?)?"
    of = rf"(?:(?:{either(words.of)})\s+)"
    day = rf"(?P<day>{_DAY}(?:st|nd|rd|th|º|\.º)?|{either(words.first)})"
    until = rf"(?:\s*(?:-|–|a|al|to|y|and)\s*(?P<last>{_DAY}))?"
    year = rf"(?:\s*,?\s*{of}?(?:{either(words.years)}\s+)?(?P<year>{_YEAR})\b(?![.,]\d|\s*(?:%|€)))"
    begins = Begins.with_any([*words.weekdays, *words.first], digits=True)
    found: list[_Made] = [("DATE", rf"\b{week}{day}{until}\s+{of}?{month}{year}?", _calendar_value, begins)]
    if not words.day_first:
        begins = Begins.with_any([*words.weekdays, *words.month_numbers])
        found.append(("DATE", rf"\b{week}{month}\s+{day}{until}\b{year}?", _calendar_value, begins))
    begins = Begins.with_any(words.month_numbers)
    found.append(("DATE", rf"\b{month}\s*,?\s*{of}?(?P<year>{_YEAR})\b", _calendar_value, begins))
    alone = rf"\b(?:{either(words.before_month)})\s+(?P<all>(?P<month>{either(words.full_months)}))\b"
    return [*found, ("DATE", alone, _month_value, Begins.with_any(words.before_month))]


def _month_value(match: re.Match[str], words: RuleWords) -> str:
    """A month alone; where months are written small, a large one is a name, and the other way round."""
    small = match["month"].islower()
    return f"--{words.month_numbers[match['month'].lower()]:02}" if small == words.day_first else ""


def _calendar_value(match: re.Match[str], words: RuleWords) -> str:
    said = match.groupdict()
    month = words.month_numbers[said["month"].lower()]
    year = said.get("year") or "-"
    if not said.get("day"):
        return f"{year}-{month:02}"
    # "may" and "mar" are words too: a capital or a day must stand beside them.
    day = re.match(r"\d+", said["day"])
    first = f"{year}-{month:02}-{int(day[0]) if day else 1:02}"
    return f"{first}/{year}-{month:02}-{int(said['last']):02}" if said.get("last") else first


def _numeric(_words: RuleWords) -> list[_Made]:
    return [
        ("DATE", rf"(?<![\w/.-])(?P<year>{_YEAR})-(?P<second>\d\d)-(?P<third>\d\d)(?![\w/-])", _iso_value, DIGITS),
        (
            "DATE",
            rf"(?<![\w/.-])(?P<one>\d{{1,2}})(?P<sign>[/.-])(?P<two>\d{{1,2}})(?P=sign)(?P<year>{_YEAR}|\d\d)(?![\w/-]|[.,]\d)",
            _slashed_value,
            DIGITS,
        ),
    ]


def _iso_value(match: re.Match[str], _words: RuleWords) -> str:
    return match["all"] if int(match["second"]) in range(1, 13) and int(match["third"]) in range(1, 32) else ""


def _slashed_value(match: re.Match[str], words: RuleWords) -> str:
    one, two = int(match["one"]), int(match["two"])
    day, month = (one, two) if words.day_first or one > _MOST_MONTHS else (two, one)
    if month > _MOST_MONTHS:
        day, month = month, day
    if not (1 <= month <= _MOST_MONTHS and 1 <= day <= _MOST_DAYS):
        return ""
    year = match["year"]
    full = year if len(year) > 2 else f"{'19' if int(year) > 50 else '20'}{year}"
    return f"{full}-{month:02}-{day:02}"


def _years(words: RuleWords) -> list[_Made]:
    context = rf"\b(?:{either(words.before_year)})\s+(?:el\s+año\s+|the\s+year\s+)?"
    found: list[_Made] = [
        ("DATE", rf"(?<![\w/.,-])(?P<year>{_YEAR})\s?[-–/]\s?(?P<last>{_YEAR}|\d\d)(?![\w/-]|[.,]\d)", _range_value, DIGITS),
        (
            "DATE",
            rf"\b(?:{either(words.decade)})\s+(?:los\s+)?(?P<decade>(?:1[89]|20)?\d0|{either(words.decades)})(?![\w.,]\d|\w|\s+(?:%|€|\w+os\b))",
            _decade_value,
            Begins.with_any(words.decade),
        ),
        ("DATE", r"\b(?P<decade>(?:1[89]|20)\d0)s\b", _decade_value, DIGITS),
        (
            "DATE",
            rf"(?<=\bthe\s)(?P<decade>\d0s|{either(words.decades)})\b",
            _decade_value,
            Begins.with_any(words.decades, digits=True),
        ),
    ]
    if words.century:
        found.append(
            (
                "DATE",
                rf"\b(?:{either(words.century)})\s+(?P<century>[IVX]{{1,5}})\b(?P<before>\s+(?:{either(words.before_christ)}))?",
                _century_value,
                Begins.with_any(words.century),
            )
        )
        second = rf"\b(?:{either(words.century)})\s+[IVX]{{1,5}}\s+(?:{words.joiner}|al?|o)\s+"
        last = rf"(?P<all>(?P<century>[IVX]{{1,5}})\b(?P<before>\s+(?:{either(words.before_christ)}))?)"
        found.append(("DATE", second + last, _century_value, Begins.with_any(words.century)))
    else:
        ordinal = rf"(?:(?P<century>\d\d?)(?:st|nd|rd|th)|(?P<told>{either(words.centuries)}))"
        begins = Begins.with_any(words.centuries, digits=True)
        found.append(("DATE", rf"\b{ordinal}[\s-]+century\b(?P<before>(?!))?", _century_value, begins))
    year = rf"{context}(?P<year>{_YEAR})\b(?![.,]?\d|\s*(?:%|€|/))"
    return [*found, ("YEAR", year, lambda match, _: match["year"], Begins.with_any(words.before_year))]


def _range_value(match: re.Match[str], _words: RuleWords) -> str:
    first, last = match["year"], match["last"]
    full = last if len(last) > 2 else first[:2] + last
    return f"{first}/{full}" if int(full) > int(first) else ""


def _decade_value(match: re.Match[str], words: RuleWords) -> str:
    decade = match["decade"].lower().removesuffix("s") if match["decade"][0].isdigit() else match["decade"].lower()
    decade = str(words.decades.get(decade, decade))
    return f"{decade[:3]}X" if len(decade) > 2 else f"{'20' if int(decade) < 30 else '19'}{decade[0]}X"


def _century_value(match: re.Match[str], words: RuleWords) -> str:
    said = match.groupdict()
    text = (said["century"] or "").upper()
    number = words.centuries[said["told"].lower()] if not text else int(text) if text.isdigit() else _roman(text)
    return f"-{number:02}" if match["before"] else f"{number - 1:02}XX" if 0 < number < _CENTURY else ""


def _roman(text: str) -> int:
    values = [_ROMAN[letter] for letter in text]
    return sum(-one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True))


def _clock(words: RuleWords) -> list[_Made]:
    part = rf"(?P<morning>{either(words.morning)})|(?P<evening>{either(words.evening)})"
    hour = rf"(?P<hour>(?:[01]?\d|2[0-4])|{either([name for name, number in words.numbers.items() if 0 < number <= _NOON])})"
    further = (
        rf"(?:\s+{words.joiner}\s+(?P<part>{words.half}|{words.quarter}|{either(words.numbers)}|\d\d?)"
        rf"|\s+{words.less}\s+(?P<less>{words.quarter}|{either(words.numbers)}|\d\d?))?"
    )
    hours = Begins.with_any(words.numbers, digits=True)
    found: list[_Made] = [
        (
            "TIME",
            rf"(?<![\w:.,])(?P<hour>[01]?\d|2[0-4])[:.h](?P<minute>[0-5]\d)(?:[:.](?P<second>[0-5]\d))?(?:\s*(?:{either(words.hours)})(?!\w)|\s*(?:{part})(?!\w))",
            _clock_value,
            DIGITS,
        ),
        (
            "TIME",
            r"(?<![\w:.,/])(?P<hour>[01]?\d|2[0-4]):(?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?![\w:]|\.\d)",
            _clock_value,
            DIGITS,
        ),
        ("TIME", rf"(?<![\w:.,])(?P<hour>0?\d|1[0-2])\s*(?:{part})(?!\w)", _clock_value, DIGITS),
        (
            "TIME",
            rf"\b(?:{either([*words.noon, *words.midnight])})\b",
            lambda match, of: "12:00" if match["all"].lower() in of.noon else "00:00",
            Begins.with_any([*words.noon, *words.midnight]),
        ),
    ]
    if words.day_first:
        told = rf"{hour}{further}(?:\s+horas?\b|\s+(?:{part})(?!\w)|(?=\s*[.,;:)]|\s*$))"
        found.append(("TIME", rf"\b(?:{either(words.at)})\s+(?P<all>{told})", _clock_value, Begins.with_any(words.at)))
    else:
        past = rf"\b(?P<past>half|quarter)\s+(?P<way>past|to)\s+{hour}(?:\s+(?:{part}))?\b"
        found.append(("TIME", rf"\b{hour}\s+o'clock(?:\s+(?:{part}))?", _clock_value, hours))
        found.append(("TIME", rf"\b{hour}\s+(?:{part})(?!\w)", _clock_value, hours))
        found.append(("TIME", past, _past_value, Begins.with_any(["half", "quarter"])))
    return found


def _clock_value(match: re.Match[str], words: RuleWords) -> str:
    said = match.groupdict()
    hour = _number(said["hour"], words)
    minute = int(said.get("minute") or 0)
    if said.get("part"):
        minute = {words.half: 30, words.quarter: 15}.get(said["part"].lower(), -1)
        minute = minute if minute >= 0 else _number(said["part"], words)
    if said.get("less"):
        hour, minute = hour - 1, 60 - (15 if said["less"].lower() == words.quarter else _number(said["less"], words))
    if said.get("evening") and hour < _NOON:
        hour += _NOON
    if said.get("morning") and hour == _NOON:
        hour = 0
    return f"{hour % 24:02}:{minute:02}" + (f":{said['second']}" if said.get("second") else "")


def _past_value(match: re.Match[str], words: RuleWords) -> str:
    minutes = 30 if match["past"].lower() == "half" else 15
    hour = _number(match["hour"], words) + (_NOON if match["evening"] else 0)
    return f"{hour:02}:{minutes:02}" if match["way"].lower() == "past" else f"{hour - 1:02}:{60 - minutes:02}"


def _number(text: str, words: RuleWords) -> int:
    return int(text) if text.isdigit() else words.numbers[text.lower()]
