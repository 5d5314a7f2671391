"""Small documents of Word, PowerPoint and Excel 97, written byte by byte as MS-DOC, MS-PPT, MS-XLS and MS-CFB say."""

from __future__ import annotations

import struct

_PAGE = 512
_TEXT = 0x600

WRITTEN = (
    "<h1>Las redes</h1><p>El trasmallo tiene <b>tres paños</b> de <i>distinta</i> malla y <b>poco peso</b>.</p>"
    "<h3>Cómo se cala</h3><ul><li>de noche</li><li>con luna nueva</li></ul>"
    "<table><tr><td>paño</td><td>malla</td></tr><tr><td>interior</td><td>estrecha</td></tr></table>"
    '<p>Más en <a href="https://example.org/redes">otro sitio</a></p>'
)
"""The body of the documents in tests/clean/formats/office, as HTML."""


def make_ole(streams: dict[str, bytes]) -> bytes:
    """An OLE compound file of these streams, each of whole sectors (MS-CFB, version 3)."""
    sector, free, end = 512, 0xFFFFFFFF, 0xFFFFFFFE
    # Below 4096 bytes a stream would be in the mini stream; zeros after the end do no harm to these formats.
    # The directory is a tree in which short names come first; ours has only right branches.
    ordered = sorted(streams.items(), key=lambda stream: (len(stream[0]), stream[0].upper()))
    bodies = {name: data.ljust(max(4096, -(-len(data) // sector) * sector), b"\0") for name, data in ordered}
    table, content, starts = [], b"", {}
    for name, data in bodies.items():
        starts[name] = len(table)
        count = len(data) // sector
        table += [len(table) + step for step in range(1, count)] + [end]
        content += data
    directory = _entry("Root Entry", 5, 1 if bodies else free, end, 0)
    for number, (name, data) in enumerate(bodies.items(), 1):
        directory += _entry(name, 2, free, starts[name], len(data), number + 1 if number < len(bodies) else free)
    directory = directory.ljust(-(-len(directory) // sector) * sector, b"\0")
    first_directory = len(table)
    count = len(directory) // sector
    table += [len(table) + step for step in range(1, count)] + [end]
    fats = -(-(len(table) + 1) // (sector // 4 - 1)) if len(table) > 126 else 1
    first_fat = len(table)
    table += [0xFFFFFFFD] * fats
    table += [free] * (fats * 128 - len(table))
    places = [first_fat + n for n in range(fats)] + [free] * (109 - fats)
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 0x3E, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, fats, first_directory, 0, 4096, end, 0, end, 0) + struct.pack("<109I", *places)
    return head + content + directory + struct.pack(f"<{len(table)}I", *table)


def _entry(name: str, kind: int, child: int, start: int, size: int, right: int = 0xFFFFFFFF) -> bytes:
    encoded = (name + "\0").encode("utf-16le")
    head = encoded.ljust(64, b"\0") + struct.pack("<HBBIII", len(encoded), kind, 1, 0xFFFFFFFF, right, child)
    return head + bytes(36) + struct.pack("<IQ", start, size)


def _put(stream: bytearray, at: int, layout: str, *values: int) -> None:
    struct.pack_into(layout, stream, at, *values)


PARAGRAPHS = (
    # style, modifiers of the paragraph, runs of (text, bold)
    (1, b"", [("Redes", False)]),
    (0, b"", [("El trasmallo en ", False), ("negrita", True), (" con ", False)]),
    (0, b"\x0b\x46\x01\x00\x0a\x26\x00", [("primero", False)]),
    (0, b"\x0b\x46\x01\x00\x0a\x26\x00", [("segundo", False)]),
)
_FIELD = '\x13 HYPERLINK "https://example.org/a" \x14enlace\x15.'
_CELLS = (("celda", "otra"), ("fila", "última"))


def _doc_paragraphs() -> list[tuple[int, bytes, list[tuple[str, bool]]]]:
    """Paragraphs with the letter that ends each."""
    found = []
    for number, (style, modifiers, runs) in enumerate(PARAGRAPHS):
        found.append((style, modifiers, [*runs, ((_FIELD if number == 1 else "") + "\r", False)]))
    for row in _CELLS:
        found += [(0, b"\x16\x24\x01", [(cell + "\x07", False)]) for cell in row]
        found.append((0, b"\x16\x24\x01\x17\x24\x01", [("\x07", False)]))
    return [*found, (0, b"", [("Fin.\r", False)])]


def _fkp(places: list[int], properties: list[bytes], step: int) -> bytes:
    """A page of formatted runs: places, then offsets, then properties from the end."""
    page = bytearray(_PAGE)
    count = len(properties)
    struct.pack_into(f"<{count + 1}I", page, 0, *places)
    at = _PAGE - 1
    for number, content in enumerate(properties):
        if content:
            at = (at - len(content)) & ~1
            page[at : at + len(content)] = content
            page[4 * (count + 1) + step * number] = at // 2
    page[_PAGE - 1] = count
    return bytes(page)


def make_doc(flags: int = 0x1200) -> bytes:
    """A document with a heading, emphasis, a link, items and a table; its first piece is of bytes, the others of UTF-16."""
    paragraphs = _doc_paragraphs()
    text = "".join(run for _, _, runs in paragraphs for run, _ in runs)
    head = text.index("\r") + 1
    body = text[:head].encode("cp1252") + b"\0" * (head % 2) + text[head:].encode("utf-16le")
    wide = _TEXT + head + head % 2

    def place(at: int) -> int:
        return _TEXT + at if at < head else wide + 2 * (at - head)

    paragraph_places, paragraph_properties, character_places, character_properties = [place(0)], [], [place(0)], []
    at = 0
    for style, modifiers, runs in paragraphs:
        for run, bold in runs:
            at += len(run)
            character_places.append(place(at))
            character_properties.append(b"\x03\x35\x08\x01" if bold else b"")
        content = struct.pack("<H", style) + modifiers
        content += b"\0" * (len(content) % 2 == 0)
        paragraph_properties.append(bytes((len(content) // 2 + 1,)) + content)
        paragraph_places.append(place(at))
    body = body.ljust(-(-len(body) // _PAGE) * _PAGE, b"\0")
    page = (_TEXT + len(body)) // _PAGE
    body += _fkp(character_places, character_properties, 1) + _fkp(paragraph_places, paragraph_properties, 13)
    pieces = struct.pack("<III", 0, head, len(text))
    pieces += struct.pack("<HIH", 0, _TEXT * 2 | 1 << 30, 0) + struct.pack("<HIH", 0, wide, 0)
    clx = b"\x02" + struct.pack("<I", len(pieces)) + pieces
    runs_of = [struct.pack("<III", _TEXT, _TEXT + len(body), page + number) for number in (0, 1)]
    table = clx + runs_of[0] + runs_of[1]
    fib = bytearray(_TEXT)
    _put(fib, 0, "<HHHHHHHI", 0xA5EC, 0xC1, 0, 0x0C0A, 0, flags, 0xBF, 0)
    _put(fib, 0x18, "<II", _TEXT, _TEXT + len(body))
    _put(fib, 0x20, "<H", 14)
    _put(fib, 0x3E, "<H", 22)
    _put(fib, 0x40, "<I", _TEXT + len(body))
    _put(fib, 0x4C, "<I", len(text))
    _put(fib, 0x98, "<H", 0x5D)
    _put(fib, 0xFA, "<II", len(clx), 12)
    _put(fib, 0x102, "<II", len(clx) + 12, 12)
    _put(fib, 0x1A2, "<II", 0, len(clx))
    return make_ole({"WordDocument": bytes(fib) + body, "1Table": table})


def _record(kind: int, content: bytes, *, container: bool = False, instance: int = 0) -> bytes:
    return struct.pack("<HHI", instance << 4 | (15 if container else 0), kind, len(content)) + content


def _text(kind: int, text: str) -> bytes:
    atom = _record(4008, text.encode("latin-1")) if text.isascii() else _record(4000, text.encode("utf-16le"))
    return _record(3999, struct.pack("<I", kind)) + atom


def make_ppt(token: int = 0xE391C05F) -> bytes:
    """A presentation of two slides: the outline holds titles and lists, the drawings other texts; the first has notes."""
    box = _record(0xF00D, _text(4, "El trasmallo en negrita con enlace") + _text(4, "celda otra fila última"), container=True)
    first = _record(1006, _record(1036, box, container=True), container=True)
    second = _record(1006, _record(1036, b"", container=True), container=True)
    notes = _record(1008, _record(0xF00D, _text(2, "nota"), container=True), container=True)
    outline = b"".join(
        _record(1011, struct.pack("<IIIII", number, 0, 0, 255 + number, 0)) + texts
        for number, texts in ((3, _text(0, "Fin")), (2, _text(0, "Redes") + _text(1, "primero\rsegundo")))
    )
    # The outline has the second slide first, as a show that was sorted anew.
    document = _record(1000, _record(4080, outline, container=True), container=True)
    stale = _record(1006, _record(0xF00D, _text(4, "borrado"), container=True), container=True)
    stream, places = stale, []
    for part in (document, first, second, notes):
        places.append(len(stream))
        stream += part
    directory = len(stream)
    stream += _record(6002, struct.pack("<5I", 4 << 20 | 1, *places))
    edit = len(stream)
    stream += _record(4085, struct.pack("<IIIIIII", 0, 0, 0, directory, 1, 5, 0))
    user = _record(4086, struct.pack("<IIIHHBBH", 20, token, edit, 0, 1012, 3, 0, 0))
    return make_ole({"PowerPoint Document": stream, "Current User": user})


def _biff(kind: int, content: bytes) -> bytes:
    return struct.pack("<HH", kind, len(content)) + content


def _wide(text: str) -> bytes:
    return struct.pack("<HB", len(text), 1) + text.encode("utf-16le")


def make_xls(extra: bytes = b"", cells: bytes = b"") -> bytes:
    """A workbook with a sheet "Redes": strings that are shared and cut by a continuation, numbers, a date, a formula."""
    strings = ["El trasmallo", "enlace", "negrita", "primero", "segundo", "celda", "otra", "fila", "última"]
    table = struct.pack("<II", len(strings), len(strings)) + b"".join(map(_wide, strings))
    # The last string goes on in the next record, which says its width again; the rest fits in a byte a letter.
    cut = len(table) - 2 * 4
    shared = _biff(0xFC, table[:cut]) + _biff(0x3C, b"\0" + "tima".encode("latin-1"))
    fonts = b"".join(_biff(0x31, struct.pack("<HHHHHBBBB", 200, 0, 0, weight, 0, 0, 0, 0, 0)) for weight in (400, 700))
    styles = b"".join(_biff(0xE0, struct.pack("<HH", font, kind) + bytes(16)) for font, kind in ((0, 0), (1, 0), (0, 14)))
    bof = _biff(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    name = b"Redes"
    head = bof + extra + fonts + styles
    place = len(head) + 4 + 8 + len(name) + len(shared) + 4
    head += _biff(0x85, struct.pack("<IBBBB", place, 0, 0, len(name), 0) + name) + shared + _biff(0x0A, b"")
    grid = ((0, 0, 0), (0, 1, 1), (1, 0, 2), (2, 0, 3), (2, 1, 4), (3, 0, 5), (3, 1, 6), (4, 0, 7), (4, 1, 8))
    sheet = _biff(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0))
    for row, column, index in grid:
        sheet += _biff(0xFD, struct.pack("<HHHI", row, column, 1 if index == 2 else 0, index))
    return make_ole({"Workbook": head + sheet + cells + _biff(0x0A, b"")})
