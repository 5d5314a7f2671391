"""The flat form of a page: its nodes as arrays in document order.

The tree is the browser's (lexbor, with scripting as in a browser), so that the same algorithms can run on a live page.
White space is what `str.split` takes for it.
"""

from __future__ import annotations

import json
import re
from contextlib import suppress
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from selectolax.lexbor import LexborDocumentOptions, LexborHTMLParser, LexborNode

from trasmallo.values.safe_html import (
    COST_LIMIT,
    RAW_TAGS,
    SAFE_FORMATTING,
    TOKEN,
    cut_costly,
    plain_formatting,
    thin_crowded_tags,
)

MAX_CHARACTERS = 12_000_000
"""Characters of a page that are parsed. Judgement: a bound on time and memory that no book reaches."""
MAX_NODES = 400_000
"""Nodes of a page that are read. Judgement: a bound on memory."""
# Blink stops at 512 levels of elements; the parser's time grows with the square of open elements.
MAX_DEPTH = 512
TEXT = "#text"

# Below so many tags the square does not matter, and no page is looked through for its depth.
_SHALLOW = 10_000
# One to two seconds of the parser; a crawl, which only wants links, gives up earlier.
_MOST_STEPS = 10 * COST_LIMIT
_MAX_PATH = 1_000
"""Characters after which a path is not continued. Judgement."""
# lexbor's numbers for text nodes and, below this limit, for the tags it knows; what is known of the latter is kept once for all
# pages, which saves making and hashing their names again for each node.
_TEXT_NUMBER = 2
_KNOWN_TAGS = 1_000
"""Numbers of the tags that lexbor knows are below this."""
_HIDDEN = '[hidden], [popover], [style*="none" i], [style*="hidden" i], dialog:not([open])'
_STYLE_HIDES = re.compile(r"(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)", re.IGNORECASE | re.ASCII)


@cache
def tag_class(name: str) -> frozenset[str]:
    """A named set of tags from `tags.json`."""
    table: dict[str, list[str]] = json.loads(resources.files(__package__).joinpath("tags.json").read_text("utf-8"))
    return frozenset(table[name])


def places_of(tags: list[str], wanted: str) -> list[int]:
    """Where a tag stands, found in a tenth of the time that a loop in Python takes."""
    places: list[int] = []
    at, find, add = -1, tags.index, places.append
    with suppress(ValueError):
        while True:
            at = find(wanted, at + 1)
            add(at)
    return places


class FlatPage:
    """A page as arrays in document order; index 0 is `html`.

    `tag` is "#text" for a text node, whose characters are in `text` ("" for elements); `end[i]` is the index after the last
    descendant of i. Comments, what stands inside scripts, styles and templates, and white space that begins a line are not
    there. `hidden` holds the elements that a reader does not see, without their descendants. `truncated` says that the page was
    larger than the limits. `tree` is what the parser made of the page as it came, None for one that was not parsed, and
    `holds_frames` says whether that page may have frames whose pages are in a `srcdoc`.
    """

    __slots__ = ("_nodes", "end", "hidden", "holds_frames", "parent", "tag", "text", "tree", "truncated")

    def __init__(self) -> None:
        self.parent: list[int] = []
        self.tag: list[str] = []
        self.text: list[str] = []
        self.end: list[int] = []
        self.hidden: frozenset[int] = frozenset()
        self.truncated = False
        self.holds_frames = False
        self.tree: LexborHTMLParser | None = None
        self._nodes: list[Any] = []

    def __len__(self) -> int:
        return len(self.tag)

    def has(self, selector: str) -> bool:
        """Whether an element fits a CSS selector."""
        root = self._nodes[0] if self._nodes else None
        return root is not None and root.css_first(selector) is not None

    def attributes(self, index: int) -> dict[str, str]:
        """The attributes of an element; one without a value has ""."""
        node = self._nodes[index]
        found: dict[str, str | None] = {} if node is None else node.attributes
        # lexbor gives None for an empty value, and no empty texts.
        return found if all(found.values()) else {name: value or "" for name, value in found.items()}  # type: ignore[return-value]

    def parsed_attributes(self, index: int) -> dict[str, str | None]:
        """The same as the parser gives them, None for an empty value: a third less time where many elements are asked."""
        node = self._nodes[index]
        found: dict[str, str | None] = {} if node is None else node.attributes
        return found

    def has_attribute(self, index: int, name: str) -> bool:
        """Whether an element has an attribute, with or without a value."""
        node = self._nodes[index]
        return node is not None and name in node.attributes

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
    source, is_cut = _parsable(html[:MAX_CHARACTERS])
    page.truncated = is_cut or len(html) > MAX_CHARACTERS
    parser = page.tree = LexborHTMLParser(source, scripting=scripting, options=LexborDocumentOptions.WO_EVENTS)
    root = parser.root
    if root is not None:
        _walk(page, root, _hidden(parser), scripting)
        page.holds_frames = page.truncated or _may_hold_frames(page)
    return page


def _may_hold_frames(page: FlatPage) -> bool:
    """Whether an element has a `srcdoc`, or may have one in what is not read; to search the markup takes ten times as long."""
    frames = (index for tag in ("iframe", "frame") for index in places_of(page.tag, tag))
    unread = (page.raw_text(index) for tag in ("noscript", "noframes") for index in places_of(page.tag, tag))
    return (
        "applet" in page.tag
        or any(page.has_attribute(index, "srcdoc") for index in frames)
        or any("srcdoc" in text.lower() for text in unread)
    )


def harmless(html: str) -> bytes:
    """A page as the parser can read it in a moment."""
    return _parsable(html)[0]


def _parsable(html: str) -> tuple[bytes, bool]:
    """The same, and whether its end is missing."""
    tags = html.count("<")
    # Lone surrogates have no UTF-8; the parser would refuse the page.
    source = html.encode("utf-8", "replace")
    if tags > _SHALLOW:
        source = prune_depth(source)
    source = thin_crowded_tags(source)
    if tags > SAFE_FORMATTING:
        source = plain_formatting(source, tags)
    # Tags that are closed by implication, or not at all, may still nest.
    whole = len(source)
    source = cut_costly(source, _MOST_STEPS, copy_cost=0) if tags > _SHALLOW else source
    return source, len(source) < whole


def _hidden(parser: LexborHTMLParser) -> set[int]:
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


class _Tag(NamedTuple):
    """What the walk asks of a tag.

    Its name ("" for what is no element), whether it flows in a line, whether white space after it would begin one, and whether
    what stands inside is read.
    """

    name: str
    flows: bool
    breaks: bool
    opens: bool


@cache
def _known_tags(scripting: bool) -> dict[int, _Tag]:  # noqa: ARG001 - what is read inside depends on it
    """The tags that were met, by lexbor's numbers."""
    return {}


def _learn(node: LexborNode, scripting: bool) -> _Tag:
    """What the walk asks of the tag of a node; remembered when it is one that lexbor knows."""
    tag, number = node.tag, node.tag_id
    # In SVG some names have capitals; what is remembered must not depend on where a tag was met first.
    name = "" if tag is None or tag[0] in "-!_" else tag.lower()
    opens = name not in tag_class("raw") or (name == "noscript" and not scripting)
    learned = _Tag(name, name in _flowing(), name != "pre", opens)
    if number < _KNOWN_TAGS:
        _known_tags(scripting)[number] = learned
    return learned


def _walk(page: FlatPage, root: LexborNode, hidden: set[int], scripting: bool) -> None:
    """Fill the arrays in one pass; iterative, since a page may be nested deeper than Python's stack."""
    parents, tags, texts, ends, nodes = page.parent, page.tag, page.text, page.end, page._nodes
    unseen: list[int] = []
    open_nodes: list[tuple[LexborNode, int]] = []
    flowing, known, limit, parent = _flowing(), _known_tags(scripting), MAX_NODES, -1
    # Whether white space would be the first of its line; it is half of all text nodes, and nobody sees it.
    at_break = True
    node: LexborNode | None = root
    while node is not None:
        number = node.tag_id
        if number == _TEXT_NUMBER:
            # The first question is the cheaper one, but knows only ASCII.
            if not (at_break and node.is_empty_text_node) and not ((text := node.text_content or "").isspace() and at_break):
                at_break = False
                parents.append(parent)
                tags.append(TEXT)
                texts.append(text)
                nodes.append(None)
                ends.append(len(tags))
        else:
            tag, flows, breaks, opens = known[number] if number in known else _learn(node, scripting)
            index = len(tags)
            if index >= limit:
                break
            if tag:
                parents.append(parent)
                tags.append(tag)
                texts.append("")
                nodes.append(node)
                ends.append(index + 1)
                if hidden and node.mem_id in hidden:
                    unseen.append(index)
                if not flows:
                    at_break = breaks
                if opens and (child := node.first_child) is not None:
                    open_nodes.append((node, parent))
                    node, parent = child, index
                    continue
        node = node.next if open_nodes else None
        while node is None and open_nodes:
            ends[parent] = len(tags)
            at_break = at_break or tags[parent] not in flowing
            node, parent = open_nodes.pop()
            node = node.next if open_nodes else None
    page.hidden = frozenset(unseen)
    _cut(page, [parent, *(above for _, above in open_nodes)])


def _cut(page: FlatPage, unfinished: list[int]) -> None:
    """End the page at the limit of nodes, and with it the elements in the middle of which it was reached."""
    if len(page) < MAX_NODES:
        return
    page.truncated = True
    for array in (page.parent, page.tag, page.text, page.end, page._nodes):
        del array[MAX_NODES:]
    for index in unfinished:
        page.end[index] = MAX_NODES
    # The last text may have been one too many.
    page.end = [min(end, MAX_NODES) for end in page.end]


@cache
def _flowing() -> frozenset[str]:
    """The tags that do not break a line; scripts and the like break none either."""
    return tag_class("inline") | tag_class("raw") | {"a"}


def prune_depth(html: bytes) -> bytes:
    """The same markup without the tags that would nest deeper than `MAX_DEPTH`; their text stays."""
    kept: list[bytes] = []
    depth = done = 0
    flat, drawing = _octets("implied") | _octets("void") | RAW_TAGS, _octets("drawing")
    for token in TOKEN.finditer(html):
        name = token["tag"]
        if name is None or (name := name.lower()) in flat or (name in drawing and token[0].endswith(b"/>")):
            continue
        closing = bool(token["end"])
        depth -= closing and depth > 0
        if depth >= MAX_DEPTH:
            kept.append(html[done : token.start()])
            done = token.end()
        depth += not closing
    return b"".join(kept) + html[done:] if kept else html


@cache
def _octets(name: str) -> frozenset[bytes]:
    return frozenset(tag.encode() for tag in tag_class(name))
