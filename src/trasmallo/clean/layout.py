"""The text a reader sees in a page, as blocks that know where they come from.

Inline tags vanish, breaking tags part blocks, `br` ends a line, two of them a block.
"""

from __future__ import annotations

import re
from functools import cache, cached_property
from itertools import accumulate

from trasmallo.clean.flat import TEXT, FlatPage, tag_class

# The parser leaves no NUL in a text.
_BREAK = "\0"
_INLINE, _LINK, _TEXT, _LINE, _SILENT, _BREAKING, _PREFORMATTED = range(7)
# Soft hyphens and byte-order marks stand inside words and are not seen.
_UNSEEN = re.compile("[\u00ad\ufeff]")
# Scripts that write a word in one or two characters, so that a character weighs more.
_DENSE = re.compile("[\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")


class Layout:
    """The text a reader sees, and where each of its blocks comes from.

    Parallel arrays, one entry a block: `text[start:end]`, `node` the element that holds it, `first` and `last` its first and
    last text node, `weight` its characters (one of a dense script counts for three), `linked` those inside links.
    `hidden` holds the elements that were passed over with all they contain.
    """

    def __init__(self, hidden: frozenset[int]) -> None:
        self.hidden = hidden
        self.node: list[int] = []
        self.first: list[int] = []
        self.last: list[int] = []
        self.weight: list[int] = []
        self.linked: list[int] = []
        self._pieces: list[list[str]] = []
        self._preformatted: set[int] = set()

    def __len__(self) -> int:
        return len(self.node)

    def block_text(self, number: int) -> str:
        """The text of one block; cheaper than the whole text when few blocks are wanted."""
        return self.texts[number] if "texts" in self.__dict__ else self._shown(number)

    def _shown(self, number: int) -> str:
        return _shown(self._pieces[number], number in self._preformatted)

    @cached_property
    def text(self) -> str:
        """The text of all blocks, each followed by a line end but the last."""
        return "\n".join(self.texts)

    @cached_property
    def start(self) -> list[int]:
        """Where each block begins in the text."""
        return [end - len(text) for end, text in zip(self.end, self.texts, strict=True)]

    @cached_property
    def end(self) -> list[int]:
        """Where each block ends in the text."""
        return [end - 1 for end in accumulate(len(text) + 1 for text in self.texts)]

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block; nobody may change it."""
        return list(map(self._shown, range(len(self))))


def _shown(parts: list[str], preformatted: bool) -> str:
    text = "".join(parts)
    if preformatted:
        return text.replace(_BREAK, "\n").replace("\r", "").strip("\n").rstrip()
    if _BREAK not in text:
        return " ".join(text.split())
    return "\n".join(line for line in (" ".join(line.split()) for line in text.split(_BREAK)) if line)


@cache
def _kinds() -> dict[str, int]:
    """How each tag shows; every tag that is not named breaks."""
    kinds = dict.fromkeys(tag_class("inline"), _INLINE) | dict.fromkeys(tag_class("silent") | tag_class("raw"), _SILENT)
    kinds |= dict.fromkeys(("pre", "listing", "xmp", "plaintext"), _PREFORMATTED)
    # When the flat form has what a noscript holds, it is to be seen.
    return kinds | {"a": _LINK, "br": _LINE, TEXT: _TEXT, "noscript": _INLINE}


def lay_out(page: FlatPage, *, show_hidden: bool = False) -> Layout:
    """The blocks of text of a page; with `show_hidden` also those that its markup hides."""
    composer = _Composer(page, frozenset() if show_hidden else page.hidden)
    composer.compose()
    return composer.layout


class _Composer:
    """Walks the flat form once and collects the pieces of each block."""

    def __init__(self, page: FlatPage, hidden: frozenset[int]) -> None:
        self.page = page
        self.layout = Layout(hidden)
        self.is_open = False
        # The white space before the first character of a preformatted block, -1 without any.
        self.indent = -1

    def compose(self) -> None:
        """Visit every node that shows; `outer` remembers what surrounds the element that ends at `until`."""
        page, hidden, kind_of, add = self.page, self.layout.hidden, _kinds().get, self._add
        tags, texts, ends = page.tag, page.text, page.end
        outer: list[tuple[int, int, bool, bool]] = []
        until, block, link, pre = len(tags), 0, False, False
        index, size = 0, len(tags)
        while index < size:
            while index >= until:
                until, above, link, pre = outer.pop()
                self.is_open = self.is_open and above == block
                block = above
            kind = kind_of(tags[index], _BREAKING)
            if kind == _TEXT:
                add(index, texts[index], block, link, pre)
            elif kind == _SILENT or index in hidden:
                index = ends[index]
                continue
            elif kind >= _BREAKING:
                self.is_open, self.indent = False, -1
                if (end := ends[index]) > index + 1:
                    outer.append((until, block, link, pre))
                    until, block, pre = end, index, pre or kind == _PREFORMATTED
            elif kind == _LINE:
                self._break_line()
            elif kind == _LINK and not link and page.has_attribute(index, "href"):
                outer.append((until, block, link, pre))
                until, link = ends[index], True
            index += 1

    def _break_line(self) -> None:
        """End a line of the open block; the second of two breaks ends the block."""
        if self.is_open:
            parts = self.layout._pieces[-1]
            while parts[-1].isspace():
                parts.pop()
            self.is_open = parts[-1] != _BREAK
            parts.append(_BREAK)

    def _add(self, index: int, text: str, block: int, link: bool, pre: bool) -> None:
        layout, weight = self.layout, len(text.strip())
        if not weight:
            if self.is_open:
                layout._pieces[-1].append(text)
            elif pre and text:
                self.indent = index
            return
        if not text.isascii():
            text = _UNSEEN.sub("", text)
            weight = len(text.strip())
            if not weight:
                return
            weight += 2 * len(_DENSE.findall(text))
        if self.is_open:
            layout._pieces[-1].append(text)
            layout.last[-1] = index
            layout.weight[-1] += weight
            layout.linked[-1] += weight if link else 0
            return
        self._begin(index, text, pre)
        layout.node.append(block)
        layout.last.append(index)
        layout.weight.append(weight)
        layout.linked.append(weight if link else 0)

    def _begin(self, index: int, text: str, pre: bool) -> None:
        """Open a block with its first text."""
        layout, indent = self.layout, self.indent
        if pre:
            layout._preformatted.add(len(layout))
        layout._pieces.append([text] if indent < 0 else [self.page.text[indent], text])
        layout.first.append(index if indent < 0 else indent)
        self.is_open, self.indent = True, -1
