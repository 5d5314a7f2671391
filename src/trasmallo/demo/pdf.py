"""A PDF by hand: headings and paragraphs in two standard fonts, the same bytes every time (ISO 32000-1, sections 7.5 and 9)."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator

from trasmallo.demo.markup import DemoBlock, plain

_WIDTH, _HEIGHT, _MARGIN = 595, 842, 72  # A4 in points, with an inch around
# Average widths of Helvetica's letters in Spanish prose: at these sizes so many characters fill the text's 451 points.
_LINE = {"heading": 46, "paragraph": 84}
_FONT = {"heading": ("F2", 16, 22), "paragraph": ("F1", 11, 15)}
_SPACE_AFTER = 9  # judgement: points between paragraphs


def write(title: str, language: str, blocks: Iterable[DemoBlock]) -> bytes:
    """A PDF of the blocks' plain text; a heading "---" starts a new page. What Windows-1252 lacks becomes a question mark."""
    streams = [_stream(lines) for lines in _pages(blocks)]
    kids = " ".join(f"{6 + 2 * number} 0 R" for number in range(len(streams)))
    objects = [
        f"<< /Type /Catalog /Pages 2 0 R /Lang ({language}) >>".encode(),
        f"<< /Type /Pages /Kids [{kids}] /Count {len(streams)} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>",
        b"<< /Title (" + _literal(title) + b") /Producer (trasmallo) >>",
    ]
    for number, stream in enumerate(streams):
        objects.append(_page(7 + 2 * number))
        objects.append(b"<< /Length %d >>\nstream\n%b\nendstream" % (len(stream), stream))
    return _file(objects)


def _pages(blocks: Iterable[DemoBlock]) -> Iterator[list[tuple[str, str]]]:
    page: list[tuple[str, str]] = []
    left = _HEIGHT - 2 * _MARGIN
    for block in blocks:
        kind = block.kind if block.kind in _FONT else "paragraph"
        lines = textwrap.wrap(plain(block.text), _LINE[kind])
        needed = _FONT[kind][2] * len(lines) + _SPACE_AFTER
        if page and (block.text == "---" or needed > left):
            yield page
            page, left = [], _HEIGHT - 2 * _MARGIN
        if block.text != "---":
            page += [(kind, line) for line in lines] + [("space", "")]
            left -= needed
    if page:
        yield page


def _stream(lines: list[tuple[str, str]]) -> bytes:
    parts = [b"BT", b"%d %d Td" % (_MARGIN, _HEIGHT - _MARGIN)]
    for kind, line in lines:
        if kind == "space":
            parts.append(b"0 -%d Td" % _SPACE_AFTER)
            continue
        font, size, leading = _FONT[kind]
        parts.append(b"/%b %d Tf 0 -%d Td (%b) Tj" % (font.encode(), size, leading, _literal(line)))
    return b"\n".join([*parts, b"ET"])


def _page(contents: int) -> bytes:
    fonts = "/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >>"
    return f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {_WIDTH} {_HEIGHT}] {fonts} /Contents {contents} 0 R >>".encode()


def _literal(text: str) -> bytes:
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return escaped.encode("windows-1252", "replace")


def _file(objects: list[bytes]) -> bytes:
    out = bytearray(b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n")
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    start = len(out)
    out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    out += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    out += b"trailer\n<< /Size %d /Root 1 0 R /Info 5 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return bytes(out)
