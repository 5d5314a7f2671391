from __future__ import annotations

import pytest

from trasmallo.clean.formats.html_builder import HtmlBuilder
from trasmallo.clean.formats.mail_zones import QUOTED, SIGNATURE, write_letter, zones
from trasmallo.clean.read import read


def new_text(letter: str) -> str:
    return "\n".join(line for zone, lines in zones(letter.split("\n")) if not zone for line in lines if line.strip())


@pytest.mark.parametrize(
    "letter",
    [
        "Nuevo.\n\n> viejo\n> más viejo\n\nTambién nuevo.",
        "Nuevo.\nTambién nuevo.\n-- \nAna\nRedes, S. A.",
        "Nuevo.\nTambién nuevo.\n\nEl lun, 1 ene 2024 a las 10:00, Bea (<bea@x>) escribió:\n\n> viejo\n",
        "Nuevo.\nTambién nuevo.\n\nOn Mon, Jan 1, 2024 at 10:00 AM Bea <bea@x> wrote:\n> old\n",
        "Nuevo.\nTambién nuevo.\n\n-----Original Message-----\nFrom: Bea\nSent: Monday\n\nOld text",
        "Nuevo.\nTambién nuevo.\n________________________________\nDe: Bea <b@x>\nEnviado: lunes\nViejo",
        "AB> viejo\nNuevo.\nTambién nuevo.",
    ],
)
def test_only_what_is_new_is_new(letter: str) -> None:
    assert new_text(letter) == "Nuevo.\nTambién nuevo."


@pytest.mark.parametrize("letter", ["De: nada", "Uno\n-----\nDos", "On the table he wrote:\nnothing quoted", "a > b"])
def test_what_only_looks_so_stays(letter: str) -> None:
    assert new_text(letter) == letter


def test_zones_are_elements() -> None:
    page = HtmlBuilder()
    write_letter("Hola <b>\r\n\r\n> viejo\r\n-- \r\nAna", page)
    quoted, signed = f'<div class="{QUOTED}"><p>&gt; viejo</p></div>', f'<div class="{SIGNATURE}"><p>-- \nAna</p></div>'
    assert page.body() == f"<p>Hola &lt;b&gt;</p>{quoted}{signed}"


def test_quoted_text_is_read_and_not_counted() -> None:
    head = b"From: ana@x\nSubject: Redes\nContent-Type: text/plain; charset=utf-8\n\n"
    page = read(head + "Sí, mañana.\n\n> ¿Vienes mañana al puerto?\n".encode(), url="file:///a.eml", media="message/rfc822")
    assert "puerto" in page.text
    assert "puerto" not in page.main_text
    assert "mañana" in page.main_text


def test_names_and_dates_of_the_header_are_read_and_not_counted() -> None:
    head = b"From: Ana <ana@x>\nTo: bea@x\nDate: Tue, 17 Nov 2026 03:43:44 +0000\nSubject: Redes\n\n"
    page = read(head + b"Hola, Bea.\n", url="file:///a.eml", media="message/rfc822")
    assert all(part in page.text for part in ("From", "bea@x", "03:43:44"))
    assert page.main_text.split() == ["Redes", "Hola,", "Bea."]


@pytest.mark.parametrize(
    "quoted",
    [
        '<blockquote type="cite">viejo</blockquote>',
        '<div class="gmail_quote">viejo</div>',
        '<div id="divRplyFwdMsg">viejo</div>',
        '<div class="moz-signature">viejo</div>',
    ],
)
def test_quotations_of_html_letters(quoted: str) -> None:
    letter = f"From: ana@x\nSubject: R\nContent-Type: text/html; charset=utf-8\n\n<p>Nuevo texto</p>{quoted}"
    page = read(letter.encode(), url="file:///a.eml", media="message/rfc822")
    assert "viejo" in page.text
    assert "viejo" not in page.main_text


def test_a_letter_of_nothing_but_quotations_keeps_them() -> None:
    content = b"Content-Type: text/plain\n\n> todo viejo\n"
    assert "viejo" in read(content, url="file:///a.eml", media="message/rfc822").main_text
