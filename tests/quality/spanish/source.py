"""The source of a page: a plain text in which every block says what it is, so that markup and gold come from one place.

`README.md` beside this file describes the notation and what counts as main content.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

# One sign at the head of a block; a block without one is a paragraph.
_SIGNS = {
    "#": "heading",
    "^": "standfirst",
    "?": "question",
    ">": "quote",
    "-": "list",
    "+": "steps",
    "|": "table",
    "$": "code",
    "!": "caption",
    "~": "promotion",
}
_ASIDE = frozenset({"caption", "promotion"})
_MANY = frozenset({"list", "steps", "table", "code"})
# Families whose units are the items of a list: how many fields of the unit's head are read as content.
HEAD_IS_CONTENT = {"portal": 1, "agenda": 4}
_LINK = re.compile(r"\[([^\]]+)\]")
_NOTE = re.compile(r"\{(\d+)\}")


@dataclass(frozen=True)
class Block:
    """One paragraph, heading, list...; lists, tables and code have many lines."""

    kind: str
    lines: tuple[str, ...]

    @property
    def main(self) -> bool:
        """Whether it is content where it stands among content."""
        return self.kind not in _ASIDE

    @property
    def rows(self) -> list[list[str]]:
        """The cells of a table."""
        return [[cell.strip() for cell in line.strip(" |").split("|")] for line in self.lines]

    @property
    def text(self) -> str:
        """What a reader sees."""
        if self.kind == "table":
            return "\n".join(plain(" ".join(row)) for row in self.rows)
        return "\n".join(line if self.kind == "code" else plain(line) for line in self.lines)


@dataclass
class Unit:
    """Blocks under one head: a post with its author and date, an item of a list. The text before any head has none."""

    head: tuple[str, ...] = ()
    blocks: list[Block] = field(default_factory=list)


@dataclass
class Source:
    """A page as its author wrote it: `units` are content, `apart` are comments, reviews, references... by name."""

    family: str
    name: str
    fields: dict[str, str]
    units: list[Unit] = field(default_factory=list)
    apart: dict[str, list[Unit]] = field(default_factory=dict)

    @property
    def gold(self) -> str:
        """The main content, a line a block."""
        return "\n".join(self._content())

    def _content(self) -> Iterator[str]:
        for unit in self.units:
            yield from (plain(each) for each in unit.head[: HEAD_IS_CONTENT.get(self.family, 0)] if each)
            yield from (block.text for block in unit.blocks if block.main)


def plain(text: str) -> str:
    """A line without the marks of emphasis, links and notes."""
    return _NOTE.sub("", _LINK.sub(r"\1", text.replace("**", "").replace("`", ""))).strip()


def parse(path: Path) -> Source:
    """The page in a file: fields, an empty line, blocks with an empty line between them."""
    head, _, body = path.read_text("utf-8").partition("\n\n")
    fields = dict(line.split(": ", 1) for line in head.splitlines())
    source = Source(path.parent.name, path.stem, fields, [Unit()])
    target = source.units
    for chunk in re.split(r"\n{2,}", body.strip()):
        if chunk.startswith("% "):
            target = source.apart.setdefault(chunk[2:], [Unit()])
            continue
        lines = chunk.splitlines()
        if chunk.startswith("@ "):
            target.append(Unit(tuple(part.strip() for part in lines.pop(0)[2:].split("|"))))
        target[-1].blocks.extend(_blocks(lines))
    return source


def _blocks(lines: list[str]) -> Iterator[Block]:
    """The blocks of neighbouring lines: a heading may stand right above its text."""
    if lines and lines[0].startswith("# "):
        yield Block("heading", (lines.pop(0)[2:],))
    if not lines:
        return
    sign, kind = lines[0][0], _SIGNS.get(lines[0][0], "") if lines[0][1:2] in ("", " ") else ""
    if not kind:
        yield Block("paragraph", (" ".join(lines),))
    elif all(line[:2].rstrip() == sign for line in lines):
        stripped = tuple(line[2:] for line in lines)
        yield Block(kind, stripped if kind in _MANY else (" ".join(stripped),))
    else:
        raise ValueError(f"a line of a block marked {sign!r} lacks the mark: {lines}; mark it or leave an empty line before it")
