"""A drawing as PNG, painted by PDFium with the light colours and a font that it carries: the same picture everywhere."""

from __future__ import annotations

import ctypes
import struct
import zlib
from collections.abc import Iterable

import numpy as np
import pypdfium2
import pypdfium2.raw as pdfium
from numpy.typing import NDArray

from trasmallo.values.drawing.shapes import LIGHT, Dot, Drawing, Label, Path, Rect

_SCALE = 1.5  # judgement: dots a pixel, sharp on common screens
_FONTS = {False: b"Helvetica", True: b"Helvetica-Bold"}
_SHARES = {"start": 0.0, "middle": 0.5, "end": 1.0}
# How far the control points of a quarter of a circle stand off, as a share of its radius.
_BEND = 0.5523
_ROUND = 1  # FPDF_LINEJOIN_ROUND


def png(drawing: Drawing) -> bytes:
    """The picture, one and a half times as large as the SVG says."""
    document = pypdfium2.PdfDocument.new()
    try:
        page = document.new_page(drawing.width, drawing.height)
        _Painter(document, page, drawing.height).paint(drawing)
        page.gen_content()
        bitmap = page.render(scale=_SCALE, rev_byteorder=True, fill_color=(*_rgb("paper"), 255))
        return _encode(np.ascontiguousarray(bitmap.to_numpy()[:, :, :3]))
    finally:
        document.close()


class _Painter:
    """Puts shapes on a page; PDF counts its height from below."""

    def __init__(self, document: pypdfium2.PdfDocument, page: pypdfium2.PdfPage, height: float) -> None:
        self._document = document
        self._page = page
        self._height = height
        self._fonts: dict[bool, pdfium.FPDF_FONT] = {}

    def paint(self, drawing: Drawing) -> None:
        for shape in drawing.shapes:
            if isinstance(shape, Rect):
                self._rect(shape)
            elif isinstance(shape, Path):
                self._path(shape)
            elif isinstance(shape, Dot):
                self._dot(shape)
            else:
                self._label(shape)

    def _rect(self, rect: Rect) -> None:
        if rect.width <= 0 or rect.height <= 0:
            return
        found = pdfium.FPDFPageObj_CreateNewRect(rect.x, self._height - rect.y - rect.height, rect.width, rect.height)
        if rect.outline:
            _stroke(found, rect.outline, 2)
        self._add(found, fill=rect.fill, stroked=bool(rect.outline))

    def _path(self, path: Path) -> None:
        (x, y), *rest = path.points
        found = pdfium.FPDFPageObj_CreateNewPath(x, self._height - y)
        for x, y in rest:
            pdfium.FPDFPath_LineTo(found, x, self._height - y)
        _stroke(found, path.ink, path.width)
        if path.dashed:
            pdfium.FPDFPageObj_SetDashArray(found, (ctypes.c_float * 2)(4, 3), 2, 0)
        self._add(found, stroked=True)

    def _dot(self, dot: Dot) -> None:
        x, y, r, b = dot.x, self._height - dot.y, dot.radius, dot.radius * _BEND
        found = pdfium.FPDFPageObj_CreateNewPath(x + r, y)
        pdfium.FPDFPath_BezierTo(found, x + r, y + b, x + b, y + r, x, y + r)
        pdfium.FPDFPath_BezierTo(found, x - b, y + r, x - r, y + b, x - r, y)
        pdfium.FPDFPath_BezierTo(found, x - r, y - b, x - b, y - r, x, y - r)
        pdfium.FPDFPath_BezierTo(found, x + b, y - r, x + r, y - b, x + r, y)
        self._add(found, fill=dot.fill)

    def _label(self, label: Label) -> None:
        found = pdfium.FPDFPageObj_CreateTextObj(self._document, self._font(label.bold), label.size)
        letters = [*map(ord, _known(label.text)), 0]
        pdfium.FPDFText_SetText(found, (ctypes.c_ushort * len(letters))(*letters))
        left, bottom, right, top = (ctypes.c_float() for _ in range(4))
        pdfium.FPDFPageObj_GetBounds(found, left, bottom, right, top)
        shift = (right.value - left.value) * _SHARES[label.anchor]
        pdfium.FPDFPageObj_Transform(found, 1, 0, 0, 1, label.x - shift, self._height - label.y)
        self._add(found, fill=label.ink)

    def _font(self, bold: bool) -> pdfium.FPDF_FONT:
        if bold not in self._fonts:
            self._fonts[bold] = pdfium.FPDFText_LoadStandardFont(self._document, _FONTS[bold])
        return self._fonts[bold]

    def _add(self, found: pdfium.FPDF_PAGEOBJECT, *, fill: str = "", stroked: bool = False) -> None:
        if fill:
            pdfium.FPDFPageObj_SetFillColor(found, *_rgb(fill), 255)
        if pdfium.FPDFPageObj_GetType(found) == pdfium.FPDF_PAGEOBJ_PATH:
            pdfium.FPDFPath_SetDrawMode(found, pdfium.FPDF_FILLMODE_WINDING if fill else pdfium.FPDF_FILLMODE_NONE, stroked)
        pdfium.FPDFPage_InsertObject(self._page, found)


def _stroke(found: pdfium.FPDF_PAGEOBJECT, ink: str, width: float) -> None:
    pdfium.FPDFPageObj_SetStrokeColor(found, *_rgb(ink), 255)
    pdfium.FPDFPageObj_SetStrokeWidth(found, width)
    pdfium.FPDFPageObj_SetLineJoin(found, _ROUND)


def _rgb(name: str) -> Iterable[int]:
    return bytes.fromhex(LIGHT[name][1:])


def _known(text: str) -> str:
    """The text with what the font cannot show as a question mark."""
    return text.encode("cp1252", "replace").decode("cp1252", "replace")


def _encode(pixels: NDArray[np.uint8]) -> bytes:
    """Pixels as a PNG file (ISO/IEC 15948) of lines without a filter: drawings are flat."""
    height, width, _ = pixels.shape
    lines = np.zeros((height, 1 + 3 * width), np.uint8)
    lines[:, 1:] = pixels.reshape(height, 3 * width)
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(lines.tobytes(), 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(name, content) for name, content in parts)


def _chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))
