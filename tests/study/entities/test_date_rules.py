"""Dates and times with their values."""

from __future__ import annotations

import pytest

from trasmallo import entities


@pytest.mark.parametrize(
    ("text", "language", "kind", "value"),
    [
        ("Fue el 3 de mayo de 2020.", "es", "DATE", "2020-05-03"),
        ("Llovió mucho en marzo y en otoño.", "es", "DATE", "--03"),
        ("It rained since May every day.", "en", "DATE", "--05"),
        ("El lunes 4 de mayo.", "es", "DATE", "--05-04"),
        ("Nació el 12/10/1999.", "es", "DATE", "1999-10-12"),
        ("Del 3 al 5 de abril de 2019.", "es", "DATE", "2019-04-03/2019-04-05"),
        ("En mayo de 2001 llovió.", "es", "DATE", "2001-05"),
        ("Es del siglo XX.", "es", "DATE", "19XX"),
        ("Los años 90 pasaron.", "es", "DATE", "199X"),
        ("Llegó en 1998.", "es", "DATE", "1998"),
        ("La guerra de 1936-1939.", "es", "DATE", "1936/1939"),
        ("Empieza a las 10:30 horas.", "es", "TIME", "10:30"),
        ("Llegó a las cinco de la tarde.", "es", "TIME", "17:00"),
        ("A las tres y media de la tarde.", "es", "TIME", "15:30"),
        ("On May 5, 2020 it rained.", "en", "DATE", "2020-05-05"),
        ("On 5 May 2020 it rained.", "en", "DATE", "2020-05-05"),
        ("On 05/06/2020 it rained.", "en", "DATE", "2020-05-06"),
        ("In the 1980s it rained.", "en", "DATE", "198X"),
        ("In the 19th century.", "en", "DATE", "18XX"),
        ("It starts at 5 p.m. sharp.", "en", "TIME", "17:00"),
        ("At half past six.", "en", "TIME", "06:30"),
        ("It opens at nine in the morning.", "en", "TIME", "09:00"),
        ("Los años setenta pasaron.", "es", "DATE", "197X"),
        ("La década de los noventa.", "es", "DATE", "199X"),
        ("It was in the eighties.", "en", "DATE", "198X"),
        ("It was in the 80s.", "en", "DATE", "198X"),
        ("Trade of the nineteenth century.", "en", "DATE", "18XX"),
    ],
)
def test_a_date_has_its_value(text: str, language: str, kind: str, value: str) -> None:
    assert [(one.kind, one.value) for one in entities(text, language) if one.kind in ("DATE", "TIME")] == [(kind, value)]


@pytest.mark.parametrize("text", ["El 45/13/2020 no existe.", "Cuesta 1998,50.", "Son 2000 personas.", "La versión 3.4.5"])
def test_other_numbers_are_no_dates(text: str) -> None:
    assert [one for one in entities(text) if one.kind == "DATE"] == []


@pytest.mark.parametrize("text", ["The 80 people left.", "She won the 1500 metres.", "People in their eighties."])
def test_other_english_numbers_are_no_decades(text: str) -> None:
    assert [one for one in entities(text, "en") if one.kind == "DATE"] == []


def test_the_article_is_no_part_of_a_decade() -> None:
    assert [one.text for one in entities("It was in the 1980s.", "en")] == ["1980s"]


def test_the_stop_behind_a_month_ends_the_sentence_unless_it_shortens_it() -> None:
    told = [one.text for text in ("Fue el 3 de mayo.", "Fue el 3 may. 2020.") for one in entities(text) if one.kind == "DATE"]
    assert told == ["3 de mayo", "3 may. 2020"]


def test_the_second_of_two_centuries_is_one() -> None:
    assert [one.value for one in entities("Entre los siglos XVII y XVIII.") if one.kind == "DATE"] == ["16XX", "17XX"]


@pytest.mark.parametrize(("text", "language"), [("Vive en Marzo, un pueblo.", "es"), ("They march in march step.", "en")])
def test_a_month_in_the_wrong_case_is_none(text: str, language: str) -> None:
    assert not [one for one in entities(text, language) if one.kind == "DATE"]
