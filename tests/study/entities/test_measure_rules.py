"""Quantities, money and percentages with their values."""

from __future__ import annotations

import pytest

from trasmallo import entities


@pytest.mark.parametrize(
    ("text", "language", "kind", "value"),
    [
        ("Mide 20 km.", "es", "QUANTITY", "20000 m"),
        ("Son 1.250,5 hectáreas.", "es", "QUANTITY", "12505000 m2"),
        ("Pesa cinco kilos.", "es", "QUANTITY", "5 kg"),
        ("Hacía 25 grados centígrados.", "es", "QUANTITY", "298.15 K"),
        ("Iba a 100 km/h.", "es", "QUANTITY", "27.77777778 m/s"),
        ("Duró tres horas.", "es", "QUANTITY", "PT3H"),
        ("Vale dos mil quinientos euros.", "es", "MONEY", "2500 EUR"),
        ("Vale 3 millones de dólares.", "es", "MONEY", "3000000 USD"),
        ("Vale 12,50 €.", "es", "MONEY", "12.5 EUR"),
        ("Sube el 3,5 %.", "es", "PERCENT", "3.5 %"),
        ("Sube un veinte por ciento.", "es", "PERCENT", "20 %"),
        ("It is 20 miles long.", "en", "QUANTITY", "32186.88 m"),
        ("It costs $3.5 million.", "en", "MONEY", "3500000 USD"),
        ("It costs two hundred pounds.", "en", "MONEY", "200 GBP"),
        ("It rose 20 per cent.", "en", "PERCENT", "20 %"),
        ("Dura una hora y media.", "es", "QUANTITY", "PT1H30M"),
        ("Tardó media hora.", "es", "QUANTITY", "PT30M"),
        ("Vivió allí tres años y medio.", "es", "QUANTITY", "P3Y6M"),
        ("Bebe medio litro.", "es", "QUANTITY", "0.0005 m3"),
        ("Costó un millón y medio de euros.", "es", "MONEY", "1500000 EUR"),
        ("It takes an hour and a half.", "en", "QUANTITY", "PT1H30M"),
        ("It takes half an hour.", "en", "QUANTITY", "PT30M"),
        ("It takes two and a half hours.", "en", "QUANTITY", "PT2H30M"),
        ("It costs two and a half million dollars.", "en", "MONEY", "2500000 USD"),
        ("The rent is £850 a month.", "en", "MONEY", "850 GBP"),
        ("She earns 20 dollars an hour.", "en", "MONEY", "20 USD"),
        ("The baby weighed 8 pounds.", "en", "QUANTITY", "3.62873896 kg"),
        ("Buy two pounds of sugar.", "en", "QUANTITY", "0.90718474 kg"),
        ("Pesaba siete libras.", "es", "QUANTITY", "3.17514659 kg"),
        ("He came back after a year.", "en", "QUANTITY", "P1Y"),
    ],
)
def test_a_measure_has_its_value(text: str, language: str, kind: str, value: str) -> None:
    assert [(one.kind, one.value) for one in entities(text, language)] == [(kind, value)]


def test_a_unit_behind_a_price_is_no_quantity() -> None:
    assert [one.kind for one in entities("Tomatoes are €2.35 a kilo.", "en")] == ["MONEY"]
    assert [one.kind for one in entities("She bought a kilo of rice.", "en")] == ["QUANTITY"]
