"""The light markup in which the demo site's texts are written, and its way into each host's own HTML.

Blocks are parted by blank lines: `## heading`, `- item`, `> quotation`, `| cell | cell |`, `![text](address)`, `{{prefix}}`
(the list of the host's articles under that path, `{{prefix 5}}` only the five newest); everything else is a paragraph.
Within a line: `*emphasis*`, `**strong**`, `[anchor](address)` and `[anchor](address "rel")`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape

_LINK = re.compile(r'(!?)\[([^\]]*)\]\(([^)\s]+)(?: "(\w+)")?\)')
_STRONG = re.compile(r"\*\*(.+?)\*\*")
_EMPHASIS = re.compile(r"\*(.+?)\*")
_MARKS = {"## ": "heading", "- ": "item", "> ": "quotation", "| ": "row", "{{": "listing"}


@dataclass(frozen=True, slots=True)
class DemoBlock:
    """A block of a text: its kind, and its lines without their marks."""

    kind: str
    lines: tuple[str, ...]

    @property
    def text(self) -> str:
        """The lines as one."""
        return " ".join(self.lines)


@dataclass(frozen=True, slots=True)
class Shape:
    """How a host writes its HTML: a format string for each kind of block, what addresses become, what a listing holds."""

    tags: Mapping[str, str]
    resolve: Callable[[str], str]
    listing: Callable[[str], str]


def parse(text: str) -> tuple[DemoBlock, ...]:
    """The blocks of a text, in order."""
    return tuple(_block(chunk.splitlines()) for chunk in re.split(r"\n\s*\n", text.strip()) if chunk)


def plain(line: str) -> str:
    """A line without its marks."""
    return _EMPHASIS.sub(r"\1", _STRONG.sub(r"\1", _LINK.sub(r"\2", line)))


def render(text: str, shape: Shape) -> str:
    """The HTML of a text in a host's shape, a line a block."""
    return "\n".join(_render_block(block, shape) for block in parse(text))


def _block(lines: list[str]) -> DemoBlock:
    kind = _MARKS.get(lines[0][:2], _MARKS.get(lines[0][:3], "paragraph"))
    if kind == "paragraph":
        return DemoBlock(kind, tuple(lines))
    if kind == "listing":
        return DemoBlock(kind, (lines[0].strip("{}"),))
    return DemoBlock(kind, tuple(line.lstrip("#->|").strip(" |") for line in lines))


def _render_block(block: DemoBlock, shape: Shape) -> str:
    if block.kind == "listing":
        return shape.listing(block.text)
    if block.kind in ("item", "row"):
        inner = "\n".join(_render_line(block.kind, line, shape) for line in block.lines)
        return shape.tags["list" if block.kind == "item" else "table"].format(inner)
    return shape.tags[block.kind].format(_render_inline(block.text, shape))


def _render_line(kind: str, line: str, shape: Shape) -> str:
    if kind == "item":
        return shape.tags["item"].format(_render_inline(line, shape))
    cells = (shape.tags["cell"].format(_render_inline(cell.strip(), shape)) for cell in line.split("|"))
    return shape.tags["row"].format("".join(cells))


def _render_inline(text: str, shape: Shape) -> str:
    text = _LINK.sub(lambda match: _render_link(match, shape), escape(text, quote=False))
    return _EMPHASIS.sub(
        lambda m: shape.tags["emphasis"].format(m[1]), _STRONG.sub(lambda m: shape.tags["strong"].format(m[1]), text)
    )


def _render_link(match: re.Match[str], shape: Shape) -> str:
    image, anchor, address, rel = match.groups()
    address = shape.resolve(address).replace('"', "%22")
    kind = "image" if image else "related link" if rel else "link"
    return shape.tags[kind].format(address, anchor, rel)
