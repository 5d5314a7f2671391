from __future__ import annotations

from trasmallo.study.unlisted.kinds import TOLD_APART, Kind, rules_of


def test_candidates_come_first() -> None:
    assert next(iter(Kind)) is Kind.CANDIDATE
    assert {Kind.SEQUENCE, Kind.WAITING, Kind.INCLUSIVE} == set(Kind) - set(TOLD_APART)


def test_a_language_has_its_rules_or_none() -> None:
    assert "el" in rules_of("es").determiners.split()
    assert rules_of("fr").determiners == ""
