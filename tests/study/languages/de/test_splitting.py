from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.languages.de.splitting import Splitter, rules

COUNTS = {
    "fisch": 900, "zucht": 200, "technik": 2_000, "techniken": 300, "arbeit": 9_000, "amt": 3_000, "schule": 5_000,
    "buch": 6_000, "blumen": 800, "topf": 300, "bund": 2_500, "verfassung": 700, "gericht": 1_900, "frieden": 1_500,
    "tag": 20_000, "sam": 500, "samstag": 4_000, "verhandlung": 800, "straße": 7_000, "strasse": 10, "bahn": 2_000,
    "unternehmen": 8_000, "nehmen": 9_000, "freund": 4_000, "schaft": 50, "freundschaft": 600, "des": 90_000, "wort": 3_000,
}  # fmt: skip


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("fischzuchttechniken", "fisch zucht techniken"),  # the textbook's
        ("arbeitsamt", "arbeit amt"),
        ("schulbuch", "schul buch"),
        ("blumentopf", "blumen topf"),
        ("bundesverfassungsgericht", "bund verfassung gericht"),
        ("friedensverhandlungen", "frieden verhandlungen"),
        ("straßenbahn", "straße bahn"),
        ("samstag", "samstag"),  # "sam" is too short to be a part
        ("unternehmen", "unternehmen"),  # "unter" is a prefix
        ("freundschaft", "freundschaft"),  # "schaft" is a suffix
        ("deswort", "deswort"),  # "des" is a function word
        ("unbekannt", "unbekannt"),
        ("buch", "buch"),
        ("", ""),
    ],
)
def test_compounds(word: str, parts: str) -> None:
    assert " ".join(Splitter(COUNTS).split(word)) == parts


def test_a_frequent_word_stays_whole() -> None:
    assert Splitter(COUNTS | {"schulbuch": 90_000}).split("schulbuch") == ("schulbuch",)


def test_a_word_without_ss_is_found_in_lists_with_it() -> None:
    assert Splitter({"strassen": 90, "bahn": 80}).split("straßenbahn") == ("straßen", "bahn")


@given(st.lists(st.sampled_from(sorted(COUNTS)), min_size=1, max_size=4), st.sampled_from(["", "s", "n"]))
def test_parts_stand_in_the_word_in_order(words: list[str], link: str) -> None:
    word = link.join(words)
    at = 0
    for part in Splitter(COUNTS).split(word):
        at = word.index(part, at) + len(part)
    assert at <= len(word)


def test_hostile_words_are_left_alone() -> None:
    assert Splitter(COUNTS).split("tag" * 30) == ("tag" * 30,), "longer than any word"
    assert Splitter(COUNTS).split("a1b2c3d4") == ("a1b2c3d4",)


def test_lists_do_not_contradict_each_other() -> None:
    assert all(len(word) < rules().shortest for word in rules().short)
    assert not rules().short & rules().not_first
