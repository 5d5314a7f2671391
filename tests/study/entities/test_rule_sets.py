"""Rules that are tried only where they can begin find what they find everywhere."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.entities.contact_rules import contacts
from trasmallo.study.entities.date_rules import dates
from trasmallo.study.entities.found_spans import FoundSpan
from trasmallo.study.entities.measure_rules import measures
from trasmallo.study.entities.rule_sets import Begins, Rule, RuleSet
from trasmallo.study.entities.rule_words import RuleWords, rule_words

LANGUAGES = ("es", "en")
SIGNS = ["-", "−", "+", "(", ")", "/", ".", ",", ":", "º", "%", "@", "_", "\u00a0", "\n", "ı", "ſ", "İ", "K", "\u0301"]
NUMBERS = [
    "1",
    "3",
    "12",
    "24",
    "1998",
    "2020",
    "20",
    "30",
    "90s",
    "600123456",
    "12345678Z",
    "ES91",
    "2100",
    "0418",
    "10.1000/x",
]
OTHERS = ["Mayor", "de", "del", "la", "X", "ISBN", "ISSN", "doi:", "casa", "a", "o'clock", "year", "the", "siglo", "XIX", "s/n"]


def said(words: RuleWords) -> list[str]:
    """All words of the rules of a language."""
    several = [
        words.weekdays,
        words.first,
        words.before_year,
        words.century,
        words.decade,
        words.hours,
        words.at,
        words.morning,
    ]
    several += [words.evening, words.noon, words.midnight, words.per_cent, words.streets, words.number_signs, words.floors]
    several += [tuple(words.month_numbers), tuple(words.numbers), tuple(words.multipliers), (words.half, words.quarter)]
    several += [*words.currencies.values(), *words.units.values()]
    return [text for texts in several for text in texts]


def everywhere(rules: RuleSet, text: str) -> list[FoundSpan]:
    """What the patterns find where they are tried at every place."""
    found = (rule.found(match) for rule in rules.rules for match in rule.pattern.finditer(text))
    return [one for one in found if one is not None]


@pytest.mark.parametrize("language", LANGUAGES)
@given(data=st.data())
def test_no_find_is_missed(language: str, data: st.DataObject) -> None:
    pieces = st.sampled_from([*said(rule_words(language)), *SIGNS, *NUMBERS, *OTHERS])
    cased = st.builds(lambda piece, change: change(piece), pieces, st.sampled_from([str, str.upper, str.capitalize]))
    text = "".join(data.draw(st.lists(st.builds(str.__add__, cased, st.sampled_from([" ", "", ", ", "\n"])), max_size=14)))
    for rules in (contacts(language), measures(language), dates(language)):
        assert list(rules.find(text)) == everywhere(rules, text)


def test_a_rule_says_what_it_begins_with() -> None:
    begins = Begins.with_any(["c/", "£", "Plaza"], whole=False)
    assert [begins.at(run) for run in ("c", "£", "plazas", "PLAZA", "casa", "/", "e")] == [
        True,
        True,
        True,
        True,
        True,
        False,
        False,
    ]
    assert [Begins.with_any(["Mayo"], digits=True).at(run) for run in ("MAYO", "mayor", "3rd", "²")] == [
        True,
        False,
        True,
        False,
    ]


def test_what_is_refused_is_not_found() -> None:
    rule = Rule(re.compile(r"\d+"), Begins(digits=True), lambda match: None)
    assert list(RuleSet([rule]).find("1 2 3")) == []
