from __future__ import annotations

import pytest

from support.sample_documents import GOOD, MAIL, zipped
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.mail import read_mail, read_mailbox


def read(content: bytes) -> HtmlBuilder:
    page = HtmlBuilder()
    read_mail(content, page)
    return page


def test_the_richest_alternative_and_the_attachment() -> None:
    page = read(MAIL)

    assert page.title == "Redes"
    assert "María &lt;maria@example.org&gt;" in page.body()
    assert "<b>negrita</b>" in page.body()
    assert "sin formato" not in page.body()
    assert page.body().endswith(
        "<section><h2>datos.csv</h2><table><tr><td>uno</td><td>dos</td></tr><tr><td>tres</td><td>cuatro</td></tr></table></section>"
    )


def test_who_wrote_what_to_whom_and_when_are_fields() -> None:
    head = b"From: Alice <alice@example.org>\nTo: bob@example.org\nCc: c@example.org\nSubject: Redes nuevas\n"
    page = read(head + b"Date: Tue, 17 Nov 2026 03:43:44 +0000\n\nHola\n")
    assert [(field.name, field.text) for field in page.fields] == [
        ("author", "Alice <alice@example.org>"),
        ("to", "bob@example.org"),
        ("to", "c@example.org"),
        ("cc", "c@example.org"),
        ("date", "Tue, 17 Nov 2026 03:43:44 +0000"),
        ("subject", "Redes nuevas"),
        ("sender", "alice@example.org"),
    ]


def test_a_letter_is_found_by_its_name_its_discussion_and_its_list() -> None:
    head = b"From: Ana <A@x>\nMessage-ID: <3@x>\nReferences: <1@x> <2@x>\nList-Id: Nets <Nets.example.org>\n\nHola\n"
    named = {field.name: field.text for field in read(head).fields}
    assert (named["message"], named["thread"], named["list"], named["sender"]) == ("3@x", "1@x", "nets.example.org", "a@x")


@pytest.mark.parametrize(
    ("header", "body", "shown"),
    [
        (b"Content-Type: text/plain; charset=iso-8859-1\n", b"ni\xf1o", "niño"),
        (b"Content-Transfer-Encoding: quoted-printable\nContent-Type: text/plain; charset=utf-8\n", b"ni=C3=B1o", "niño"),
        (b"Content-Transfer-Encoding: base64\nContent-Type: text/plain; charset=utf-8\n", b"bmnDsW8=", "niño"),
        (b"Content-Type: text/plain; charset=nonsense\n", "niño".encode(), "niño"),
        (b"", b"a\n\nb", "<p>a</p><p>b"),
    ],
)
def test_bodies(header: bytes, body: bytes, shown: str) -> None:
    assert shown in read(b"Subject: x\n" + header + b"\n" + body).body()


@pytest.mark.parametrize(
    "header",
    [
        b"Subject: =?nonsense?b?x?=\n",
        b"From: <<<>>>,\n",
        b"Date: never\n",
        b"Content-Type: multipart/mixed\n",
        b"Content-Type: multipart/alternative; boundary=\n",
        b"Content-Disposition: attachment; filename*=x'y'%ff\n",
        b"Content-Transfer-Encoding: base64\n",
        b"To: " + b"(" * 5_000 + b"\n",
        b"Subject: a\0b\xff\n",
    ],
)
def test_broken_headers(header: bytes) -> None:
    assert read(b"X: y\n" + header + b"\nbody").losses == []


def test_an_archive_that_hangs_on_a_message_is_not_opened_further() -> None:
    packed = MAIL.replace(b"uno,dos\r\ntres,cuatro", zipped({"a.txt": "x"}).replace(b"\n", b" "))

    assert "packed inside" in read(packed).losses[0]


def test_pictures_are_passed_over() -> None:
    page = read(b"Subject: x\nContent-Type: image/png\n\n\x89PNG")

    assert (page.body(), page.losses) == ('<h1>x</h1><div class="trasmallo-header"><table></table></div>', [])


def test_a_mailbox_has_a_section_a_message() -> None:
    page = HtmlBuilder()
    read_mailbox(GOOD["mbox"] + b"\nFrom c@d.org Tue Jan  7 10:00:00 2020\nSubject: Dos\n\nFrom here on\n>From there\n", page)

    assert page.body().count("<h1>Redes</h1>") == 2
    assert page.body().endswith("<p>From here on\nFrom there</p></section>")


def test_what_is_no_mail_is_refused() -> None:
    with pytest.raises(Unreadable, match="header"):
        read(b"\nno header at all")
    with pytest.raises(Unreadable, match="mailbox"):
        read_mailbox(b"Subject: x\n\ny", HtmlBuilder())
