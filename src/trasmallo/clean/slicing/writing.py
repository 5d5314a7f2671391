"""A sliced page as HTML that opens well without a network: links absolute, nothing in it that runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape
from typing import Literal
from urllib.parse import urljoin

import msgspec
import numpy as np

from trasmallo.clean.flat import TEXT, tag_class
from trasmallo.clean.slicing.characters import BREAK
from trasmallo.clean.slicing.matching import Mark
from trasmallo.clean.slicing.page import GAP, Attributes, PageArrays
from trasmallo.clean.slicing.states import NodeState, Parts, States
from trasmallo.clean.slicing.views import plan_bare

View = Literal["keep", "collapse", "bare"]

# What a browser would run or load by itself, and what our own head says better.
_DROPPED = frozenset(
    ["script", "noscript", "template", "base", "meta", "object", "embed", "applet", "param", "frame", "noembed", "noframes"]
)
_ADDRESSES = frozenset(
    ["href", "src", "xlink:href", "action", "formaction", "poster", "background", "cite", "longdesc", "data"]
)
_UNSAFE_ATTRIBUTES = frozenset(["srcdoc", "ping", "nonce", "integrity", "crossorigin", "http-equiv", "sandbox"])
_RUNS = re.compile(r"(?:javascript|vbscript|data:text/html)", re.IGNORECASE)
_CONTROLS = re.compile("[\x00-\x20]")
_URL_IN_STYLE = re.compile(r"""url\(\s*(["']?)([^"')]*)\1\s*\)""", re.IGNORECASE)
_HIDING = re.compile(r"(?:display\s*:\s*none|visibility\s*:\s*hidden)\s*(?:!\s*important)?", re.IGNORECASE)
_HIDDEN = "visibility:hidden!important"
_UNSTYLED = frozenset(["textarea", "option", "title", "select"])
_RENAMED = {"xmp": "pre", "plaintext": "pre", "listing": "pre", "frameset": "body"}
_HEAD = (
    '<meta charset="utf-8"><meta name="viewport" content="width=device-width">'
    "<meta http-equiv=\"Content-Security-Policy\" content=\"script-src 'none'; object-src 'none'\">"
)
_ELLIPSIS = " … "
# Pictures have no text behind them: there the label is a tip.
_LABELLED = (
    "<style>[data-matched]{outline:2px solid #d97706}[data-matched]::after{content:' ' attr(data-matched);"
    "background:#fff3bf;color:#000;font:.75rem monospace}</style>"
)


class WritingPlan(msgspec.Struct, frozen=True, kw_only=True):
    """All that is needed to write a page: what is shown of it, where its links lead, what to mark.

    `styles` has the text of style elements by their nodes, `labels` what is to be read beside nodes that were found by their
    attributes.
    """

    page: PageArrays
    states: States
    parts: Parts
    view: View
    base: str = ""
    styles: dict[int, str] = {}
    marks: tuple[Mark, ...] = ()
    labels: dict[int, str] = {}


def write_html(sheet: WritingPlan) -> str:
    """The whole document."""
    writer = _Writer(sheet)
    page = sheet.page
    if not len(page):
        return "<!DOCTYPE html>\n<html><head></head><body></body></html>\n"
    out = ["<!DOCTYPE html>\n", writer.start(0) if page.scope else "<html>", "<head>", _HEAD, *writer.head()]
    out += [_LABELLED, "</head>"] if sheet.labels else ["</head>"]
    if sheet.view == "bare":
        body = page.tag[page.scope] == "body"
        out += [writer.start(page.scope) if body else "<body>", *writer.bare(), "</body>"]
    else:
        out += writer.subtree(page.scope)
    return "".join([*out, "</html>\n"])


class _Writer:
    def __init__(self, sheet: WritingPlan) -> None:
        self.sheet, self.page, self.keeps = sheet, sheet.page, sheet.view == "keep"
        self._void = tag_class("void")
        self._states: list[int] = sheet.states.tolist()
        self._marks: dict[int, list[Mark]] = {}
        for mark in sheet.marks:
            self._marks.setdefault(mark.node, []).append(mark)

    def head(self) -> Iterator[str]:
        """Title and styles of the page's own head."""
        page = self.page
        for index in range(1, page.scope):
            tag = page.tag[index]
            if tag == "title":
                inside = page.text[index : page.end[index]]
                yield f"<title>{escape(''.join(inside), quote=False)}</title>"
            elif tag == "style" or self._is_stylesheet(index):
                yield from self._style(index)

    def bare(self) -> Iterator[str]:
        """What hangs from the body in the bare view."""
        closing: list[tuple[int, str]] = []
        for place, clone in enumerate(plan_bare(self.page, self.sheet.states)):
            while closing and closing[-1][0] != clone.parent:
                yield closing.pop()[1]
            if clone.deep:
                yield from self.subtree(clone.source)
                # Where the page had other things between two nodes, their words must not grow together.
                yield "\n"
                continue
            yield f"<{clone.tag}>" if clone.source < 0 else self.start(clone.source)
            closing.append((place, f"</{_RENAMED.get(clone.tag, clone.tag)}>"))
        yield from (tag for _, tag in reversed(closing))

    def subtree(self, root: int) -> Iterator[str]:
        """A node and what is to be written of its descendants."""
        page, states = self.page, self._states
        closing: list[tuple[int, str]] = []
        index, end = root, page.end[root]
        while index < end:
            while closing and closing[-1][0] <= index:
                yield closing.pop()[1]
            tag, state = page.tag[index], states[index]
            if tag in _DROPPED or state == NodeState.NEUTRAL or (state == NodeState.HIDDEN and not self.keeps):
                yield from self._instead(index)
                index = page.end[index]
            elif tag in (TEXT, GAP):
                yield self._text(index)
                index += 1
            else:
                yield self.start(index)
                if tag not in self._void:
                    closing.append((page.end[index], f"</{_RENAMED.get(tag, tag)}>"))
                index += 1
        yield from (tag for _, tag in reversed(closing))

    def _instead(self, index: int) -> Iterator[str]:
        """What stands for a node that is left out: a style stays, a frame becomes a link, of others nothing is left."""
        address = next((value for name, value in self.page.attrs[index] or [] if name == "src"), "")
        if self.page.tag[index] == "frame" and self._states[index] != NodeState.HIDDEN and (target := self._absolute(address)):
            yield f'<p><a href="{escape(target)}">{escape(target)}</a></p>'
        else:
            yield from self._style(index)

    def _style(self, index: int) -> Iterator[str]:
        """A style or a link to one; nothing for any other node."""
        if self.page.tag[index] == "style":
            css = self._styled(self.sheet.styles.get(index, ""))
            yield f"<style>{css.replace('</', '<' + chr(92) + '/')}</style>"
        elif self._is_stylesheet(index):
            yield self.start(index)

    def _is_stylesheet(self, index: int) -> bool:
        if self.page.tag[index] != "link":
            return False
        return any(name == "rel" and "stylesheet" in value.lower().split() for name, value in self.page.attrs[index] or [])

    def start(self, index: int) -> str:
        """The start tag of a node, with its attributes as far as they are harmless."""
        tag = self.page.tag[index]
        found = dict(self._attributes(self.page.attrs[index] or []))
        state = self._states[index]
        if state == NodeState.HIDDEN:
            found["style"] = f"{found.get('style', '')};{_HIDDEN}".lstrip(";")
        elif state in (NodeState.ANCESTOR, NodeState.RELEVANT, NodeState.SHOWN):
            self._reveal(tag, found)
        if tag == "iframe":
            found["sandbox"] = ""
        if index in self.sheet.labels:
            found["data-matched"] = found["title"] = self.sheet.labels[index]
        written = "".join(f' {name}="{escape(value)}"' for name, value in found.items())
        return f"<{_RENAMED.get(tag, tag)}{written}>"

    def _reveal(self, tag: str, found: dict[str, str]) -> None:
        """What a page hides until a script shows it has no script any more."""
        found.pop("hidden", None)
        if "style" in found and _HIDING.search(found["style"]):
            found["style"] = _HIDING.sub("", found["style"])
        if tag in ("details", "dialog"):
            found["open"] = ""

    def _attributes(self, pairs: Attributes) -> Iterator[tuple[str, str]]:
        for name, value in pairs:
            if name.startswith("on") or name in _UNSAFE_ATTRIBUTES:
                continue
            if name in _ADDRESSES:
                address = self._absolute(value)
                if address is not None:
                    yield name, address
            elif name in ("srcset", "imagesrcset"):
                yield name, self._sources(value)
            else:
                yield name, self._styled(value) if name == "style" else value

    def _absolute(self, address: str) -> str | None:
        """An address in full; None for one that would run something."""
        plain = _CONTROLS.sub("", address)
        if _RUNS.match(plain):
            return None
        if plain.startswith("#") or not self.sheet.base:
            return address
        try:
            return urljoin(self.sheet.base, address.strip())
        except ValueError:
            return address

    def _sources(self, value: str) -> str:
        """The addresses of a srcset, each before its width."""
        found = []
        for candidate in re.split(r",\s+", value.strip()):
            address, _, width = candidate.strip().partition(" ")
            found.append(f"{self._absolute(address) or ''} {width}".strip())
        return ", ".join(found)

    def _styled(self, css: str) -> str:
        return _URL_IN_STYLE.sub(lambda match: f'url("{self._absolute(match[2]) or ""}")', css)

    def _text(self, index: int) -> str:
        page, state = self.page, self._states[index]
        text = page.text[index]
        above = page.tag[page.parent[index]] if index else ""
        lead = "\n" if above in ("pre", "textarea", "listing") and text.startswith("\n") else ""
        if state == NodeState.PARTIAL:
            return lead + self._partly(index, text, self.sheet.parts[index], above)
        if state == NodeState.HIDDEN and self._states[page.parent[index]] != NodeState.HIDDEN:
            return lead + _veil(text, above)
        return lead + self._marked(index, 0, len(text))

    def _partly(self, index: int, text: str, ranges: list[tuple[int, int]], above: str) -> str:
        """A text of which some ranges are shown; the others are kept unseen, or an ellipsis stands for them."""
        found, done = [], 0
        veil: Callable[[str], str] = (lambda part: _veil(part, above)) if self.keeps else _shorten
        for start, end in ranges:
            found += [veil(text[done:start]), self._marked(index, start, end)]
            done = end
        return "".join([*found, veil(text[done:])])

    def _marked(self, index: int, start: int, end: int) -> str:
        """A stretch of a text with its matches marked."""
        text, found, done = self.page.text[index], [], start
        for mark in self._marks.get(index, ()):
            low, high = max(mark.start, start), min(mark.end, end)
            if low < high:
                found.append(f"{escape(text[done:low], quote=False)}<mark>{escape(text[low:high], quote=False)}</mark>")
                done = high
        return "".join([*found, escape(text[done:end], quote=False)])


def _veil(text: str, above: str) -> str:
    written = escape(text, quote=False)
    if above in _UNSTYLED or not text or text.isspace():
        return written
    return f'<span style="{_HIDDEN}">{written}</span>'


def _shorten(text: str) -> str:
    """What stands for a part that is left out."""
    return _ELLIPSIS if text and not text.isspace() else text


def text_of(page: PageArrays, node: int) -> str:
    """The text of one node in one line."""
    pieces = page.written
    return " ".join("".join(pieces.pieces[int(pieces.first[node]) : int(pieces.last[node])]).replace(BREAK, " ").split())


def write_text(page: PageArrays, states: States, parts: Parts) -> str:
    """What is shown as plain text, a line a block."""
    pieces, listed = page.written, states.tolist()
    lines: list[list[str]] = [[]]
    nodes = np.flatnonzero(page.is_text & page.readable & (pieces.last > pieces.first))
    texts = dict(zip(pieces.first[nodes].tolist(), nodes.tolist(), strict=True))
    for number, piece in enumerate(pieces.pieces):
        if piece == BREAK:
            lines.append([])
        elif number in texts:
            node = texts[number]
            ranges = parts.get(node, [(0, len(piece))] if listed[node] != NodeState.HIDDEN else [])
            lines[-1].append(_joined(piece, ranges))
        else:
            lines[-1].append(piece)
    written = (" ".join("".join(line).split()).removeprefix("… ").removesuffix(" …") for line in lines)
    return "\n".join(line for line in written if line and line != "…")


def _joined(text: str, ranges: list[tuple[int, int]]) -> str:
    found, done = [], 0
    for start, end in ranges:
        found += [_shorten(text[done:start]), text[start:end]]
        done = end
    return "".join([*found, _shorten(text[done:])]) if ranges else ""
