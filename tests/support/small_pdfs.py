"""Small PDF files, written by hand for tests."""

from __future__ import annotations

ENCRYPTION = (
    b"/Encrypt << /Filter /Standard /V 1 /R 2 /O <" + b"41" * 32 + b"> /U <" + b"42" * 32 + b"> /P -4 >> /ID [<00> <00>]"
)


def make_pdf(pages: list[list[tuple[int, int, str]]], *, title: str = "", trailer: bytes = b"") -> bytes:
    """A PDF whose pages hold lines as (size of the type, points from the lower edge, text in Latin-1)."""
    count = len(pages)
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(count))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {count} >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, lines in enumerate(pages):
        drawn = "".join(f"BT /F1 {size} Tf 50 {height} Td ({text}) Tj ET\n" for size, height, text in lines).encode("latin-1")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents {5 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>".encode()
        )
        objects.append(b"<< /Length %d >>\nstream\n%bendstream" % (len(drawn), drawn))
    objects.append(f"<< /Title ({title}) >>".encode("latin-1"))
    return _assemble(objects, trailer)


def _assemble(objects: list[bytes], trailer: bytes) -> bytes:
    body, offsets = b"%PDF-1.4\n", []
    for number, content in enumerate(objects, 1):
        offsets.append(len(body))
        body += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    size = len(objects) + 1
    end = b"trailer\n<< /Size %d /Root 1 0 R /Info %d 0 R %b >>\nstartxref\n%d\n%%%%EOF\n" % (
        size,
        size - 1,
        trailer,
        len(body),
    )
    return body + b"xref\n0 %d\n0000000000 65535 f \n%b%b" % (size, table, end)
