from __future__ import annotations

from email.message import EmailMessage

from trasmallo.clean.formats.mail_parts import MOST_PARTS, has_more_parts, list_attachments, without_attachments


def letter() -> EmailMessage:
    message = EmailMessage()
    message["Subject"] = "Redes"
    message.set_content("El texto de la carta, con eñes.")
    message.add_alternative("<p>El texto</p>", subtype="html")
    return message


def test_what_is_attached() -> None:
    message = letter()
    message.add_attachment(b"uno;dos\n", maintype="text", subtype="csv", filename="datos.csv")
    message.add_attachment(b"\x89PNG", maintype="image", subtype="png", filename="foto.png")
    [found] = list_attachments(message.as_bytes())
    assert (found.name, found.content, found.media) == ("datos.csv", b"uno;dos\n", "text/csv")
    rest = without_attachments(message.as_bytes())
    assert b"uno;dos" not in rest
    assert "eñes".encode() in rest or b"e=C3=B1es" in rest


def test_a_letter_in_a_letter_is_one_attachment() -> None:
    inner = letter()
    inner.add_attachment(b"dentro", maintype="text", subtype="plain", filename="a.txt")
    outer = letter()
    outer.add_attachment(inner)
    [found] = list_attachments(outer.as_bytes())
    assert found.media == "message/rfc822"
    assert [one.content for one in list_attachments(found.content)] == [b"dentro"]
    assert b"dentro" not in without_attachments(outer.as_bytes())


def test_nothing_attached_stays_octet_for_octet() -> None:
    content = letter().as_bytes()
    assert without_attachments(content) == content
    assert list_attachments(content) == []


def test_a_hundred_thousand_parts_have_an_end() -> None:
    part = b"--x\nContent-Type: application/pdf\nContent-Disposition: attachment\n\nx\n"
    content = b"Subject: x\nContent-Type: multipart/mixed; boundary=x\n\n" + part * 100_000 + b"--x--\n"
    assert 0 < len(list_attachments(content)) <= MOST_PARTS
    assert has_more_parts(content)


def test_as_many_parts_as_are_looked_at_are_not_too_many() -> None:
    part = b"--x\nContent-Type: text/csv\n\nx\n"
    for more, number in ((False, MOST_PARTS - 1), (True, MOST_PARTS)):
        content = b"Subject: x\nContent-Type: multipart/mixed; boundary=x\n\n" + part * number + b"--x--\n"
        assert (has_more_parts(content), len(list_attachments(content))) == (more, MOST_PARTS - 1)


def test_what_is_no_letter() -> None:
    for content in (b"", b"\0\xff", b"Content-Type: multipart/mixed\n\n--\n"):
        assert list_attachments(content) == []
        assert without_attachments(content) == content
