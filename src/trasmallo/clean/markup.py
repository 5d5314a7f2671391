"""The main content of a page as safe HTML and as Markdown: structure, emphasis and links are kept, everything else goes."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from itertools import groupby
from typing import NamedTuple

from trasmallo.clean.dom import TEXT, FlatPage, Layout, tag_class

_SPACE = re.compile(r"\s+")
_SPECIAL = re.compile(r"([\\`*_\[\]<])")
_LINE_START = re.compile(r"^(\s*)(#{1,6} |[-+>] |\d+[.)] )")
_EMPHASIS = {"b": "**", "strong": "**", "em": "*", "i": "*"}

Resolve = Callable[[str], str | None]


class Piece(NamedTuple):
    """A text node of the content: its block, the structural elements around it, the inline ones, and its characters.

    `text` is one line end where the page breaks a line.
    """

    block: int
    structure: list[int]
    inline: list[int]
    text: str


def pieces(page: FlatPage, layout: Layout, main: list[bool]) -> Iterator[Piece]:
    """Every text node of the main blocks, in order."""
    silent = tag_class("silent")
    for number, chosen in enumerate(main):
        index = layout.first[number]
        while chosen and index <= layout.last[number]:
            tag = page.tag[index]
            if tag in silent or index in layout.hidden:
                index = page.end[index]
                continue
            if tag in (TEXT, "br"):
                above = _above(page, index)
                structure = [i for i in above if page.tag[i] in tag_class("structure")]
                inline = [i for i in above if page.tag[i] in tag_class("phrase")]
                yield Piece(number, structure, inline, page.text[index] if tag == TEXT else "\n")
            index += 1


def _above(page: FlatPage, index: int) -> list[int]:
    found = []
    while (index := page.parent[index]) >= 0:
        found.append(index)
    return found[::-1]


def to_html(page: FlatPage, layout: Layout, main: list[bool], resolve: Resolve) -> str:
    """The main content with nothing in it that runs, loads or styles; `resolve` makes links absolute (None drops one)."""
    out: list[str] = []
    opened: list[tuple[int, str]] = []
    for piece in pieces(page, layout, main):
        tags = [page.tag[index] for index in piece.structure]
        wanted = [*zip(piece.structure, tags, strict=True)]
        if not tags or tags[-1] not in tag_class("holder"):
            # A negative key, since the paragraph stands for a block and not for an element.
            wanted.append((-1 - piece.block, "p"))
        wanted += [(index, page.tag[index]) for index in piece.inline]
        same = _common(opened, wanted)
        out.extend(f"</{tag}>" for _, tag in reversed(opened[same:]))
        out.extend(_start(page, index, tag, resolve) for index, tag in wanted[same:])
        opened = wanted
        preformatted = "pre" in tags
        out.append("<br>" if piece.text == "\n" and not preformatted else _characters(piece.text, preformatted))
    out.extend(f"</{tag}>" for _, tag in reversed(opened))
    return "".join(out)


def _common(one: list[tuple[int, str]], other: list[tuple[int, str]]) -> int:
    return next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _start(page: FlatPage, index: int, tag: str, resolve: Resolve) -> str:
    target = resolve(page.attributes(index).get("href", "")) if tag == "a" else None
    return f'<a href="{escape(target)}">' if target else f"<{tag}>"


def _characters(text: str, preformatted: bool) -> str:
    return escape(text if preformatted else _SPACE.sub(" ", text), quote=False)


def to_markdown(page: FlatPage, layout: Layout, main: list[bool], resolve: Resolve) -> str:
    """The main content as CommonMark, with tables as pipes."""
    blocks = [list(group) for _, group in groupby(pieces(page, layout, main), key=lambda piece: piece.block)]
    out: list[str] = []
    last = -1
    for row, group in groupby(blocks, key=lambda block: _nearest(page, block[0], ("tr",))):
        for text, owner in _row(page, list(group), resolve) if row >= 0 else _loose(page, group, resolve):
            out.append("\n" if owner == last >= 0 else "\n\n")
            ruled = row >= 0 and owner != last
            out.append(text + "\n|" + " --- |" * (text.count(" | ") + 1) if ruled else text)
            last = owner
    return "".join(out).strip("\n") + "\n" if out else ""


def _nearest(page: FlatPage, piece: Piece, tags: tuple[str, ...]) -> int:
    return next((index for index in reversed(piece.structure) if page.tag[index] in tags), -1)


def _row(page: FlatPage, blocks: list[list[Piece]], resolve: Resolve) -> list[tuple[str, int]]:
    """A table's row as one line, and the table, whose rows stand close together."""
    cells: dict[int, list[str]] = {}
    for block in blocks:
        cells.setdefault(_nearest(page, block[0], ("td", "th")), []).append(_phrase(page, block, resolve))
    texts = (" ".join(cell).replace("|", "\\|").replace("\n", " ") for cell in cells.values())
    return [(f"| {' | '.join(texts)} |", _nearest(page, blocks[0][0], ("table",)))]


def _loose(page: FlatPage, blocks: Iterator[list[Piece]], resolve: Resolve) -> Iterator[tuple[str, int]]:
    """Blocks outside tables, each with the marks of what it stands in, and its outermost list (-1 outside lists)."""
    item = -1
    for block in blocks:
        piece = block[0]
        tags = [page.tag[index] for index in piece.structure]
        text = _phrase(page, block, resolve)
        if "pre" in tags:
            code = "".join(part.text for part in block).strip("\n")
            text = f"```\n{code}\n```"
        elif tags and tags[-1] in tag_class("heading"):
            text = "#" * int(tags[-1][1]) + f" {text}"
        here = _nearest(page, piece, ("li",))
        if here >= 0:
            depth = sum(tag in ("ul", "ol") for tag in tags) - 1
            mark = "1. " if _nearest(page, piece, ("ul", "ol")) == _nearest(page, piece, ("ol",)) >= 0 else "- "
            text = (
                "  " * max(depth, 0)
                + (mark if here != item else " " * len(mark))
                + text.replace("\n", "\n" + "  " * (depth + 1))
            )
        item = here
        quotes = "> " * tags.count("blockquote")
        owner = next((index for index in piece.structure if page.tag[index] in ("ul", "ol")), -1)
        yield quotes + text.replace("\n", "\n" + quotes), owner


def _phrase(page: FlatPage, block: list[Piece], resolve: Resolve) -> str:
    """The text of a block with its emphasis and links."""
    out: list[str] = []
    for inline, group in groupby(block, key=lambda piece: piece.inline):
        text = "".join("\n" if piece.text == "\n" else _SPACE.sub(" ", piece.text) for piece in group)
        out.append(_dressed(page, inline, text, resolve))
    lines = " ".join("".join(out).split(" ")).split("\n")
    return "  \n".join(_LINE_START.sub(r"\1\\\2", " ".join(line.split())) for line in lines if line.strip())


def _dressed(page: FlatPage, inline: list[int], text: str, resolve: Resolve) -> str:
    core = text.strip()
    if not core:
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    tags = [page.tag[index] for index in inline]
    code = not {"code", "kbd", "samp", "tt"}.isdisjoint(tags)
    shown = f"`{core}`" if code and "`" not in core else _SPECIAL.sub(r"\\\1", core)
    for mark in sorted({_EMPHASIS[tag] for tag in tags if tag in _EMPHASIS}):
        shown = f"{mark}{shown}{mark}"
    links = [resolve(page.attributes(index).get("href", "")) for index in inline if page.tag[index] == "a"]
    if links and links[-1]:
        shown = f"[{shown}](<{links[-1]}>)" if re.search(r"[\s()<>]", links[-1]) else f"[{shown}]({links[-1]})"
    return f"{before}{shown}{after}"
