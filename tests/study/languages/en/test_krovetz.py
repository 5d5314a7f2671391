from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.languages.en import krovetz


@pytest.mark.parametrize(
    ("word", "stem"),
    [
        ("marketing", "marketing"),  # headwords stay
        ("glass", "glass"),
        ("mice", "mouse"),  # exceptions give theirs
        ("went", "go"),
        ("italian", "italy"),
        ("quickly", "quick"),
        ("calories", "calorie"),  # -ie before -y
        ("strategies", "strategy"),
        ("selfies", "selfy"),
        ("ties", "tie"),
        ("boxes", "box"),
        ("houses", "house"),
        ("churches", "church"),
        ("menus", "menu"),
        ("taxis", "taxi"),
        ("dog's", "dog"),
        ("dogs'", "dog"),
        ("carried", "carry"),
        ("agreed", "agree"),
        ("hoping", "hope"),
        ("hopping", "hop"),
        ("doing", "do"),
        ("googled", "google"),  # unknown to the dictionary
        ("blogging", "blog"),
        ("retweeted", "retweet"),
        ("happiest", "happy"),
        ("clickable", "click"),
        ("clickability", "click"),  # two endings
        ("normalizers", "normalizer"),
        ("agrochemicals", "agrochemical"),  # derivations need the dictionary
        ("sed", "sed"),
        ("d", "d"),
        ("niño", "niño"),
        ("", ""),
    ],
)
def test_stems_are_words(word: str, stem: str) -> None:
    assert krovetz.stem(word) == stem


def test_the_textbooks_query() -> None:
    words = (
        "describe marketing strategies carried companies chemicals predictions statistics pesticide predicted sales stimulate"
    )
    stems = "describe marketing strategy carry company chemical prediction statistic pesticide predict sale stimulate"
    assert [krovetz.stem(word) for word in words.split()] == stems.split()


def test_headwords_stay_as_they_are() -> None:
    known = krovetz.lexicon()
    assert len(known.headwords) > 50_000
    assert not known.headwords & known.exceptions.keys()
    assert [word for word in sorted(known.headwords)[::50] if krovetz.stem(word) != word] == []


def test_every_step_has_rules_and_every_rule_leads_somewhere() -> None:
    steps = krovetz.steps()
    assert set(steps) == {"possessive", "plural", "past", "progressive", "comparison", "adverb", "nominal", "agent", "verbal",
                          "adjectival"}  # fmt: skip
    assert all(rule.ending and (rule.tried or rule.otherwise) for rules in steps.values() for rule in rules)


def test_no_rule_hides_behind_a_shorter_ending() -> None:
    for rules in krovetz.steps().values():
        for number, rule in enumerate(rules):
            assert not any(rule.ending.endswith(before.ending) for before in rules[:number]), rule.ending


@given(st.text(max_size=60) | st.text(alphabet="abeinlsting'", max_size=60))
def test_no_text_breaks_it(word: str) -> None:
    assert len(krovetz.stem(word)) <= len(word) + 4
