"""Addresses, e-mail, telephones, identifiers."""

from __future__ import annotations

import pytest

from trasmallo import entities


@pytest.mark.parametrize(
    ("text", "language", "kind", "found"),
    [
        ("Está en la calle Mayor, 12, 28013 Madrid.", "es", "ADDRESS", "calle Mayor, 12, 28013 Madrid"),
        ("Vive en la avenida de la Constitución, 5.", "es", "ADDRESS", "avenida de la Constitución, 5"),
        ("He lives at 12 Baker Street, London.", "en", "ADDRESS", "12 Baker Street, London"),
        ("Escriba a ana.perez@example.org hoy.", "es", "EMAIL", "ana.perez@example.org"),
        ("Llame al +34 91 123 45 67.", "es", "PHONE", "+34 91 123 45 67"),
        ("Call (212) 555-0199 now.", "en", "PHONE", "(212) 555-0199"),
        ("Con DNI 12345678Z.", "es", "ID", "12345678Z"),
        ("IBAN ES91 2100 0418 4502 0005 1332.", "es", "ID", "ES91 2100 0418 4502 0005 1332"),
        ("ISBN 978-84-376-0494-7.", "es", "ID", "ISBN 978-84-376-0494-7"),
    ],
)
def test_contacts_are_found(text: str, language: str, kind: str, found: str) -> None:
    assert (found, kind) in [(one.text, one.kind) for one in entities(text, language)]


@pytest.mark.parametrize("text", ["El DNI 12345678A es falso.", "IBAN ES00 2100 0418 4502 0005 1332."])
def test_check_digits_are_checked(text: str) -> None:
    assert [one for one in entities(text) if one.kind == "ID"] == []
