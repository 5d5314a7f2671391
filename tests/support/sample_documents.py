"""Small good documents of every format, written by hand: each has a heading, emphasis, a list, a table and a link where it can.

`GOOD[ending]` holds the bytes of one; the words of `WORDS` are in all of them.
"""

from __future__ import annotations

import gzip
import io
import zipfile

from support.office97 import make_doc, make_ppt, make_xls
from support.small_pdfs import make_pdf

WORDS = ("Redes", "trasmallo", "negrita", "enlace", "primero", "segundo", "celda", "otra", "fila", "última")

_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_EXTERNAL = ' TargetMode="External"'
_LINK = "https://example.org/a"


def zipped(members: dict[str, str | bytes]) -> bytes:
    """A zip of these members; the first is stored, as some formats want it."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, (name, content) in enumerate(members.items()):
            info = zipfile.ZipInfo(name, (2020, 1, 1, 0, 0, 0))
            archive.writestr(info, content, zipfile.ZIP_DEFLATED if number else zipfile.ZIP_STORED)
    return out.getvalue()


def relations(*targets: tuple[str, str]) -> str:
    """An Office part of relations rId1, rId2...; those to the web are external."""
    rows = "".join(
        f'<Relationship Id="rId{number}" Type="{_KINDS}/{kind}" Target="{target}"{_EXTERNAL if "://" in target else ""}/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    return f'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">{rows}</Relationships>'


def _core(title: str) -> str:
    return f'<c:p xmlns:c="u" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>{title}</dc:title></c:p>'


def make_docx(body: str, **parts: str) -> bytes:
    """A DOCX with this body; further parts by name without ending."""
    styles = (
        f'<w:styles {_W}><w:style w:styleId="Ttulo1"><w:name w:val="heading 1"/><w:rPr><w:b/></w:rPr></w:style>'
        '<w:style w:styleId="Mio"><w:basedOn w:val="Ttulo1"/></w:style>'
        '<w:style w:styleId="Fuerte"><w:rPr><w:b/></w:rPr></w:style></w:styles>'
    )
    numbering = (
        f'<w:numbering {_W}><w:abstractNum w:abstractNumId="7"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/></w:lvl>'
        '<w:lvl w:ilvl="1"><w:numFmt w:val="bullet"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num></w:numbering>'
    )
    targets = [("styles", "styles.xml"), ("numbering", "numbering.xml"), ("hyperlink", _LINK)]
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(("officeDocument", "word/document.xml")),
            "docProps/core.xml": _core("Título"),
            "word/_rels/document.xml.rels": relations(*targets, *((name, f"{name}.xml") for name in parts)),
            "word/styles.xml": styles,
            "word/numbering.xml": numbering,
            "word/document.xml": f"<w:document {_W} {_R}><w:body>{body}</w:body></w:document>",
            **{f"word/{name}.xml": f"<w:{name} {_W}>{content}</w:{name}>" for name, content in parts.items()},
        }
    )


def docx_paragraph(text: str, style: str = "", properties: str = "", look: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr><w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r></w:p>"


def docx_item(text: str, level: int = 0) -> str:
    return docx_paragraph(text, properties=f'<w:numPr><w:ilvl w:val="{level}"/><w:numId w:val="1"/></w:numPr>')


def docx_table(*rows: tuple[str, ...]) -> str:
    cells = ("".join(f"<w:tc>{docx_paragraph(cell)}</w:tc>" for cell in row) for row in rows)
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in cells)}</w:tbl>"


def _docx() -> bytes:
    text = (
        '<w:p><w:r><w:t xml:space="preserve">El trasmallo en </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>negrita</w:t></w:r>'
        '<w:hyperlink r:id="rId3"><w:r><w:t>enlace</w:t></w:r></w:hyperlink></w:p>'
    )
    items = docx_item("primero") + docx_item("segundo")
    table = docx_table(("celda", "otra"), ("fila", "última"))
    return make_docx(docx_paragraph("Redes", "Ttulo1") + text + items + table)


_ODF_SPACES = " ".join(
    f'xmlns:{short}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for short, name in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("style", "style"),
        ("draw", "drawing"),
        ("presentation", "presentation"),
        ("fo", "xsl-fo-compatible"),
    )
)
_ODF_STYLES = (
    '<style:style style:name="T1" style:family="text"><style:text-properties fo:font-weight="bold"/></style:style>'
    '<style:style style:name="T2" style:family="text" style:parent-style-name="T1"/>'
    '<style:style style:name="C1" style:family="table-cell"><style:text-properties fo:font-weight="bold"/></style:style>'
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1"/></text:list-style>'
)
ODF_TEXT = (
    '<text:h text:outline-level="1">Redes</text:h>'
    '<text:p>El trasmallo en <text:span text:style-name="T2">negrita</text:span>'
    f'<text:a xlink:href="{_LINK}">enlace</text:a></text:p>'
    '<text:list text:style-name="L1"><text:list-item><text:p>primero</text:p></text:list-item>'
    "<text:list-item><text:p>segundo</text:p></text:list-item></text:list>"
    "<table:table><table:table-row><table:table-cell><text:p>celda</text:p></table:table-cell>"
    "<table:table-cell><text:p>otra</text:p></table:table-cell></table:table-row><table:table-row>"
    "<table:table-cell><text:p>fila</text:p></table:table-cell><table:table-cell><text:p>última</text:p></table:table-cell>"
    "</table:table-row></table:table>"
)


def _odf_content(kind: str, body: str) -> str:
    spaces = f'{_ODF_SPACES} xmlns:xlink="http://www.w3.org/1999/xlink"'
    styles = f"<office:automatic-styles>{_ODF_STYLES}</office:automatic-styles>"
    inside = f"<office:{kind}>{body}</office:{kind}>"
    return f"<office:document-content {spaces}>{styles}<office:body>{inside}</office:body></office:document-content>"


def make_odf(kind: str, body: str, manifest: str = "<m/>") -> bytes:
    """An OpenDocument of kind text, spreadsheet or presentation."""
    meta = '<o:m xmlns:o="u" xmlns:d="v"><o:meta><d:title>Título</d:title></o:meta></o:m>'
    return zipped(
        {
            "mimetype": f"application/vnd.oasis.opendocument.{kind}",
            "content.xml": _odf_content(kind, body),
            "meta.xml": meta,
            "META-INF/manifest.xml": manifest,
        }
    )


def flat_odf(body: str) -> bytes:
    """A text in one file."""
    content = _odf_content("text", body)
    mime = 'office:mimetype="application/vnd.oasis.opendocument.text"'
    return content.replace("document-content", "document").replace("<office:document ", f"<office:document {mime} ", 1).encode()


def sheet_row(*cells: str, attributes: str = "") -> str:
    inside = "".join(f"<table:table-cell><text:p>{cell}</text:p></table:table-cell>" for cell in cells)
    return f"<table:table-row {attributes}>{inside}</table:table-row>"


def _ods() -> bytes:
    bold = '<table:table-cell table:style-name="C1"><text:p>negrita</text:p></table:table-cell>'
    rows = (
        sheet_row("El trasmallo", "enlace")
        + f"<table:table-row>{bold}</table:table-row>"
        + sheet_row("primero", "segundo")
        + sheet_row("celda", "otra")
        + sheet_row("fila", "última")
    )
    return make_odf("spreadsheet", f'<table:table table:name="Redes">{rows}</table:table>')


def _odp() -> bytes:
    title = '<draw:frame presentation:class="title"><draw:text-box><text:p>Redes</text:p></draw:text-box></draw:frame>'
    rest = ODF_TEXT.partition("</text:h>")[2]
    text, _, table = rest.partition("<table:table>")
    notes = (
        "<presentation:notes><draw:frame><draw:text-box><text:p>nota</text:p></draw:text-box></draw:frame></presentation:notes>"
    )
    frames = f"<draw:frame><draw:text-box>{text}</draw:text-box></draw:frame><draw:frame><table:table>{table}</draw:frame>"
    return make_odf("presentation", f"<draw:page>{frames}{title}{notes}</draw:page>")


def _pptx_text(text: str, look: str = "", properties: str = "") -> str:
    return f"<a:p>{properties}<a:r><a:rPr{look}/><a:t>{text}</a:t></a:r></a:p>"


def _shape(kind: str, paragraphs: str) -> str:
    place = f'<p:ph type="{kind}"/>' if kind else ""
    return f"<p:sp><p:nvSpPr><p:nvPr>{place}</p:nvPr></p:nvSpPr><p:txBody>{paragraphs}</p:txBody></p:sp>"


def _slide(name: str, shapes: str) -> str:
    return f'<p:{name} xmlns:p="p" {_A} {_R}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:{name}>'


def make_pptx(*slides: str, notes: str = "") -> bytes:
    """A presentation with slides of these shapes; the notes are the first one's. The file names run against the order."""
    count = len(slides)
    ids = "".join(f'<p:sldId id="{256 + n}" r:id="rId{n}"/>' for n in range(1, count + 1))
    members: dict[str, str | bytes] = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": relations(("officeDocument", "ppt/presentation.xml")),
        "ppt/presentation.xml": f'<p:presentation xmlns:p="p" {_R}><p:sldIdLst>{ids}</p:sldIdLst></p:presentation>',
        "ppt/_rels/presentation.xml.rels": relations(*(("slide", f"slides/slide{count - n}.xml") for n in range(count))),
    }
    for number, shapes in enumerate(slides):
        targets = [("hyperlink", _LINK)] + ([("notesSlide", "../notesSlides/n.xml")] if notes and not number else [])
        members[f"ppt/slides/slide{count - number}.xml"] = _slide("sld", shapes)
        members[f"ppt/slides/_rels/slide{count - number}.xml.rels"] = relations(*targets)
    members["ppt/notesSlides/n.xml"] = _slide("notes", notes)
    return zipped(members)


def _pptx() -> bytes:
    link = '<a:p><a:r><a:rPr><a:hlinkClick r:id="rId1"/></a:rPr><a:t>enlace</a:t></a:r></a:p>'
    text = _pptx_text("El trasmallo") + _pptx_text("negrita", ' b="1"') + link
    items = _pptx_text("primero") + _pptx_text("segundo", properties='<a:pPr lvl="1"/>')
    rows = "".join(
        f"<a:tr>{''.join(f'<a:tc><a:txBody>{_pptx_text(cell)}</a:txBody></a:tc>' for cell in row)}</a:tr>"
        for row in (("celda", "otra"), ("fila", "última"))
    )
    table = f"<p:graphicFrame><a:graphic><a:graphicData><a:tbl>{rows}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>"
    shapes = _shape("", text) + _shape("title", _pptx_text("Redes")) + _shape("body", items) + table
    running = _shape("sldNum", _pptx_text("número"))
    return make_pptx(shapes + running, _shape("title", _pptx_text("Fin")), notes=_shape("body", _pptx_text("nota")))


def make_xlsx(rows: str, shared: tuple[str, ...] = (), *, state: str = "visible") -> bytes:
    """A workbook with a sheet "Redes"; format 1 is bold, 2 a date, 3 a percentage."""
    strings = "".join(f"<si><t>{text}</t></si>" for text in shared)
    styles = (
        '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/></numFmts><fonts><font/><font><b/></font></fonts>'
        '<cellXfs><xf fontId="0"/><xf fontId="1"/><xf fontId="0" numFmtId="170"/><xf fontId="0" numFmtId="9"/></cellXfs>'
        "</styleSheet>"
    )
    return zipped(
        {
            "[Content_Types].xml": "<Types/>",
            "_rels/.rels": relations(("officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f'<workbook {_R}><sheets><sheet name="Redes" state="{state}" r:id="rId1"/></sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(
                ("worksheet", "worksheets/s.xml"), ("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml")
            ),
            "xl/sharedStrings.xml": f"<sst>{strings}</sst>",
            "xl/styles.xml": styles,
            "xl/worksheets/s.xml": f'<worksheet {_R}><sheetData>{rows}</sheetData><hyperlinks><hyperlink ref="B1" r:id="rId1"/>'
            "</hyperlinks></worksheet>",
            "xl/worksheets/_rels/s.xml.rels": relations(("hyperlink", _LINK)),
        }
    )


def _xlsx() -> bytes:
    rows = (
        '<row><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c></row>'
        '<row><c r="A2" s="1" t="inlineStr"><is><t>negrita</t></is></c></row>'
        '<row><c r="A3" t="s"><v>2</v></c><c r="C3" t="str"><v>segundo</v></c></row>'
        '<row><c r="A4" t="s"><v>3</v></c><c r="B4" t="s"><v>4</v></c></row>'
        '<row><c r="A5" t="s"><v>5</v></c><c r="B5" t="s"><v>6</v></c></row>'
    )
    return make_xlsx(rows, ("El trasmallo", "enlace", "primero", "celda", "otra", "fila", "última"))


HTML = (
    "<h1>Redes</h1><p>El trasmallo en <b>negrita</b> con <a href='https://example.org/a'>enlace</a>.</p>"
    "<ol><li>primero</li><li>segundo</li></ol>"
    "<table><tr><td>celda</td><td>otra</td></tr><tr><td>fila</td><td>última</td></tr></table>"
)
PAGE = f"<!doctype html><html><head><title>Título</title><meta charset='utf-8'></head><body>{HTML}</body></html>"


def make_epub(*chapters: str, encryption: str = "") -> bytes:
    """A book of these chapters, whose file names run against the spine."""
    numbers = range(len(chapters))
    items = "".join(f'<item id="c{n}" href="t/{99 - n}.xhtml" media-type="application/xhtml+xml"/>' for n in numbers)
    spine = "".join(f'<itemref idref="c{n}"/>' for n in numbers)
    package = (
        '<package xmlns:dc="u"><metadata><dc:title>Título</dc:title></metadata>'
        f"<manifest>{items}</manifest><spine>{spine}</spine></package>"
    )
    pages = {
        f"OPS/t/{99 - n}.xhtml": f"<html><head><title/></head><body>{text}</body></html>" for n, text in enumerate(chapters)
    }
    container = '<container><rootfiles><rootfile full-path="OPS/a.opf"/></rootfiles></container>'
    extra = {"META-INF/encryption.xml": encryption} if encryption else {}
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": container,
            "OPS/a.opf": package,
            **dict(reversed(pages.items())),
            **extra,
        }
    )


RTF = (
    rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0\fcharset0 Arial;}{\f1\fcharset204 Times;}}"
    rb"{\stylesheet{\s0 Normal;}{\s1 heading 1;}}{\info{\title T\'edtulo}{\author nadie}}{\header cabecera}"
    rb"\pard\s1\b Redes\b0\par\pard El trasmallo en {\b negrita} con "
    rb'{\field{\*\fldinst HYPERLINK "https://example.org/a"}{\fldrslt enlace}}.\par'
    rb"\pard\ls1 {\listtext 1.\tab}primero\par{\listtext 2.\tab}segundo\par"
    rb"\trowd\cellx1\cellx2\pard\intbl celda\cell otra\cell\row\intbl fila\cell \u250?ltima\cell\row\pard}"
)

MAIL = (
    b"From: =?utf-8?q?Mar=C3=ADa?= <maria@example.org>\r\nTo: b@example.org\r\nSubject: Redes\r\nMIME-Version: 1.0\r\n"
    b'Content-Type: multipart/mixed; boundary="x"\r\n\r\n--x\r\nContent-Type: multipart/alternative; boundary="y"\r\n\r\n'
    b"--y\r\nContent-Type: text/plain; charset=utf-8\r\n\r\nsin formato\r\n--y\r\nContent-Type: text/html; charset=utf-8\r\n"
    b"Content-Transfer-Encoding: 8bit\r\n\r\n" + PAGE.encode() + b"\r\n--y--\r\n--x\r\nContent-Type: text/csv\r\n"
    b"Content-Disposition: attachment; filename=datos.csv\r\n\r\nuno,dos\r\ntres,cuatro\r\n--x--\r\n"
)

MARKDOWN = (
    "---\ntitle: Título\n---\n# Redes\n\nEl trasmallo en **negrita** con [enlace](https://example.org/a).\n\n"
    "1. primero\n2. segundo\n\n| celda | otra |\n|---|---|\n| fila | última |\n"
)
CSV = "Redes;El trasmallo, o red\nnegrita;enlace\nprimero;segundo\ncelda;otra\nfila;última\n"
XML = (
    '<?xml version="1.0"?><doc titulo="Redes"><p clase="a">Redes: el trasmallo en <b>negrita</b></p>'
    '<x:y xmlns:x="u">enlace</x:y>'
    "<i>primero</i><i>segundo</i><f><c>celda</c><c>otra</c></f><f><c>fila</c><c>última</c></f></doc>"
)
TEXT = "Redes\n\nEl trasmallo en negrita con\nun enlace.\n\nprimero segundo\n\ncelda otra\nfila última\n"


def _pdf() -> bytes:
    body = ["El trasmallo en negrita con un enlace, y es", "primero y segundo. La celda, la otra, la fila y", "la última."]
    lines = [(12, 700 - 14 * number, text) for number, text in enumerate(body)]
    return make_pdf([[(24, 740, "Redes"), *lines]], title="Título")


GOOD: dict[str, bytes] = {
    "html": PAGE.encode(),
    "xhtml": PAGE.replace("<!doctype html>", "").encode(),
    "txt": TEXT.encode(),
    "md": MARKDOWN.encode(),
    "csv": CSV.encode(),
    "xml": XML.encode(),
    "pdf": _pdf(),
    "docx": _docx(),
    "pptx": _pptx(),
    "xlsx": _xlsx(),
    "odt": make_odf("text", ODF_TEXT),
    "ods": _ods(),
    "odp": _odp(),
    "fodt": flat_odf(ODF_TEXT),
    "epub": make_epub(HTML),
    "rtf": RTF,
    "doc": make_doc(),
    "ppt": make_ppt(),
    "xls": make_xls(),
    "eml": MAIL,
    "mbox": b"From a@b.org Mon Jan  6 10:00:00 2020\n" + MAIL.replace(b"\r\n", b"\n") + b"\n",
    "html.gz": gzip.compress(PAGE.encode(), mtime=0),
    "zip": zipped({"a.html": PAGE, "b.txt": "texto", "c.png": b"\x89PNG"}),
}
