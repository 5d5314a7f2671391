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
    ],
)
def test_a_measure_has_its_value(text: str, language: str, kind: str, value: str) -> None:
    assert [(one.kind, one.value) for one in entities(text, language)] == [(kind, value)]
