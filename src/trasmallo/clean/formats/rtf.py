"""RTF (Microsoft's specification 1.9.1): headings by style, lists, tables, links, emphasis and footnotes.

Headers, footers, pictures and everything marked as ignorable are left out.
"""

from __future__ import annotations

import codecs
import re

import msgspec

from trasmallo.clean.formats.html_builder import TOO_MUCH, HtmlBuilder, TextRun, Unreadable, inline

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<hex>[0-9a-fA-F]{2})|\\(?P<sign>[^a-zA-Z'])"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n]+)|[\r\n\\']",
    re.DOTALL,
)
_HEADING = re.compile(r"heading (\d)", re.IGNORECASE)
_LINK = re.compile(r'\s*HYPERLINK\s+"([^"]+)"')
_CHARSETS = {
    77: "mac_roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258",
    177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_SIGNS = {"~": "\u00a0", "_": "‑", "-": "", "{": "{", "}": "}", "\\": "\\"}
_WORDS = {
    "tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "bullet": "•", "emspace": " ", "enspace": " ", "qmspace": " ", "nestcell": " ", "nestrow": "\n",
}  # fmt: skip
# Groups whose text is no text of the document.
_SILENT = frozenset(
    [
        "colortbl", "pict", "object", "header", "headerl", "headerr", "headerf", "footer", "footerl", "footerr", "footerf",
        "listtext", "pntext", "listtable", "listoverridetable", "rsidtbl", "themedata", "colorschememapping", "datastore",
        "generator", "xmlnstbl", "filetbl", "revtbl", "latentstyles", "nonshppict", "fontemb", "fontfile", "datafield",
        "bkmkstart", "bkmkend", "atnid", "atnauthor", "ftnsep", "ftnsepc", "aftnsep", "aftnsepc", "tc", "xe", "mmathPr",
        "operator", "author", "company", "creatim", "revtim", "printim", "keywords", "subject", "doccomm", "manager",
        "category", "hlinkbase", "comment", "userprops", "template", "mailmerge", "protusertbl", "upr",
    ]
)  # fmt: skip
# Groups that are read although they are marked as ignorable, and those that are kept for what they say.
_KEPT = frozenset(["fonttbl", "stylesheet", "title", "fldinst", "footnote", "annotation"])
_READ = frozenset(["shppict", "ud", "shptxt", "shpinst", "shp", "result", "docvar"])
_DEEPEST = 5_000
"""Groups inside groups. Judgement: more is an attack."""
_MOST_TOKENS = 1_000_000
"""Words of control and texts that are read. Judgement."""


class _Group(msgspec.Struct):
    """What holds until a brace closes."""

    bold: bool = False
    italic: bool = False
    hidden: bool = False
    href: str = ""
    fallback: int = 1
    font: int = 0
    kind: str = ""
    """"" for the document's text, else the destination that takes the text."""


class _Paragraph(msgspec.Struct):
    """What holds until the next pard."""

    style: int = -1
    level: int = 0
    item: int = -1
    listed: bool = False
    table: bool = False


def read_rtf(content: bytes, page: HtmlBuilder) -> None:
    """Write an RTF document to the page."""
    if not content.lstrip().startswith(b"{\\rtf"):
        raise Unreadable("it does not begin as RTF does")
    reader = _Reader(page)
    reader.read(content)
    reader.finish()


class _Reader:
    def __init__(self, page: HtmlBuilder) -> None:
        self._page = page
        self._groups = [_Group()]
        self._paragraph = _Paragraph()
        self._runs: list[TextRun] = []
        self._outer: list[list[TextRun]] = []
        self._cell: list[str] = []
        self._row: list[str] = []
        self._in_table = self._table_open = False
        self._notes: list[str] = []
        self._codec = "cp1252"
        self._fonts: dict[int, str] = {}
        self._levels: dict[int, int] = {}
        self._gathered = ""
        self._bytes = b""
        self._skip = 0
        self._ignorable = False

    def read(self, content: bytes) -> None:
        at = 0
        for _ in range(_MOST_TOKENS):
            found = _TOKEN.match(content, at)
            if found is None:
                return
            at = found.end()
            if found["text"] is not None:
                self._literal(found["text"])
            elif found["hex"] is not None:
                self._literal(bytes((int(found["hex"], 16),)))
            elif found["brace"]:
                self._brace(found["brace"])
            elif found["word"]:
                word = found["word"].decode()
                number = None if found["number"] is None else int(found["number"])
                at += max(number or 0, 0) if word == "bin" else 0
                self._word(word, number)
            elif found["sign"]:
                self._sign(found["sign"].decode("latin-1"))
        self._page.lose(TOO_MUCH)

    def finish(self) -> None:
        """The end of the document is the end of whatever is open."""
        while len(self._groups) > 1:
            self._brace(b"}")
        self._end_paragraph()
        self._end_cell()
        self._end_row()
        self._end_table()
        for note in self._notes:
            self._page.block("aside", note)

    def _literal(self, text: bytes) -> None:
        """Bytes of text; those that only repeat a character for old readers are passed over."""
        passed = min(self._skip, len(text))
        self._skip -= passed
        self._bytes += text[passed:]

    def _flush(self) -> None:
        """Decode the bytes that wait: the font says how."""
        if self._bytes:
            waiting, self._bytes = self._bytes, b""
            self._text(waiting.decode(self._fonts.get(self._groups[-1].font, self._codec), "replace"))

    def _text(self, text: str) -> None:
        group = self._groups[-1]
        if group.kind in ("", "footnote"):
            if not group.hidden:
                self._runs.append(TextRun(text, group.bold, group.italic, group.href))
        elif group.kind != "silent":
            self._gathered += text

    def _brace(self, brace: bytes) -> None:
        self._flush()
        self._skip, self._ignorable = 0, False
        if brace == b"{":
            if len(self._groups) >= _DEEPEST:
                raise Unreadable(f"its groups are nested deeper than {_DEEPEST}")
            self._groups.append(msgspec.structs.replace(self._groups[-1]))
        elif len(self._groups) > 1:
            closed = self._groups.pop()
            if closed.kind not in ("", "silent") and self._groups[-1].kind != closed.kind:
                self._end_destination(closed.kind)
            elif closed.kind == "stylesheet":
                self._style()

    def _end_destination(self, kind: str) -> None:
        gathered, self._gathered = self._gathered, ""
        if kind in ("footnote", "annotation") and self._outer:
            note = inline(_paired(self._runs))
            self._notes += [note] if note else []
            self._runs = self._outer.pop()
        elif kind == "title" and not self._page.title:
            self._page.title = gathered
        elif kind == "fldinst" and (found := _LINK.match(gathered)):
            self._groups[-1].href = found[1]

    def _style(self) -> None:
        """The end of one style: its name tells headings."""
        gathered, self._gathered = self._gathered, ""
        named = _HEADING.search(gathered)
        if named:
            self._levels[self._paragraph.style] = int(named[1])
        elif gathered.strip(" ;").lower() == "title":
            self._levels[self._paragraph.style] = 1
        self._paragraph.style = -1

    def _sign(self, sign: str) -> None:
        self._flush()
        if sign == "*":
            self._ignorable = True
        elif sign in "\r\n":
            self._end_paragraph()
        elif sign in _SIGNS:
            if self._skip:
                self._skip -= 1
            else:
                self._text(_SIGNS[sign])

    def _word(self, word: str, number: int | None) -> None:
        if word == "u" and number is not None:
            self._unicode(number)
            return
        self._flush()
        if word in _SILENT or (self._ignorable and word not in _KEPT and word not in _READ):
            self._groups[-1].kind = "silent"
        elif word in _KEPT and self._groups[-1].kind != "silent":
            self._open_destination(word)
        elif word in _WORDS:
            self._text(_WORDS[word])
        else:
            self._property(word, number)
        self._ignorable = False

    def _open_destination(self, word: str) -> None:
        self._groups[-1].kind = "footnote" if word == "annotation" else word
        if self._groups[-1].kind == "footnote":
            self._outer.append(self._runs)
            self._runs = []

    def _unicode(self, number: int) -> None:
        self._flush()
        if self._skip:
            self._skip -= 1
            return
        self._text(chr(number % 0x10000))
        self._skip = self._groups[-1].fallback

    def _property(self, word: str, number: int | None) -> None:
        group = self._groups[-1]
        on = number != 0
        if word in ("b", "i", "v"):
            setattr(group, {"b": "bold", "i": "italic", "v": "hidden"}[word], on)
        elif word == "plain":
            group.bold = group.italic = group.hidden = False
        elif word == "uc":
            group.fallback = max(number or 0, 0)
        elif word == "f":
            group.font = number or 0
        elif word == "fcharset":
            self._fonts[group.font] = _CHARSETS.get(number or 0, self._codec)
        elif word in ("ansicpg", "mac", "pc", "pca"):
            self._codec = _codec({"mac": "mac_roman", "pc": "cp437", "pca": "cp850"}.get(word, f"cp{number}"), self._codec)
        else:
            self._layout(word, number)

    def _layout(self, word: str, number: int | None) -> None:
        paragraph = self._paragraph
        if word == "pard":
            self._paragraph = _Paragraph()
        elif word == "s":
            paragraph.style = number or 0
        elif word == "outlinelevel":
            paragraph.level = (number or 0) + 1 if (number or 0) < 9 else 0
        elif word in ("ls", "pnlvl", "pnlvlblt", "pnlvlbody"):
            paragraph.listed = number != 0
        elif word == "ilvl":
            paragraph.item = number or 0
        elif word == "intbl":
            paragraph.table = True
        elif word in ("par", "sect", "page"):
            self._end_paragraph()
        elif word == "cell":
            self._paragraph.table = True
            self._end_paragraph()
            self._end_cell()
        elif word == "row":
            self._end_row()

    def _end_paragraph(self) -> None:
        self._flush()
        if self._groups[-1].kind == "footnote":
            self._runs.append(TextRun("\n"))
        if self._groups[-1].kind:
            return
        paragraph, runs = self._paragraph, _paired(self._runs)
        self._runs = []
        level = paragraph.level or self._levels.get(paragraph.style, 0)
        html = inline(run._replace(bold=False) for run in runs) if level else inline(runs)
        if paragraph.table:
            self._in_table = True
            self._cell += [html] if html else []
            return
        if html:
            self._end_table()
        if level:
            self._page.heading(level, html)
        elif paragraph.listed:
            self._page.item(max(paragraph.item, 0), False, html)
        else:
            self._page.block("p", html)

    def _end_cell(self) -> None:
        if self._in_table:
            self._row.append("<br>".join(self._cell))
            self._cell = []

    def _end_row(self) -> None:
        if any(self._row):
            self._page.write("" if self._table_open else "<table>")
            self._table_open = True
            self._page.write("<tr>" + "".join(f"<td>{cell}</td>" for cell in self._row) + "</tr>")
        self._row = []

    def _end_table(self) -> None:
        if self._table_open:
            self._page.write("</table>")
        self._table_open = self._in_table = False


def _codec(name: str, otherwise: str) -> str:
    try:
        return codecs.lookup(name).name
    except LookupError:
        return otherwise


def _paired(runs: list[TextRun]) -> list[TextRun]:
    """Runs in which two halves of a character beyond the first plane, written one by one, are joined."""
    joined: list[TextRun] = []
    for run in runs:
        if joined and "\ud800" <= joined[-1].text[-1:] <= "\udbff" and "\udc00" <= run.text[:1] <= "\udfff":
            both = (joined[-1].text + run.text).encode("utf-16", "surrogatepass").decode("utf-16", "replace")
            joined[-1] = joined[-1]._replace(text=both)
        else:
            joined.append(run)
    return joined
