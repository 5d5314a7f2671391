"""Bad input: damaged files of every format, and files that are made to hurt."""

from __future__ import annotations

import base64
import gzip
import io
import random
import zipfile
import zlib
from collections.abc import Callable, Iterator

from support.office97 import make_doc, make_ole, make_ppt, make_xls
from support.sample_documents import GOOD, PAGE, make_docx, make_epub, make_odf, make_xlsx, zipped
from support.small_pdfs import ENCRYPTION, make_pdf

LEVELS = 200_000
ENDINGS = sorted(GOOD)


def damaged(ending: str, count: int) -> Iterator[bytes]:
    """So many damaged copies of a good document, the same ones each time; of a zip of XML, half are damaged inside."""
    rng = random.Random(ending)
    packed = ending in ("docx", "pptx", "xlsx", "odt", "ods", "odp", "epub", "zip")
    for number in range(count):
        hurt = _hurt_member if packed and number % 2 else _hurt
        yield hurt(GOOD[ending], rng)


def _hurt(content: bytes, rng: random.Random) -> bytes:
    way = rng.randrange(5)
    at = rng.randrange(len(content))
    end = min(len(content), at + rng.randrange(1, 200))
    if way == 0:
        return content[:at]
    if way == 1:
        return content[:at] + content[end:]
    if way == 2:
        return content[:end] + content[at:]
    if way == 3:
        return content[:at] + rng.randbytes(end - at) + content[end:]
    flipped = bytearray(content)
    for _ in range(rng.randrange(1, 30)):
        flipped[rng.randrange(len(flipped))] ^= 1 << rng.randrange(8)
    return bytes(flipped)


def _hurt_member(content: bytes, rng: random.Random) -> bytes:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    name = rng.choice([name for name, data in members.items() if len(data) > 20])
    members[name] = _hurt(bytes(members[name]), rng)  # type: ignore[arg-type]
    return zipped(members)


def _stream_pdf(data: bytes, extra: bytes = b"", resources: bytes = b"") -> bytes:
    """A PDF of one page whose content is a compressed stream."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources << %b >> >>" % resources,
        b"<< /Length %d /Filter /FlateDecode >>\nstream\n%b\nendstream" % (len(data), data),
    ]
    body = b"%PDF-1.4\n"
    for number, content in enumerate(objects, 1):
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    return body + extra + b"trailer\n<< /Size 9 /Root 1 0 R >>\n%%EOF\n"


def _zeros(count: int) -> bytes:
    """So many zeros, deflated: after a full flush the same block may stand any number of times."""
    deflate = zlib.compressobj(9, wbits=-15)
    block = deflate.compress(bytes(10_000_000)) + deflate.flush(zlib.Z_FULL_FLUSH)
    return b"\x78\xda" + block * (count // 10_000_000) + deflate.flush()


def _cyclic_pages() -> bytes:
    return (
        b"%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n"
        b"2 0 obj\n<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 2000 /Parent 3 0 R >>\nendobj\n"
        b"3 0 obj\n<< /Type /Pages /Kids [2 0 R] /Count 9 /Parent 2 0 R >>\nendobj\ntrailer\n<< /Size 4 /Root 1 0 R >>\n%%EOF\n"
    )


def _cyclic_form() -> bytes:
    form = (
        b"5 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >> /Length 11 >>\n"
        b"stream\n/F Do /F Do\nendstream\nendobj\n"
    )
    return _stream_pdf(zlib.compress(b"/F Do"), form, b"/XObject << /F 5 0 R >>")


def _nested_mail() -> bytes:
    heads = (b"Content-Type: multipart/mixed; boundary=b%d\n\n--b%d\n" % (n, n) for n in range(3_000))
    return b"Subject: x\n" + b"".join(heads) + b"\nhondo\n"


def _nested_zip() -> bytes:
    content = b"hondo"
    for _ in range(30):
        content = zipped({"a.zip": content})
    return content


def _xml_of(levels: int) -> str:
    return "<w:p>" * levels


def _overlapping_zip() -> bytes:
    """A directory in which ten thousand members are the same one (as in Fifield's zip bomb)."""
    content = zipped({"a.txt": "", "b.txt": "x" * 5_000_000})
    start = content.index(b"PK\x01\x02", content.index(b"PK\x01\x02") + 1)
    end = content.index(b"PK\x05\x06")
    entries = content[start:end] * 10_000
    count = (10_000).to_bytes(2, "little")
    place = start.to_bytes(4, "little")
    return (
        content[:start] + entries + b"PK\x05\x06\0\0\0\0" + count + count + len(entries).to_bytes(4, "little") + place + b"\0\0"
    )


HOSTILE: dict[str, tuple[str, Callable[[], bytes]]] = {
    "zip bomb in docx": ("docx", lambda: make_docx("x" * 110_000_000)),
    "zip bomb in xlsx": ("xlsx", lambda: make_xlsx('<row><c r="A1"><v>1</v></c></row>' * 3_000_000)),
    "zip bomb": ("zip", lambda: zipped({"x": "", "a.txt": bytes(110_000_000)})),
    "overlapping zip bomb": ("zip", _overlapping_zip),
    "zips in a zip": ("zip", _nested_zip),
    "gzip bomb": ("html.gz", lambda: gzip.compress(bytes(300_000_000), 1)),
    "flate bomb in PDF": ("pdf", lambda: _stream_pdf(_zeros(2_000_000_000))),
    "drawing without end in PDF": ("pdf", lambda: _stream_pdf(zlib.compress(b"BT (a) Tj ET " * 3_000_000))),
    "cyclic pages in PDF": ("pdf", _cyclic_pages),
    "cyclic forms in PDF": ("pdf", _cyclic_form),
    "nested arrays in PDF": ("pdf", lambda: b"%PDF-1.4\n1 0 obj\n" + b"[" * LEVELS + b"\nendobj\ntrailer\n<< /Root 1 0 R >>"),
    "nested docx": ("docx", lambda: make_docx("<w:sdt>" * LEVELS)),
    "nested tables in docx": ("docx", lambda: make_docx("<w:tbl><w:tr><w:tc>" * (LEVELS // 3))),
    "nested odt": ("odt", lambda: make_odf("text", "<text:section>" * LEVELS)),
    "nested lists in odt": ("odt", lambda: make_odf("text", "<text:list><text:list-item>" * (LEVELS // 2))),
    "nested epub": ("epub", lambda: make_epub("<div>" * LEVELS + "hondo")),
    "nested xml": ("xml", lambda: b"<r>hola" + b"<a>" * LEVELS),
    "nested html": ("html", lambda: b"<!doctype html><p>hola" + b"<div>" * LEVELS),
    "nested rtf": ("rtf", lambda: b"{\\rtf1 hola" + b"{" * LEVELS),
    "nested quotes in markdown": ("md", lambda: b">" * LEVELS + b" hondo"),
    "nested lists in markdown": ("md", lambda: b"- " * LEVELS + b" hondo"),
    "nested brackets in markdown": ("md", lambda: b"[" * LEVELS + b" hondo"),
    "nested emphasis in markdown": ("md", lambda: b"*a **b " * LEVELS),
    "nested mail": ("eml", _nested_mail),
    "entity bomb in docx": (
        "docx",
        lambda: zipped(
            {
                "a": "",
                "word/document.xml": "<!DOCTYPE a ["
                + "<!ENTITY a '" + "x" * 100_000 + "'>"
                + "".join(f"<!ENTITY {b} '{f'&{a};' * 10}'>" for a, b in zip("abcdefgh", "bcdefghi", strict=True))
                + "]><w:d xmlns:w='u'><w:body><w:p><w:r><w:t>hola &i;</w:t></w:r></w:p></w:body></w:d>",
            }
        ),
    ),
    "a page of 50 MB": ("html", lambda: PAGE.encode() * (50_000_000 // len(PAGE.encode()))),
    "a text of 50 MB": ("txt", lambda: b"una palabra y otra\n\n" * 2_500_000),
    "a table of 50 MB": ("csv", lambda: b"uno,dos,tres,4\n" * 3_300_000),
    "one line of 50 MB": ("csv", lambda: b"uno," * 12_500_000),
    "rich text of 50 MB": ("rtf", lambda: b"{\\rtf1 " + b"{\\b uno} dos\\par " * 3_000_000 + b"}"),
    "an open quote in a table": ("csv", lambda: b'uno,"' + b"dos,tres\n" * 3_000_000),
    "NUL bytes in html": ("html", lambda: PAGE.replace(" ", "\0").encode()),
    "NUL bytes in text": ("txt", lambda: b"una\0palabra\0" * 1000),
    "NUL bytes in xml": ("xml", lambda: b"<?xml version='1.0'?><a>ho\0la</a>"),
    "NUL bytes in csv": ("csv", lambda: b"uno,do\0s\n"),
    "NUL bytes in mail": ("eml", lambda: b"Subject: a\0b\nFrom: \0\n\nho\0la"),
    "NUL bytes in rtf": ("rtf", lambda: b"{\\rtf1 ho\0la\\par}"),
    "lone surrogates in xml": ("xml", lambda: b"<?xml version='1.0'?><a>hola &#xD800; &#xDFFF;</a>"),
    "lone surrogates in rtf": ("rtf", lambda: b"{\\rtf1 hola \\u-10179? \\u-8704?\\par}"),
    "lone surrogates in html": ("html", lambda: b"<!doctype html><p>hola &#xD800; \xed\xa0\x80"),
    "lone surrogates in UTF-16": ("txt", lambda: b"\xff\xfe" + "hola ".encode("utf-16le") + b"\x00\xd8\x00\xd8"),
    "lone surrogates in doc": ("doc", lambda: make_doc().replace("segundo".encode("utf-16le"), b"\x00\xd8" * 7)),
    "lone surrogates in markdown": ("md", lambda: b"hola &#xD800; &#55296;"),
    "encrypted pdf": ("pdf", lambda: make_pdf([[(12, 700, "secreto")]], trailer=ENCRYPTION)),
    "encrypted docx": ("docx", lambda: make_ole({"EncryptedPackage": b"x" * 5000, "EncryptionInfo": b"x"})),
    "encrypted odt": ("odt", lambda: make_odf("text", "", '<m:m xmlns:m="u"><m:encryption-data/></m:m>')),
    "encrypted doc": ("doc", lambda: make_doc(flags=0x1300)),
    "encrypted ppt": ("ppt", lambda: make_ppt(token=0xF3D1C4DF)),
    "encrypted xls": ("xls", lambda: make_xls(extra=b"\x2f\0\2\0\0\0")),
    "encrypted zip": ("zip", lambda: zipped({"a.txt": "b"}).replace(b"\x14\x03\x14\0\0", b"\x14\x03\x14\0\1")),
    "random bytes as pdf": ("pdf", lambda: b"%PDF-1.7\n" + random.Random(1).randbytes(1_000_000)),
    "base64 for ever in mail": (
        "eml",
        lambda: b"Subject: x\nContent-Transfer-Encoding: base64\n\n" + base64.b64encode(b"hola " * 8_000_000),
    ),
}  # fmt: skip
"""Name to the ending of the format and what makes the file."""

REFUSED = frozenset(name for name in HOSTILE if "encrypted" in name) | {
    "zip bomb in docx",
    "zip bomb",
    "zips in a zip",
    "gzip bomb",
    "cyclic pages in PDF",
    "nested arrays in PDF",
    "random bytes as pdf",
}
"""Those from which nothing can be read, so that there must be a reason."""
