"""One entity, many mentions."""

from __future__ import annotations

from trasmallo.study.entities.linking import linked, uninverted
from trasmallo.values.model import Entity


def names(*mentions: tuple[str, str]) -> list[str]:
    return linked([Entity(text, kind, 0, 1) for text, kind in mentions])


def test_a_surname_is_the_person_who_has_it() -> None:
    assert names(("Ana Pérez", "PER"), ("Pérez", "PER"), ("PÉREZ", "PER")) == ["Ana Pérez"] * 3


def test_two_persons_of_one_surname_stay_apart() -> None:
    assert names(("Ana Pérez", "PER"), ("Luis Pérez", "PER"), ("Pérez", "PER"))[-1] == "Pérez"


def test_an_acronym_is_what_it_stands_for() -> None:
    full = "Organización de las Naciones Unidas"
    assert names((full, "ORG"), ("ONU", "ORG")) == [full, full]


def test_a_value_names_what_has_one() -> None:
    assert linked([Entity("3 de mayo de 2020", "DATE", 0, 1, "2020-05-03")]) == ["2020-05-03"]


def test_inverted_names_are_turned() -> None:
    assert uninverted("Pérez Gil, Ana") == "Ana Pérez Gil"
    assert uninverted("Soria") == "Soria"
