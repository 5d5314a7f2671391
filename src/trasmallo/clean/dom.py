"""The flat form of a page, and the text a reader would see in it.

A page becomes arrays in document order: `parent`, `tag`, `text` and, on demand, attributes. The tree is the browser's
(lexbor, with scripting as in a browser), so that the same algorithms can run on a live page. White space is what `str.split`
takes for it.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from functools import cache, cached_property
from importlib import resources
from itertools import accumulate
from typing import Any

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser

from trasmallo.model import Field
from trasmallo.tagsoup import close_crowded_tags

MAX_CHARACTERS = 20_000_000
MAX_NODES = 400_000
# Blink stops at 512 levels of elements; the parser's time grows with the square of open elements.
MAX_DEPTH = 512
TEXT = "#text"

# Below so many tags the square does not matter, and no page is looked through for its depth.
_SHALLOW = 10_000
# A page that shows less than this is also looked at as a reader without scripts and style sheets would see it.
_SCANTY = 400
_PARAGRAPH = 80
_MUCH = 1_000
_MAX_FIELDS = 500
_MAX_PATH = 1_000
_MAX_FIELD = 1_000
# lexbor's numbers for text nodes and, below this limit, for the tags it knows; names of the latter are kept once for all
# pages, which saves making and hashing them again for each node.
_TEXT_NUMBER = 2
_KNOWN_TAGS = 1_000
_NAMES: dict[int, str] = {}
# The parser leaves no NUL in a text.
_BREAK = "\0"
_INLINE, _LINK, _LINE, _SILENT, _BREAKING, _PREFORMATTED = range(6)
_HIDDEN = '[hidden], [popover], [style*="none" i], [style*="hidden" i], dialog:not([open])'
_STYLE_HIDES = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE | re.ASCII)
# Soft hyphens and byte-order marks stand inside words and are not seen.
_UNSEEN = re.compile("[\u00ad\ufeff]")
# Scripts that write a word in one or two characters, so that a character weighs more.
_DENSE = re.compile("[\u0e00-\u0e7f\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_TAGS = re.compile(
    r"<!--.*?(?:-->|\Z)|<(script|style|textarea|title|xmp|iframe|noembed|noframes|noscript)\b.*?(?:</\1|\Z)"
    r"|<(/?)([a-zA-Z][^\s/>]*)[^<>]*>?",
    re.IGNORECASE | re.DOTALL,
)


@cache
def tag_class(name: str) -> frozenset[str]:
    """A named set of tags from `tags.json`."""
    table: dict[str, list[str]] = json.loads(resources.files(__package__).joinpath("tags.json").read_text("utf-8"))
    return frozenset(table[name])


class FlatPage:
    """A page as arrays in document order; index 0 is `html`.

    `tag` is "#text" for a text node, whose characters are in `text` ("" for elements); `end[i]` is the index after the last
    descendant of i. Comments, what stands inside scripts, styles and templates, and white space that begins a line are not
    there. `hidden` holds the elements that a reader does not see, without their descendants. `truncated` says that the page was
    larger than the limits.
    """

    __slots__ = ("_nodes", "end", "hidden", "parent", "tag", "text", "truncated")

    def __init__(self) -> None:
        self.parent: list[int] = []
        self.tag: list[str] = []
        self.text: list[str] = []
        self.end: list[int] = []
        self.hidden: frozenset[int] = frozenset()
        self.truncated = False
        self._nodes: list[Any] = []

    def __len__(self) -> int:
        return len(self.tag)

    def attributes(self, index: int) -> dict[str, str]:
        """The attributes of an element; one without a value has ""."""
        node = self._nodes[index]
        found: dict[str, str | None] = {} if node is None else node.attributes
        if None in found.values():
            return {name: value or "" for name, value in found.items()}
        return found  # type: ignore[return-value]

    def inner_text(self, index: int) -> str:
        """All characters inside a node, white space collapsed."""
        return " ".join("".join(self.text[index : self.end[index]]).split())

    def raw_text(self, index: int) -> str:
        """What stands inside an element that is not read, such as a script."""
        node = self._nodes[index]
        return "" if node is None else str(node.text())

    def paths(self) -> list[str]:
        """The path of each node, such as `/html/body/div[2]/p[1]`; that of a text node is its parent's.

        A path longer than 1,000 characters is not continued; deep pages would need gigabytes for them.
        """
        paths: list[str] = []
        ordinals: dict[tuple[int, str], int] = {}
        for parent, tag in zip(self.parent, self.tag, strict=True):
            above = paths[parent] if parent >= 0 else ""
            if tag == TEXT or len(above) > _MAX_PATH:
                paths.append(above)
            elif tag in ("html", "head", "body"):
                paths.append(f"{above}/{tag}")
            else:
                ordinal = ordinals[parent, tag] = ordinals.get((parent, tag), 0) + 1
                paths.append(f"{above}/{tag}[{ordinal}]")
        return paths


def flatten(html: str, *, scripting: bool = True) -> FlatPage:
    """The flat form of any text taken as HTML; without `scripting` the content of `noscript` is part of the tree."""
    page = FlatPage()
    page.truncated = len(html) > MAX_CHARACTERS
    # Lone surrogates have no UTF-8; the parser would refuse the page.
    source = close_crowded_tags(prune_depth(html if not page.truncated else html[:MAX_CHARACTERS]).encode("utf-8", "replace"))
    parser = LexborHTMLParser(source, scripting=scripting, options=LexborDocumentOptions.WO_EVENTS)
    root = parser.root
    if root is not None:
        _walk(page, root, _hidden(parser), frozenset(tag_class("raw") - (set() if scripting else {"noscript"})))
    return page


def _hidden(parser: Any) -> set[int]:
    """Which nodes a browser without style sheets does not show."""
    found = set()
    for node in parser.css(_HIDDEN):
        attributes = node.attributes
        if (
            "hidden" in attributes
            or "popover" in attributes
            or node.tag == "dialog"
            or _STYLE_HIDES.search(attributes.get("style") or "")
        ):
            found.add(node.mem_id)
    return found


def _walk(page: FlatPage, root: Any, hidden: set[int], raw: frozenset[str]) -> None:
    """Fill the arrays in one pass; iterative, since a page may be nested deeper than Python's stack."""
    parents, tags, texts, ends, nodes = page.parent, page.tag, page.text, page.end, page._nodes
    unseen: list[int] = []
    open_nodes: list[tuple[Any, int]] = []
    flowing, names = _flowing(), _NAMES
    # Whether white space would be the first of its line; it is half of all text nodes, and nobody sees it.
    at_break = True
    node, parent = root, -1
    while True:
        while node is not None and len(tags) < MAX_NODES:
            number = node.tag_id
            if number == _TEXT_NUMBER:
                text = node.text_content or ""
                if not at_break or not text.isspace():
                    at_break = False
                    parents.append(parent)
                    tags.append(TEXT)
                    texts.append(text)
                    nodes.append(None)
                    ends.append(len(tags))
            elif tag := names[number] if number in names else _name(node, number):
                index = len(tags)
                parents.append(parent)
                tags.append(tag)
                texts.append("")
                nodes.append(node)
                ends.append(index + 1)
                if hidden and node.mem_id in hidden:
                    unseen.append(index)
                if tag not in flowing:
                    at_break = tag != "pre"
                child = None if tag in raw else node.first_child
                if child is not None:
                    open_nodes.append((node, parent))
                    node, parent = child, index
                    continue
            node = node.next if open_nodes else None
        if not open_nodes:
            break
        ends[parent] = len(tags)
        at_break = at_break or tags[parent] not in flowing
        node, parent = open_nodes.pop()
        node = node.next if open_nodes else None
    page.hidden = frozenset(unseen)
    page.truncated = page.truncated or len(tags) >= MAX_NODES


def _name(node: Any, number: int) -> str:
    """The tag of an element, "" for other nodes; known tags have small numbers and are remembered."""
    tag = node.tag
    name = "" if tag is None or tag[0] in "-!_" else tag
    if number < _KNOWN_TAGS:
        _NAMES[number] = name
    return name


@cache
def _flowing() -> frozenset[str]:
    """The tags that do not break a line; scripts and the like break none either."""
    return tag_class("inline") | tag_class("raw") | {"a"}


def prune_depth(html: str) -> str:
    """The same markup without the tags that would nest deeper than `MAX_DEPTH`; their text stays."""
    if len(html) < 3 * _SHALLOW or html.count("<") < _SHALLOW:
        return html
    kept: list[str] = []
    depth = done = 0
    flat = tag_class("implied") | tag_class("void")
    drawing = tag_class("drawing")
    for match in _TAGS.finditer(html):
        name = match[3]
        if name is None or (name := name.lower()) in flat or (name in drawing and match[0].endswith("/>")):
            continue
        closing = bool(match[2])
        depth -= closing and depth > 0
        if depth >= MAX_DEPTH:
            kept.append(html[done : match.start()])
            done = match.end()
        depth += not closing
    return "".join(kept) + html[done:] if kept else html


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
        return _shown(self._pieces[number], number in self._preformatted)

    @cached_property
    def text(self) -> str:
        """The text of all blocks, each followed by a line end but the last."""
        return "\n".join(self._texts)

    @cached_property
    def start(self) -> list[int]:
        """Where each block begins in the text."""
        return [end - len(text) for end, text in zip(self.end, self._texts, strict=True)]

    @cached_property
    def end(self) -> list[int]:
        """Where each block ends in the text."""
        return [end - 1 for end in accumulate(len(text) + 1 for text in self._texts)]

    @cached_property
    def _texts(self) -> list[str]:
        return list(map(self.block_text, range(len(self))))


@cache
def _kinds() -> dict[str, int]:
    """How each tag shows; every tag that is not named breaks."""
    kinds = dict.fromkeys(tag_class("inline"), _INLINE) | dict.fromkeys(tag_class("silent") | tag_class("raw"), _SILENT)
    # When the flat form has what a noscript holds, it is to be seen.
    return (
        kinds
        | {"a": _LINK, "br": _LINE, "noscript": _INLINE}
        | dict.fromkeys(("pre", "listing", "xmp", "plaintext"), _PREFORMATTED)
    )


def lay_out(page: FlatPage, *, show_hidden: bool = False) -> Layout:
    """Find the blocks of text: inline tags vanish, breaking tags part blocks, `br` ends a line, two of them a block."""
    composer = _Composer(page, frozenset() if show_hidden else page.hidden)
    composer.compose()
    return composer.layout


def see(html: str) -> tuple[FlatPage, Layout]:
    """A page as its reader sees it; one that shows next to nothing is read without scripts, styles or frames.

    So is one that hides most of its prose: it waits for a script to show it.
    """
    page = flatten(html)
    layout = lay_out(page)
    shown = sum(layout.weight)
    if page.hidden and (shown < _SCANTY or _hidden_size(page) > shown):
        layout = _fuller(layout, lay_out(page, show_hidden=True))
    if shown < _SCANTY and "noscript" in page.tag:
        plain = flatten(html, scripting=False)
        bare = lay_out(plain, show_hidden=True)
        if _fuller(layout, bare) is bare:
            return plain, bare
    if "noframes" in page.tag and not len(layout):
        page = flatten(page.raw_text(page.tag.index("noframes")))
        layout = lay_out(page)
    return page, layout


def _hidden_size(page: FlatPage) -> int:
    """The characters of what a reader does not see, white space and all."""
    return sum(len(text) for index in page.hidden for text in page.text[index : page.end[index]])


def _fuller(usual: Layout, other: Layout) -> Layout:
    if sum(usual.weight) < _SCANTY:
        return other if sum(other.weight) > 2 * sum(usual.weight) else usual
    return other if _hides_prose(_prose(usual), _prose(other)) else usual


def _prose(layout: Layout) -> Counter[str]:
    """The longer blocks that are no links."""
    spans = zip(layout.start, layout.end, layout.weight, layout.linked, strict=True)
    return Counter(layout.text[a:b] for a, b, weight, linked in spans if weight > _PARAGRAPH and 3 * linked < weight)


def _hides_prose(shown: Counter[str], whole: Counter[str]) -> bool:
    """Whether most prose of a page is hidden, and is not what it shows already, in a form for print or for small screens."""
    added = whole - shown
    new = sum(len(text) for text in whole if text not in shown)
    repeated = sum(len(text) * count for text, count in added.items()) - new
    return new > max(_MUCH, 1.5 * sum(map(len, shown))) and new > 3 * repeated


def _shown(parts: list[str], preformatted: bool) -> str:
    text = "".join(parts)
    if preformatted:
        return text.replace(_BREAK, "\n").replace("\r", "").strip("\n").rstrip()
    if _BREAK not in text:
        return " ".join(text.split())
    return "\n".join(line for line in (" ".join(line.split()) for line in text.split(_BREAK)) if line)


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
        kind_of, tags, texts, ends, hidden = _kinds().get, self.page.tag, self.page.text, self.page.end, self.layout.hidden
        add = self._add
        outer: list[tuple[int, int, bool, bool]] = []
        until, block, link, pre = len(tags), 0, False, False
        index, size = 0, len(tags)
        while index < size:
            while index >= until:
                until, above, link, pre = outer.pop()
                self.is_open = self.is_open and above == block
                block = above
            tag = tags[index]
            if tag == TEXT:
                text = texts[index]
                if self.is_open or not text.isspace():
                    add(index, text, block, link, pre)
                elif pre:
                    self.indent = index
                index += 1
                continue
            kind, end = kind_of(tag, _BREAKING), ends[index]
            if kind == _SILENT or index in hidden:
                index = end
                continue
            if kind >= _LINE:
                self._part(kind)
            if end > index + 1:
                outer.append((until, block, link, pre))
                until, link, pre = end, link or self._is_link(kind, index), pre or kind == _PREFORMATTED
                block = index if kind >= _BREAKING else block
            index += 1

    def _is_link(self, kind: int, index: int) -> bool:
        return kind == _LINK and "href" in self.page.attributes(index)

    def _part(self, kind: int) -> None:
        """What a breaking tag does to the block that is open: of two line breaks the second ends it."""
        if kind != _LINE:
            self.is_open, self.indent = False, -1
        elif self.is_open:
            parts = self.layout._pieces[-1]
            while parts[-1].isspace():
                parts.pop()
            self.is_open = parts[-1] != _BREAK
            parts.append(_BREAK)

    def _add(self, index: int, text: str, block: int, link: bool, pre: bool) -> None:
        layout = self.layout
        if not text or text.isspace():
            if self.is_open:
                layout._pieces[-1].append(text)
            return
        weight = len(text.strip())
        if not text.isascii():
            text = _UNSEEN.sub("", text)
            if not (seen := len(text.strip())):
                return
            weight = seen + 2 * len(_DENSE.findall(text))
        if self.is_open:
            layout._pieces[-1].append(text)
            layout.last[-1] = index
            layout.weight[-1] += weight
            layout.linked[-1] += weight if link else 0
            return
        self.is_open = True
        if pre:
            layout._preformatted.add(len(layout))
        layout._pieces.append([self.page.text[self.indent], text] if self.indent >= 0 else [text])
        layout.node.append(block)
        layout.first.append(self.indent if self.indent >= 0 else index)
        self.indent = -1
        layout.last.append(index)
        layout.weight.append(weight)
        layout.linked.append(weight if link else 0)


def title_of(page: FlatPage) -> str:
    """The page's title, "" without one."""
    titles = (i for i, tag in enumerate(page.tag) if tag == "title")
    return next((page.inner_text(i) for i in titles if page.tag[page.parent[i]] in ("head", "body", "html")), "")


def language_of(page: FlatPage) -> str:
    """The primary language that the page says it is in ("es" for "es-MX"), "" when it does not say."""
    attributes = page.attributes(0) if len(page) else {}
    label = attributes.get("lang") or attributes.get("xml:lang") or ""
    primary = re.split("[-_]", label.strip().lower())[0]
    return primary if re.fullmatch("[a-z]{2,3}", primary) else ""


def fields_of(page: FlatPage) -> tuple[Field, ...]:
    """The named parts of a page in document order: title, meta elements by their name, headings, emphasis."""
    headings, emphases = tag_class("heading"), tag_class("emphasis")
    fields = [Field("title", title[:_MAX_FIELD])] if (title := title_of(page)) else []
    for index, tag in enumerate(page.tag):
        if tag in headings:
            fields.append(Field("heading", page.inner_text(index)[:_MAX_FIELD]))
        elif tag in emphases:
            fields.append(Field("emphasis", page.inner_text(index)[:_MAX_FIELD]))
        elif tag == "meta":
            fields.extend(_meta_field(page.attributes(index)))
    return tuple([field for field in fields if field.text][:_MAX_FIELDS])


def _meta_field(attributes: dict[str, str]) -> list[Field]:
    name = (attributes.get("name") or attributes.get("property") or "").strip().lower()
    content = " ".join(attributes.get("content", "").split())
    return [Field(name[:100], content[:_MAX_FIELD])] if name in tag_class("meta") else []
