"""What conversion keeps of documents with known words, headings, table rows and bold: ours, and xberg where it is installed.

Usage: python benchmarks/formats.py [COUNT]. The documents are written by python-docx, openpyxl, python-pptx, odfpy, xlwt and
reportlab, where they are installed, EPUB and RTF by this script; "office" are those that LibreOffice (`soffice`), where it is
installed, saved again. Percentages are of what was written; order is the longest run of words that rise in the order they were
written, of all words found.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import random
import shutil
import subprocess
import sys
import tempfile
import time
import zipfile
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable
from html import escape
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from selectolax.lexbor import LexborHTMLParser

from trasmallo.clean.convert import convert, media_of

SYLLABLES = ["ma", "re", "so", "lu", "ti", "ña", "cé", "pro", "tra", "gue", "bel", "dor", "sin", "quí", "fla", "ver"]


class Part(NamedTuple):
    """A heading (level > 0), a paragraph of (text, bold), items of a list, or the rows of a table."""

    kind: str
    level: int = 0
    runs: tuple[tuple[str, bool], ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()


class Kept(NamedTuple):
    """What was kept of what was written, as (kept, written)."""

    words: tuple[int, int]
    headings: tuple[int, int]
    rows: tuple[int, int]
    bold: tuple[int, int]
    order: tuple[int, int]


def made(rng: random.Random) -> list[Part]:
    """A document of words that occur once each."""
    numbers = iter(range(10**6))

    def words(count: int) -> str:
        return " ".join("".join(rng.choices(SYLLABLES, k=3)) + f"x{next(numbers):04}" for _ in range(count))

    parts = []
    for _ in range(4):
        parts.append(Part("heading", rng.randint(1, 3), ((words(3), False),)))
        for _ in range(3):
            runs = tuple((words(rng.randint(3, 25)), bold) for bold in (False, True, False, True, False))
            parts.append(Part("paragraph", 0, runs))
        parts.append(Part("list", 0, tuple((words(4), False) for _ in range(4))))
        parts.append(Part("table", 0, (), tuple(tuple(words(2) for _ in range(3)) for _ in range(5))))
    return parts


def to_docx(parts: list[Part]) -> bytes:
    document = import_module("docx").Document()
    document.sections[0].header.paragraphs[0].text = "running header"
    for part in parts:
        if part.kind == "heading":
            document.add_heading(part.runs[0][0], part.level)
        elif part.kind == "table":
            table = document.add_table(0, 3)
            for row in part.rows:
                for cell, text in zip(table.add_row().cells, row, strict=True):
                    cell.text = text
        elif part.kind == "list":
            for text, _ in part.runs:
                document.add_paragraph(text, style="List Bullet")
        else:
            paragraph = document.add_paragraph()
            for number, (text, bold) in enumerate(part.runs):
                run = paragraph.add_run(text + " ", style="Strong" if bold and number == 1 else None)
                run.bold = True if bold and number != 1 else None
    return saved(document)


def saved(document: Any) -> bytes:
    out = io.BytesIO()
    document.save(out)
    return out.getvalue()


def to_odt(parts: list[Part]) -> bytes:
    opendocument, style, text, table = (import_module(f"odf.{name}") for name in ("opendocument", "style", "text", "table"))
    document = opendocument.OpenDocumentText()
    bold_style = style.Style(name="Negrita", family="text")
    bold_style.addElement(style.TextProperties(fontweight="bold"))
    document.automaticstyles.addElement(bold_style)
    for part in parts:
        if part.kind == "heading":
            document.text.addElement(text.H(outlinelevel=part.level, text=part.runs[0][0]))
        elif part.kind == "table":
            document.text.addElement(odf_table(table, text, part.rows))
        elif part.kind == "list":
            items = text.List()
            for words, _ in part.runs:
                item = text.ListItem()
                item.addElement(text.P(text=words))
                items.addElement(item)
            document.text.addElement(items)
        else:
            paragraph = text.P()
            for words, bold in part.runs:
                paragraph.addElement(text.Span(stylename=bold_style, text=words) if bold else text.Span(text=words))
                paragraph.addText(" ")
            document.text.addElement(paragraph)
    return saved(document)


def odf_table(table: Any, text: Any, rows: tuple[tuple[str, ...], ...]) -> Any:
    made_table = table.Table()
    for row in rows:
        made_row = table.TableRow()
        for words in row:
            cell = table.TableCell()
            cell.addElement(text.P(text=words))
            made_row.addElement(cell)
        made_table.addElement(made_row)
    return made_table


def to_ods(parts: list[Part]) -> bytes:
    opendocument, text, table = (import_module(f"odf.{name}") for name in ("opendocument", "text", "table"))
    document = opendocument.OpenDocumentSpreadsheet()
    for number, part in enumerate(tables(parts)):
        sheet = odf_table(table, text, part.rows)
        sheet.setAttribute("name", f"Hoja{number}")
        document.spreadsheet.addElement(sheet)
    return saved(document)


def tables(parts: list[Part]) -> list[Part]:
    return [part for part in parts if part.kind == "table"]


def to_odp(parts: list[Part]) -> bytes:
    opendocument, style, text, table, draw = (
        import_module(f"odf.{name}") for name in ("opendocument", "style", "text", "table", "draw")
    )
    document = opendocument.OpenDocumentPresentation()
    layout = style.PageLayout(name="L")
    document.automaticstyles.addElement(layout)
    master = style.MasterPage(name="M", pagelayoutname=layout)
    document.masterstyles.addElement(master)
    bold_style = style.Style(name="Negrita", family="text")
    bold_style.addElement(style.TextProperties(fontweight="bold"))
    document.automaticstyles.addElement(bold_style)
    page: Any = None
    for part in parts:
        if part.kind == "heading":
            page = draw.Page(masterpagename=master)
            document.presentation.addElement(page)
        frame = draw.Frame(width="10cm", height="2cm")
        page.addElement(frame)
        if part.kind == "heading":
            frame.setAttrNS("urn:oasis:names:tc:opendocument:xmlns:presentation:1.0", "class", "title")
        if part.kind == "table":
            frame.addElement(odf_table(table, text, part.rows))
            continue
        box = draw.TextBox()
        frame.addElement(box)
        paragraph = text.P()
        for words, bold in part.runs:
            paragraph.addElement(text.Span(stylename=bold_style, text=words) if bold else text.Span(text=words))
            paragraph.addText(" ")
        box.addElement(paragraph)
    return saved(document)


def to_xlsx(parts: list[Part]) -> bytes:
    openpyxl = import_module("openpyxl")
    book = openpyxl.Workbook()
    book.remove(book.active)
    for number, part in enumerate(tables(parts)):
        sheet = book.create_sheet(f"Hoja{number}")
        for row in part.rows:
            sheet.append(row)
        for cell in sheet[1]:
            cell.font = openpyxl.styles.Font(bold=True)
    return saved(book)


def to_xls(parts: list[Part]) -> bytes:
    xlwt = import_module("xlwt")
    book = xlwt.Workbook()
    bold = xlwt.easyxf("font: bold on")
    for number, part in enumerate(tables(parts)):
        sheet = book.add_sheet(f"Hoja{number}")
        for at, row in enumerate(part.rows):
            for column, text in enumerate(row):
                sheet.write(at, column, text, *([] if at else [bold]))
    return saved(book)


def to_pptx(parts: list[Part]) -> bytes:
    show = import_module("pptx").Presentation()
    slide: Any = None
    for part in parts:
        if part.kind == "heading":
            slide = show.slides.add_slide(show.slide_layouts[1])
            slide.shapes.title.text = part.runs[0][0]
        elif part.kind == "table":
            grid = slide.shapes.add_table(len(part.rows), 3, 0, 0, 9_000_000, 900_000).table
            for at, row in enumerate(part.rows):
                for column, text in enumerate(row):
                    grid.cell(at, column).text = text
        else:
            frame = slide.placeholders[1].text_frame
            for runs in [part.runs] if part.kind == "paragraph" else [(run,) for run in part.runs]:
                paragraph = frame.add_paragraph()
                for text, bold in runs:
                    run = paragraph.add_run()
                    run.text, run.font.bold = text + " ", bold or None
    return saved(show)


def to_epub(parts: list[Part]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as book:
        book.writestr("mimetype", "application/epub+zip")
        book.writestr("META-INF/container.xml", '<container><rootfiles><rootfile full-path="a.opf"/></rootfiles></container>')
        item = '<item id="c" href="c.xhtml" media-type="application/xhtml+xml"/>'
        book.writestr("a.opf", f'<package><manifest>{item}</manifest><spine><itemref idref="c"/></spine></package>')
        book.writestr(
            "c.xhtml", f'<html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head><body>{as_html(parts)}</body></html>'
        )
    return out.getvalue()


def as_html(parts: list[Part]) -> str:
    html = ""
    for part in parts:
        runs = [f"<b>{escape(text)}</b>" if bold else escape(text) for text, bold in part.runs]
        if part.kind == "heading":
            html += f"<h{part.level}>{runs[0]}</h{part.level}>"
        elif part.kind == "list":
            html += f"<ul>{''.join(f'<li>{run}</li>' for run in runs)}</ul>"
        elif part.kind == "table":
            cells = ("".join(f"<td>{escape(cell)}</td>" for cell in row) for row in part.rows)
            html += f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"
        else:
            html += f"<p>{' '.join(runs)}</p>"
    return html


def to_rtf(parts: list[Part]) -> bytes:
    styles = r"{\stylesheet{\s0 Normal;}{\s1 heading 1;}{\s2 heading 2;}{\s3 heading 3;}}"
    out = r"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}" + styles
    for part in parts:
        if part.kind == "heading":
            out += rf"\pard\plain\s{part.level}\b {part.runs[0][0]}\par" + "\n"
        elif part.kind == "table":
            for row in part.rows:
                out += (
                    r"\trowd\cellx1000\cellx2000\cellx3000\pard\plain\intbl "
                    + "".join(rf"{cell}\cell " for cell in row)
                    + "\\row\n"
                )
        elif part.kind == "list":
            out += "".join(rf"\pard\plain\ls1{{\listtext\'b7\tab}}{text}\par" + "\n" for text, _ in part.runs)
        else:
            out += r"\pard\plain " + " ".join(rf"{{\b {text}}}" if bold else text for text, bold in part.runs) + "\\par\n"
    return "".join(letter if ord(letter) < 128 else f"\\u{ord(letter)}?" for letter in out + "}").encode()


def to_pdf(parts: list[Part], *, columns: bool = False) -> bytes:
    platypus, styles, pagesizes = (import_module(f"reportlab.{name}") for name in ("platypus", "lib.styles", "lib.pagesizes"))
    sheet, out = styles.getSampleStyleSheet(), io.BytesIO()
    width, height = pagesizes.A4

    def running(canvas: Any, document: Any) -> None:
        canvas.drawString(50, height - 30, "Running title")
        canvas.drawString(width / 2, 20, f"Page {document.page}")

    story = []
    for part in parts:
        if part.kind == "heading":
            story.append(platypus.Paragraph(part.runs[0][0], sheet[f"Heading{part.level}"]))
        elif part.kind == "table":
            story.append(platypus.Table([list(row) for row in part.rows]) if not columns else platypus.Spacer(1, 12))
        else:
            text = " ".join(f"<b>{text}</b>" if bold else text for text, bold in part.runs)
            story += [platypus.Paragraph(text, sheet["BodyText"]), platypus.Spacer(1, 6)]
    document = platypus.BaseDocTemplate(out, pagesize=pagesizes.A4)
    wide = (width - 120) / (2 if columns else 1)
    frames = [platypus.Frame(50 + number * (wide + 20), 50, wide, height - 100) for number in range(2 if columns else 1)]
    document.addPageTemplates([platypus.PageTemplate(frames=frames, onPage=running)])
    document.build(story)
    return out.getvalue()


def to_drawn_pdf(parts: list[Part]) -> bytes:
    """Two columns drawn line by line across both, with words cut by hyphens, as layout programs do."""
    canvas_of, size, out = import_module("reportlab.pdfgen.canvas"), 10, io.BytesIO()
    canvas = canvas_of.Canvas(out, pagesize=(595, 842))
    lines = [line for part in parts for line in wrapped(" ".join(text for text, _ in part.runs), 34)]
    for first in range(0, len(lines), 100):
        canvas.setFont("Times-Roman", size)
        canvas.drawString(50, 815, "Running title")
        canvas.drawString(300, 20, str(first // 100 + 1))
        page = lines[first : first + 100]
        for number in range(50):
            for column, x in ((0, 50), (50, 320)):
                if number + column < len(page):
                    canvas.drawString(x, 780 - 14 * number, page[number + column])
        canvas.showPage()
    canvas.save()
    return out.getvalue()


def wrapped(text: str, width: int) -> list[str]:
    """Lines of a width, filled to the end: the word that does not fit is cut."""
    lines, line = [], ""
    for word in text.split():
        room = width - len(line) - 2
        if len(line) + len(word) < width:
            line += word + " "
        elif room > 3 and len(word) - room > 2 and word[room : room + 1].isalpha():
            lines.append(f"{line}{word[:room]}-")
            line = word[room:] + " "
        else:
            lines.append(line)
            line = word + " "
    return [*lines, line]


def to_office(write: Callable[[list[Part]], bytes], source: str, target: str) -> Callable[[list[Part]], bytes]:
    """A writer whose documents LibreOffice opens and saves in another format."""

    def rewrite(parts: list[Part]) -> bytes:
        program = shutil.which("soffice")
        if program is None:
            raise ImportError("LibreOffice is missing", name="soffice")
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, f"made.{source}")
            path.write_bytes(write(parts))
            home = f"-env:UserInstallation=file://{folder}/home"
            command = [program, home, "--headless", "--convert-to", target, "--outdir", f"{folder}/saved", str(path)]
            subprocess.run(command, check=True, capture_output=True, timeout=120)
            return Path(folder, "saved", f"made.{target}").read_bytes()

    return rewrite


WRITERS: dict[str, Callable[[list[Part]], bytes]] = {
    "docx": to_docx,
    "odt": to_odt,
    "ods": to_ods,
    "odp": to_odp,
    "xlsx": to_xlsx,
    "xls": to_xls,
    "pptx": to_pptx,
    "epub": to_epub,
    "rtf": to_rtf,
    "pdf": to_pdf,
    "pdf, 2 columns": lambda parts: to_pdf(parts, columns=True),
    "pdf, drawn": to_drawn_pdf,
    **{f"{target}, office": to_office(to_docx, "docx", target) for target in ("doc", "docx", "odt", "rtf", "pdf")},
    **{f"{target}, office": to_office(to_pptx, "pptx", target) for target in ("ppt", "pptx", "odp")},
    **{f"{target}, office": to_office(to_xlsx, "xlsx", target) for target in ("xls", "xlsx", "ods")},
}
SHEETS = ("ods", "xlsx", "xls", "xls, office", "xlsx, office", "ods, office")
# Tables that PDF shows as words at places; those of LibreOffice break lines inside cells.
FLAT = ("pdf, 2 columns", "pdf, drawn", "pdf, office")


def wanted(parts: list[Part], kind: str) -> list[Part]:
    """The parts that a format can hold."""
    if kind in SHEETS:
        return tables(parts)
    if kind == "pdf, drawn":
        return [part for part in parts if part.kind == "paragraph"]
    return [part for part in parts if part.kind != "table"] if kind == "pdf, 2 columns" else parts


def score(html: str, parts: list[Part], kind: str) -> Kept:
    tree = LexborHTMLParser(html)
    text = tree.body.text(separator=" ") if tree.body else ""
    found = text.split()
    written = [word for part in parts for text, _ in part.runs for word in text.split()]
    every = [word for part in parts for word in [*(word for text, _ in part.runs for word in text.split()), *cells(part)]]
    kept = Counter(found) & Counter(every)
    heads = {" ".join(node.text(separator=" ").split()) for node in tree.css("h1, h2, h3, h4, h5, h6")}
    headings = [part.runs[0][0] for part in parts if part.kind == "heading"]
    shown_rows = {tuple(" ".join(cell.text(separator=" ").split()) for cell in row.css("td, th")) for row in tree.css("tr")}
    rows = [row for part in parts for row in part.rows] if kind not in FLAT else []
    bold_words = {word for node in tree.css("b, strong") for word in node.text(separator=" ").split()}
    bold = [word for part in parts for text, is_bold in part.runs if is_bold for word in text.split()]
    if kind in SHEETS and not kind.startswith("ods"):
        bold = [word for part in parts for cell in part.rows[0] for word in cell.split()]
    bold = [] if kind == "pdf, drawn" else bold
    place = {word: number for number, word in enumerate(every)}
    rising = longest_rise([place[word] for word in found if word in place])
    return Kept(
        (sum(kept.values()), len(every)),
        (sum(heading in heads for heading in headings), len(headings)),
        (sum(row in shown_rows for row in rows), len(rows)),
        (sum(word in bold_words for word in bold), len(bold)),
        (rising, sum(word in place for word in found)) if written or rows else (0, 0),
    )


def cells(part: Part) -> list[str]:
    return [word for row in part.rows for cell in row for word in cell.split()]


def longest_rise(numbers: list[int]) -> int:
    tails: list[int] = []
    for number in numbers:
        at = bisect_left(tails, number)
        tails[at : at + 1] = [number]
    return len(tails)


def ours(content: bytes) -> str:
    return convert(content).html


def with_xberg(content: bytes) -> str:
    xberg = import_module("xberg")
    given = xberg.ExtractInput(kind=xberg.ExtractInputKind.BYTES, bytes=content, mime_type=media_of(content))

    async def extract() -> Any:
        return await xberg.extract(given, xberg.ExtractionConfig(output_format="html"))

    return str(asyncio.run(extract()).results[0].content)


def measured(convert_with: Callable[[bytes], str], kind: str, count: int) -> tuple[list[float | None], float]:
    """Percentages of each quality, and the milliseconds a document by the clock."""
    sums = [[0, 0] for _ in Kept._fields]
    seconds = 0.0
    for number in range(count):
        parts = wanted(made(random.Random(number)), kind)
        content = WRITERS[kind](parts)
        start = time.perf_counter()
        html = convert_with(content)
        seconds += time.perf_counter() - start
        for total, (kept, written) in zip(sums, score(html, parts, kind), strict=True):
            total[0] += kept
            total[1] += written
    return [100 * kept / written if written else None for kept, written in sums], 1000 * seconds / count


def main() -> None:
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20
    with contextlib.suppress(Exception):
        ours(to_epub([]))  # the child is started once, not for each document
    print(f"{'format':16} {'by':10} " + " ".join(f"{name:>9}" for name in Kept._fields) + f" {'ms':>7}")
    for kind in WRITERS:
        for name, way in (("trasmallo", ours), ("xberg", with_xberg)):
            try:
                kept, took = measured(way, kind, count)
            except ImportError as error:
                print(f"{kind:16} {name:10} not installed ({error.name})")
            except (RuntimeError, ValueError) as error:
                print(f"{kind:16} {name:10} {error}")
            else:
                print(
                    f"{kind:16} {name:10} "
                    + " ".join("        -" if v is None else f"{v:9.2f}" for v in kept)
                    + f" {took:7.1f}"
                )


if __name__ == "__main__":
    main()
