"""The main content of a page as CommonMark: headings, lists, quotes, code, tables (as pipes), definitions (as pandoc).

A block stands in containers (quotes, list items, definitions). Each puts a mark before the first line of its first block and
indents all other lines, so that lists, quotes and code nest in each other in any way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

from trasmallo.clean.flat import FlatPage, tag_class
from trasmallo.clean.layout import Layout
from trasmallo.clean.markup import Resolve, TextNode, cells_of, pieces, span_of

_SPACE = re.compile(r"\s+")
_SPECIAL = re.compile(r"([\\`*_\[\]<]|&(?=#?\w+;))")
_LINE_START = re.compile(r"^(#{1,6}(?= |$)|[-+>](?= |$)|~{3,}|[-=]+$)")
_NUMBER = re.compile(r"^(\d{1,9})([.)])(?= |$)")
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source|brush:)[-\s]?([\w+#-]{1,20})")
_EMPHASIS = {"b": "**", "strong": "**", "em": "*", "i": "*", "s": "~~", "del": "~~"}
# CommonMark has no marks for these; it takes the tags.
_TAGGED = frozenset(("sub", "sup"))
_CODE = frozenset(("code", "kbd", "samp", "tt"))
_CONTAINERS = frozenset(("blockquote", "li", "dd"))
_BLOCKS_IN_CELLS = tag_class("heading") | {"pre", "blockquote", "table", "ul", "ol", "dl"}
_MOST_COLUMNS = 200
"""Columns of a table. Judgement: a line must stay a line."""

Block = list[TextNode]


def to_markdown(page: FlatPage, layout: Layout, main: list[bool], resolve: Resolve) -> str:
    """The main content; `resolve` makes links absolute, None drops one."""
    return _Writer(page, resolve).write(layout, main)


class _Writer:
    """Writes block after block, and remembers the containers that are open."""

    def __init__(self, page: FlatPage, resolve: Resolve) -> None:
        self.page, self.resolve = page, resolve
        self.out: list[str] = []
        self.opened: list[int] = []
        self._numbers: dict[int, int] = {}
        self._tables: dict[int, bool] = {}

    def write(self, layout: Layout, main: list[bool]) -> str:
        blocks = [list(group) for _, group in groupby(pieces(self.page, layout, main), key=lambda piece: piece.block)]
        for table, group in groupby(blocks, key=self._table_of):
            if table >= 0:
                block = list(group)
                self._put(block[0][0], self._table(table, block))
                continue
            for each in group:
                self._put(each[0], self._leaf(each))
        return "".join(self.out).strip("\n") + "\n" if self.out else ""

    def _put(self, piece: TextNode, text: str) -> None:
        """Write a text with the marks of its containers; nothing parts the items of a list, an empty line all else."""
        containers = [index for index in piece.structure if self.page.tag[index] in _CONTAINERS]
        same = next((n for n, (a, b) in enumerate(zip(self.opened, containers, strict=False)) if a != b), None)
        same = min(len(self.opened), len(containers)) if same is None else same
        marks = [self._mark(index) for index in containers]
        later = [mark if mark == "> " else " " * len(mark) for mark in marks]
        if self.out:
            close = same < len(containers) and self._follows_closely(containers, same, marks[same])
            self.out.append("\n" + ("" if close else "".join(later[:same]).rstrip() + "\n"))
        first, rest = "".join(later[:same] + marks[same:]), "".join(later)
        start, *others = text.split("\n")
        self.out.append("\n".join([first + start, *((rest + line).rstrip() if not line else rest + line for line in others)]))
        self.opened = containers

    def _follows_closely(self, containers: list[int], same: int, mark: str) -> bool:
        """Whether a new container is the next item of its list, the first under the text of an item, or what a term means."""
        page, new = self.page, containers[same]
        if page.tag[new] == "dd":
            return True
        if page.tag[new] != "li":
            return False
        if same < len(self.opened):
            return page.parent[self.opened[same]] == page.parent[new]
        # A list may only begin right under a text when its first number is 1.
        return same > 0 and page.tag[containers[same - 1]] == "li" and mark in ("- ", "1. ")

    def _mark(self, index: int) -> str:
        tag = self.page.tag[index]
        if tag != "li":
            return "> " if tag == "blockquote" else ":   "
        owner = self.page.parent[index]
        return f"{self._number(index, owner)}. " if self.page.tag[owner] == "ol" else "- "

    def _number(self, item: int, owner: int) -> int:
        """The number of an item; the whole list is counted once."""
        if item not in self._numbers:
            start = self.page.attributes(owner).get("start", "")
            number = int(start) if re.fullmatch(r"\d{1,6}", start) else 1
            child = owner + 1
            while child < self.page.end[owner]:
                if self.page.tag[child] == "li":
                    self._numbers[child] = number
                    number += 1
                child = self.page.end[child]
        return self._numbers.get(item, 1)

    def _leaf(self, block: Block) -> str:
        """A block outside tables without the marks of its containers."""
        tags = [self.page.tag[index] for index in block[0].structure]
        if "pre" in tags:
            return self._code(block)
        text = _phrase(self.page, block, self.resolve)
        if tags and tags[-1] in tag_class("heading"):
            return "#" * int(tags[-1][1]) + " " + _SPACE.sub(" ", text.replace("\\\n", " "))
        return text

    def _code(self, block: Block) -> str:
        code = "".join(piece.text for piece in block).replace("\r", "").strip("\n")
        fence = "`" * max(3, 1 + max((len(run) for run in re.findall("`+", code)), default=0))
        around = [index for index in (*block[0].structure, *block[0].inline) if self.page.tag[index] in ("pre", "code")]
        names = (_LANGUAGE.search(self.page.attributes(index).get("class", "")[:300]) for index in reversed(around))
        language = next((name[1] for name in names if name), "")
        return f"{fence}{language}\n{code}\n{fence}"

    def _table_of(self, block: Block) -> int:
        """The table that a block is a cell of, -1 outside tables of data."""
        tables = [index for index in block[0].structure if self.page.tag[index] == "table"]
        inside = any(self.page.tag[index] in ("td", "th") for index in block[0].structure)
        return tables[-1] if inside and len(tables) == 1 and self._is_data(tables[0]) else -1

    def _is_data(self, table: int) -> bool:
        """Whether a table has data in it, and not the parts of a page."""
        if table not in self._tables:
            tags = self.page.tag[table + 1 : self.page.end[table]]
            self._tables[table] = _BLOCKS_IN_CELLS.isdisjoint(tags) and tags.count("td") + tags.count("th") > 1
        return self._tables[table]

    def _table(self, table: int, blocks: list[Block]) -> str:
        texts: dict[int, str] = {}
        for block in blocks:
            cell = next(index for index in reversed(block[0].structure) if self.page.tag[index] in ("td", "th"))
            text = _phrase(self.page, block, self.resolve).replace("\\\n", " ").replace("|", "\\|")
            texts[cell] = f"{texts[cell]} {text}" if cell in texts else text
        rows = [row for row in _grid(self.page, table, texts) if any(row)]
        width = max(map(len, rows))
        lines = [f"| {' | '.join((row + [''] * width)[:width])} |" for row in rows]
        return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def _grid(page: FlatPage, table: int, texts: dict[int, str]) -> Iterator[list[str]]:
    """The rows of a table with an empty text wherever a cell spans."""
    below: dict[int, int] = {}
    for row in (index for index in range(table, page.end[table]) if page.tag[index] == "tr"):
        line: list[str] = []
        for cell in cells_of(page, row):
            _skip_spanned(line, below)
            columns = range(len(line), min(len(line) + span_of(page, cell, "colspan"), _MOST_COLUMNS))
            line += [texts.get(cell, "") if column == columns[0] else "" for column in columns]
            below |= dict.fromkeys(columns, span_of(page, cell, "rowspan") - 1)
        _skip_spanned(line, below)
        yield line


def _skip_spanned(line: list[str], below: dict[int, int]) -> None:
    """Leave columns empty that a cell of a row above reaches down to."""
    while below.get(len(line), 0) > 0 and len(line) < _MOST_COLUMNS:
        below[len(line)] -= 1
        line.append("")


def _phrase(page: FlatPage, block: Block, resolve: Resolve) -> str:
    """The text of a block with its emphasis and links; a line that the page breaks ends with a backslash."""
    out: list[str] = []
    for inline, group in groupby(block, key=lambda piece: piece.inline):
        text = "".join("\n" if piece.text == "\n" else _SPACE.sub(" ", piece.text) for piece in group)
        out.append(_dressed(page, inline, text, resolve))
    lines = (" ".join(line.split()) for line in "".join(out).split("\n"))
    return "\\\n".join(_NUMBER.sub(r"\1\\\2", _LINE_START.sub(r"\\\1", line)) for line in lines if line)


def _dressed(page: FlatPage, inline: list[int], text: str, resolve: Resolve) -> str:
    core = text.strip()
    if not core:
        return text
    before, after = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :]
    tags = [page.tag[index] for index in inline]
    shown = _inline_code(core) if not _CODE.isdisjoint(tags) else _SPECIAL.sub(r"\\\1", core)
    for tag in sorted(_TAGGED.intersection(tags)):
        shown = f"<{tag}>{shown}</{tag}>"
    for mark in sorted({_EMPHASIS[tag] for tag in tags if tag in _EMPHASIS}):
        shown = f"{mark}{shown}{mark}"
    links = [resolve(page.attributes(index).get("href", "")) for index in inline if page.tag[index] == "a"]
    if links and links[-1]:
        shown = f"[{shown}](<{links[-1]}>)" if re.search(r"[\s()<>]", links[-1]) else f"[{shown}]({links[-1]})"
    return f"{before}{shown}{after}"


def _inline_code(text: str) -> str:
    """Code between more backticks than stand in it."""
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    room = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{ticks}{room}{text}{room}{ticks}"
