"""What the blocks are that are no main content: comments, related lists, menus, or something else.

1. Where nothing else says so, at least three neighbours marked up alike tell: with a date and a text of their own each, they
   are comments; with long links and little else, a related list.
2. Menus are what the hyperlink-node ratio finds, and what the page calls navigation.
3. Elements whose names, or microdata, speak of comments or related reading hold such blocks.
4. So does what follows a heading that says so, to the next heading or the end of the element around both.

What is main content stays main content: a forum's posts are no comments on it.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, cached_property, lru_cache
from importlib import resources
from itertools import accumulate
from typing import Any, Literal, get_args

from trasmallo.clean.content.menus import find_menus
from trasmallo.clean.flat import TEXT, FlatPage
from trasmallo.clean.layout import Layout

Role = Literal["main", "comments", "related", "menu", "other"]
ROLES: tuple[Role, ...] = get_args(Role)

_MENUS = 1_000
"""Menus of a page that are looked for. Judgement: more than any page has."""
_LONGEST_HEADING = 60
"""Characters of a heading that can name a role. Judgement, as all of these."""
_FEWEST_UNITS = 3
"""Units alike that make a list of comments or of links."""
_COMMENT_CHARACTERS = 40
"""Characters of a comment."""
_LINK_WORDS = 4
"""Words of links, on the average, that make a related list and no menu."""
_MOST_LINKED, _LEAST_LINKED = 0.75, 0.3
"""Share of links above which a unit is a link, and below which it is text."""
# An element may have this share of main content in it and still be something else.
_MAIN_SHARE = 0.1
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NAMING = ("class", "id", "itemprop")
_UNITS = frozenset(("li", "div", "article", "section", "tr", "dd"))
_NOT_LETTERS = re.compile(r"[\W\d_]+")
_DATED = re.compile(
    r"\b\d{1,2}[/.-]\d{1,2}[/.-]\d{2,4}\b|\b(?:19|20)\d\d\b|\b\d{1,2}:\d{2}\b"
    r"|\b(?:hace|il y a|há)\s+\w+\s+\w+|\b\w+ \w+ (?:ago|fa|temu)\b"
)


class _Words:
    """What names and headings say of one role."""

    def __init__(self, table: dict[str, Any]) -> None:
        self._names = re.compile(table["names"])
        self._types = tuple("/" + kind for kind in table["types"])
        self._headings = {_only_letters(heading) for heading in table["headings"]}
        self._first_words = {heading.split()[0] for heading in self._headings}
        # A page repeats its names and its short texts, and so does a site.
        self._is_heading = lru_cache(maxsize=16_384)(self._looks_like_heading)
        self._is_telling = lru_cache(maxsize=16_384)(lambda name: self._names.search(name.lower()) is not None)

    def name(self, attributes: dict[str, str]) -> bool:
        """Whether the attributes of an element speak of the role."""
        if self._types and attributes.get("itemtype", "").endswith(self._types):
            return True
        # Every element of a page is asked: a loop takes half the time of `any`.
        for kind in _NAMING:  # noqa: SIM110
            if kind in attributes and self._is_telling(attributes[kind]):
                return True
        return False

    def heads(self, text: str) -> bool:
        """Whether a short text is a heading of the role: one of the known, or one of them with up to three more words."""
        return len(text) <= _LONGEST_HEADING and self._is_heading(text)

    def _looks_like_heading(self, text: str) -> bool:
        words = _only_letters(text).split()
        if not words or words[0] not in self._first_words:
            return False
        return any(" ".join(words[:size]) in self._headings and len(words) <= size + 3 for size in range(1, len(words) + 1))


@cache
def _words() -> dict[Role, _Words]:
    table = json.loads(resources.files(__package__).joinpath("roles.json").read_text("utf-8"))
    return {"related": _Words(table["related"]), "comments": _Words(table["comments"])}


def _only_letters(text: str) -> str:
    return _NOT_LETTERS.sub(" ", text).strip().lower()


def find_roles(page: FlatPage, layout: Layout, main: list[bool]) -> list[Role]:
    """The role of each block of a layout, of which `main` says whether it is main content."""
    finder = _Finder(page, layout, main)
    finder.tell_units()
    for menu in find_menus(page, layout, _MENUS):
        finder.tell(menu.node, "menu")
    finder.tell_navigation()
    for role, words in _words().items():
        finder.tell_named(role, words)
        finder.tell_headed(role, words)
    return finder.roles


_COMMENT_MARKUP = ", ".join(
    f"[{kind}*={word} i]"
    for kind in ("class", "id")
    for word in ("comment", "coment", "kommentar", "disqus", "respond", "respuestas", "replies", "review", "guestbook")
)


def speaks_of_comments(page: FlatPage) -> bool:
    """Whether an element of a page is named as comments are; the parser looks, in a tenth of the time that Python takes."""
    return page.has(_COMMENT_MARKUP)


def find_comments(page: FlatPage, layout: Layout, main: list[bool]) -> list[str]:
    """The blocks that are comments by what names or headings say, "" for all others: half of the time of `find_roles`."""
    finder = _Finder(page, layout, main)
    words = _words()["comments"]
    finder.tell_named("comments", words)
    finder.tell_headed("comments", words)
    return [role if role == "comments" else "" for role in finder.roles]


class _Finder:
    def __init__(self, page: FlatPage, layout: Layout, main: list[bool]) -> None:
        self.roles: list[Role] = ["main" if chosen else "other" for chosen in main]
        self._page = page
        self._layout = layout
        self._main = list(accumulate(main, initial=0))
        tags = page.tag
        self._attributes = {
            index: found for index in range(1, len(page)) if tags[index] != TEXT and (found := page.attributes(index))
        }

    @cached_property
    def _links(self) -> _Linked:
        return _Linked(self._page)

    def _blocks(self, node: int) -> range:
        """The blocks inside an element."""
        first = self._layout.first
        return range(bisect_left(first, node), bisect_left(first, self._page.end[node]))

    def _is_apart(self, blocks: range) -> bool:
        """Whether blocks hold next to no main content."""
        return self._main[blocks.stop] - self._main[blocks.start] <= _MAIN_SHARE * len(blocks)

    def tell(self, node: int, role: Role) -> None:
        """Give a role to what an element holds."""
        self._give(self._blocks(node), role)

    def _give(self, blocks: range, role: Role) -> None:
        for number in blocks if blocks and self._is_apart(blocks) else ():
            if self.roles[number] != "main":
                self.roles[number] = role

    def tell_navigation(self) -> None:
        """What the page itself calls navigation."""
        for index, tag in enumerate(self._page.tag):
            if tag in ("nav", "menu"):
                self.tell(index, "menu")
        for index, attributes in self._attributes.items():
            if attributes.get("role") == "navigation":
                self.tell(index, "menu")

    def tell_named(self, role: Role, words: _Words) -> None:
        """Elements whose names say what they are; a related list has links."""
        page, end = self._page, 0
        for index, attributes in self._attributes.items():
            if index < end or page.tag[index] in ("body", "head", "a") or not words.name(attributes):
                continue
            blocks = self._blocks(index)
            if blocks and self._is_apart(blocks) and (role == "comments" or self._links.share(index) > _LEAST_LINKED):
                self._give(blocks, role)
                end = page.end[index]

    def tell_headed(self, role: Role, words: _Words) -> None:
        """What follows a heading that says what comes."""
        layout = self._layout
        for number in range(len(layout)):
            if self.roles[number] != "main" and words.heads(layout.block_text(number)):
                self._give(self._under(number), role)

    def _under(self, number: int) -> range:
        """A heading and the blocks up to the next one of its rank, inside the nearest element that holds more than it."""
        page, layout = self._page, self._layout
        node = layout.node[number]
        while page.parent[node] > 0 and len(self._blocks(node)) == 1:
            node = page.parent[node]
        rank, end = page.tag[layout.node[number]], self._blocks(node).stop
        for later in range(number + 1, end):
            if self.roles[later] == "main" or (rank in _HEADINGS and page.tag[layout.node[later]] == rank):
                return range(number, later)
        return range(number, end)

    def tell_units(self) -> None:
        """Neighbours that are marked up alike."""
        for units in self._alike():
            held = [unit for unit in units if self._blocks(unit)]
            if len(held) >= _FEWEST_UNITS:
                role = self._role_of(held)
                if role:
                    for unit in held:
                        self.tell(unit, role)

    def _alike(self) -> Iterator[list[int]]:
        """Groups of elements with the same parent, tag and class."""
        page, attributes = self._page, self._attributes
        groups: dict[tuple[int, str, str], list[int]] = defaultdict(list)
        for index, tag in enumerate(page.tag):
            if tag in _UNITS:
                groups[page.parent[index], tag, attributes.get(index, {}).get("class", "")].append(index)
        return (units for units in groups.values() if len(units) >= _FEWEST_UNITS)

    def _role_of(self, units: list[int]) -> Role | None:
        shares = sum(self._links.share(unit) > _MOST_LINKED for unit in units)
        if shares >= 0.8 * len(units) and self._links.words(units) >= _LINK_WORDS:
            return "related"
        spoken = sum(self._is_comment(unit) for unit in units)
        return "comments" if spoken >= 0.6 * len(units) else None

    def _is_comment(self, unit: int) -> bool:
        text = " ".join(" ".join(self._page.text[unit : self._page.end[unit]]).split())
        return (
            len(text) >= _COMMENT_CHARACTERS
            and self._links.share(unit) < _LEAST_LINKED
            and ("time" in self._page.tag[unit : self._page.end[unit]] or _DATED.search(text[:200]) is not None)
        )


class _Linked:
    """Characters, and those inside links, up to each node of a page."""

    def __init__(self, page: FlatPage) -> None:
        self._page = page
        sizes = [len(text.strip()) for text in page.text]
        linked = [0] * len(page)
        index = 0
        while index < len(page):
            if page.tag[index] == "a":
                linked[index : page.end[index]] = sizes[index : page.end[index]]
                index = page.end[index]
            else:
                index += 1
        self._sizes, self._linked = list(accumulate(sizes, initial=0)), list(accumulate(linked, initial=0))

    def share(self, node: int) -> float:
        """The share of an element's characters that are links."""
        end = self._page.end[node]
        size = self._sizes[end] - self._sizes[node]
        return (self._linked[end] - self._linked[node]) / size if size else 0.0

    def words(self, nodes: list[int]) -> float:
        """Words a node, at the mean."""
        return sum(len(self._page.inner_text(node).split()) for node in nodes) / len(nodes)
