"""Zones of a letter: who wrote to whom and when, what its writer wrote, what is quoted of others, and the signature.

Names and dates of the header are fields of the letter; as text, the words of a mailbox would begin with From, To and Oct.

In a discussion of ten letters the first is in all of them: counted ten times it would be the most frequent text of the mailbox.
Quoted text is what mail programs mark: lines that begin with `>`, what follows "-----Original Message-----" or a line that says
who wrote when, and in HTML what they put into a quotation. A signature stands behind a line of two hyphens and a blank.
"""

from __future__ import annotations

import re
from html import escape

from trasmallo.clean.flat import FlatPage
from trasmallo.clean.formats.html_builder import HtmlBuilder
from trasmallo.clean.layout import Layout

QUOTED, SIGNATURE, HEADER = "trasmallo-quoted", "trasmallo-signature", "trasmallo-header"
"""Classes of elements that hold what is no new text: of others, of every letter, and what is told of the letter."""

_SIGNATURE = re.compile(r"^-- ?$")
_QUOTED_LINE = re.compile(r"^[ \t]*(?:[A-Za-z]{0,4}>|\|[ \t])")
_ORIGINAL = re.compile(
    r"^[ \t]*(?:-{2,}|_{5,})[ \t]*(?:original message|mensaje original|mensaje reenviado|forwarded message|message d'origine"
    r"|ursprüngliche nachricht|messaggio originale|mensagem original)?[ \t]*-*[ \t]*$",
    re.IGNORECASE,
)
_HEADER = re.compile(r"^[ \t]*\*?(?:from|de|von|da|expéditeur)[ \t]*:\*?[ \t]+\S", re.IGNORECASE)
_WROTE = re.compile(
    r"^[ \t]*(?:on|el|le|am|il|em|op)\b.{6,200}"
    r"(?:wrote|escribió|escribio|écrit|schrieb|ha scritto|escreveu|schreef)[ \t]?:?[ \t]*$",
    re.IGNORECASE,
)
_PARAGRAPHS = re.compile(r"\n[^\S\n]*\n\s*")
_MARKS = re.compile(
    r"gmail_quote|gmail_signature|moz-cite-prefix|moz-signature|yahoo_quoted|" + f"{QUOTED}|{SIGNATURE}|{HEADER}"
)
_IDS = re.compile(r"divRplyFwdMsg|appendonsend|reply-intro|mail-editor-reference-message-container", re.IGNORECASE)


def write_letter(text: str, page: HtmlBuilder) -> None:
    """Write the body of a letter in plain text, each zone in an element of its own."""
    for zone, lines in zones(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        body = [f"<p>{escape(part.rstrip(), quote=False)}</p>" for part in _PARAGRAPHS.split("\n".join(lines)) if part.strip()]
        if body:
            page.write("".join(body) if not zone else f'<div class="{zone}">{"".join(body)}</div>')


def zones(lines: list[str]) -> list[tuple[str, list[str]]]:
    """Lines of a letter, parted: "" is new text, QUOTED and SIGNATURE are what they say."""
    found: list[tuple[str, list[str]]] = []
    rest = ""
    for index, line in enumerate(lines):
        zone = rest or _zone(lines, index)
        if not rest and (zone == SIGNATURE or (zone == QUOTED and not _QUOTED_LINE.match(line) and not _WROTE.match(line))):
            rest = zone  # what follows the mark belongs to it, to the end
        if found and (found[-1][0] == zone or (not line.strip() and found[-1][0] == QUOTED)):
            found[-1][1].append(line)
        else:
            found.append((zone, [line]))
    return found


def _zone(lines: list[str], index: int) -> str:
    line = lines[index]
    if _SIGNATURE.match(line):
        return SIGNATURE
    if _QUOTED_LINE.match(line):
        return QUOTED
    following = next((each for each in lines[index + 1 : index + 4] if each.strip()), "")
    if _WROTE.match(line) and _QUOTED_LINE.match(following):
        return QUOTED
    if _ORIGINAL.match(line) and (line.strip("-_ \t") or _HEADER.match(following)):
        return QUOTED
    return ""


def keep_new_text(page: FlatPage, layout: Layout, *, favour: float = 0.5) -> list[bool]:  # noqa: ARG001 - as every method
    """Every block is main but for those in zones of no new text; all of them in a document that has no other."""
    ends: list[tuple[int, int]] = []
    for index, tag in enumerate(page.tag):
        if tag in ("blockquote", "div", "span", "p") and (not ends or index >= ends[-1][1]) and _is_quoted(page, index, tag):
            ends.append((index, page.end[index]))
    if not ends:
        return [True] * len(layout)
    kept = [not any(first <= node < last for first, last in ends) for node in layout.node]
    return kept if any(kept) else [True] * len(layout)


def _is_quoted(page: FlatPage, index: int, tag: str) -> bool:
    told = page.attributes(index)
    if tag == "blockquote" and told.get("type", "").lower() == "cite":
        return True
    return bool(_MARKS.search(told.get("class", "")) or _IDS.search(told.get("id", "")))
