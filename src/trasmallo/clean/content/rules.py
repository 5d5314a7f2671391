"""The plain method: main content without a model.

A block weighs its characters x (1 - 2 x the share inside links) - 8; the element whose blocks
weigh most together is the content, or the smallest one inside it that still holds 70 % of its good blocks; what looks like
furniture counts against it and is left out.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib import resources

import msgspec

from trasmallo.clean.content.registry import Method
from trasmallo.clean.flat import FlatPage, tag_class
from trasmallo.clean.layout import Layout

_COST = 8.0
"""Characters that a block must have to weigh anything. Calibrated on the open half of the five public benchmarks, as the next
two, see benchmarks/extraction.py."""
_LINK_COST = 2.0
"""How much a character inside a link counts against its block."""
_SHARE = 0.7
"""Share of an element's good blocks that a smaller one inside it must hold to be preferred."""
_FLAGS = ("nav", "footer", "aside", "form", "button", "article", "heading", "comments", "suspect")
_NAV, _FOOTER, _ASIDE, _FORM, _BUTTON, _ARTICLE, _HEADING, _COMMENTS, _SUSPECT = (1 << n for n in range(len(_FLAGS)))
_ROOTS = ("html", "body")


class _Signs(msgspec.Struct, frozen=True):
    """What names of tags, roles and classes tell, from `boilerplate.json`."""

    tags: dict[str, int]
    roles: dict[str, int]
    comments: re.Pattern[str]
    suspect: re.Pattern[str]


@cache
def _signs() -> _Signs:
    table = json.loads(resources.files(__package__).joinpath("boilerplate.json").read_text("utf-8"))
    bits = {flag: 1 << n for n, flag in enumerate(_FLAGS)}
    tags = {tag: bits[flag] for tag, flag in table["tags"].items()}
    roles = {role: bits[flag] for role, flag in table["roles"].items()}
    return _Signs(tags, roles, re.compile(table["comments"]), re.compile(table["suspect"]))


def _contexts(page: FlatPage, nodes: list[int]) -> list[int]:
    """What surrounds each of these elements: its own signs and those of all above it."""
    parents, known = page.parent, {-1: 0}
    for node in nodes:
        chain = []
        while node not in known:
            chain.append(node)
            node = parents[node]
        context = known[node]
        for index in reversed(chain):
            context |= _own(page, index)
            known[index] = context
    return [known[node] for node in nodes]


def _own(page: FlatPage, index: int) -> int:
    """The signs of an element itself."""
    signs, tag = _signs(), page.tag[index]
    own = signs.tags.get(tag, 0)
    attributes = page.attributes(index)
    if not attributes or tag in _ROOTS:
        return own
    if role := attributes.get("role"):
        own |= signs.roles.get(role, 0)
    if tag in ("main", "article"):
        return own
    for name in (attributes.get("class"), attributes.get("id")):
        if name:
            own |= _told_by(name)
    return own


@lru_cache(maxsize=8192)
def _told_by(name: str) -> int:
    """What a class or id says; a page repeats its names, and so does a site."""
    signs, name = _signs(), name[:300].lower()
    return (_COMMENTS if signs.comments.search(name) else 0) | (_SUSPECT if signs.suspect.search(name) else 0)


def find_main(page: FlatPage, layout: Layout, *, favour: float = 0.5) -> list[bool]:
    """Whether each block of the layout is main content; at least one is, when there are any."""
    if not len(layout):
        return []
    around = _contexts(page, layout.node)
    furniture = _furniture(layout, around, favour)
    cost = _COST * 9 ** (0.5 - favour)
    weights = [_weight(layout, number, around[number], furniture, cost) for number in range(len(layout))]
    sums = _sums(page, layout, weights)
    content = _content(page, sums, _sums(page, layout, [max(weight, 0.0) for weight in weights]), favour)
    inside = range(content, page.end[content])
    poor = _poor(page, sums, inside, cost)
    main = [
        node in inside and not _left_out(layout, number, around[number], furniture, favour, node in poor)
        for number, node in enumerate(layout.node)
    ]
    return main if any(main) else _heaviest(layout)


def _content(page: FlatPage, sums: list[float], positive: list[float], favour: float) -> int:
    """The element that weighs most, or the one inside it that holds nearly all the good of it."""
    # The last of several, since the inner ones come later.
    best = len(sums) - 1 - sums[::-1].index(max(sums))
    share = _SHARE + 0.3 * (favour - 0.5)
    leaves = tag_class("structure") - tag_class("grid")
    while page.tag[best] in leaves:
        best = page.parent[best]
    while True:
        child = best + 1
        while child < page.end[best] and (page.tag[child] in leaves or positive[child] < share * positive[best]):
            child = page.end[child]
        if child >= page.end[best]:
            return best
        best = child


def _heaviest(layout: Layout) -> list[bool]:
    """For a page where every block was left out: the block with most text beside links stays."""
    plain = [weight - linked + 0.1 * weight for weight, linked in zip(layout.weight, layout.linked, strict=True)]
    best = max(range(len(plain)), key=lambda number: (plain[number], -number), default=0)
    return [number == best for number in range(len(plain))]


def _furniture(layout: Layout, around: list[int], favour: float) -> int:
    """The signs that exclude a block of this page: those that leave enough of it."""
    total = sum(layout.weight)
    excluded = _NAV | _FOOTER | _ASIDE | _BUTTON
    if _share(layout, around, _COMMENTS) < 0.5 * total and favour < 0.9:
        excluded |= _COMMENTS
    left = total - _share(layout, around, excluded)
    return excluded if left >= 0.25 * total else _NAV | _FOOTER


def _share(layout: Layout, around: list[int], signs: int) -> int:
    return sum(weight for weight, context in zip(layout.weight, around, strict=True) if context & signs)


def _doubtful(weight: int, linked: int, context: int) -> bool:
    """Whether a small block stands in a form, or under a name that speaks of furniture."""
    if context & _FORM:
        return weight < 200
    return bool(context & _SUSPECT) and not context & _ARTICLE and (linked > 0.3 * weight or weight < 60)


def _weight(layout: Layout, number: int, context: int, furniture: int, cost: float) -> float:
    weight, linked = layout.weight[number], layout.linked[number]
    if context & furniture:
        return -0.3 * min(weight, 100)
    if _doubtful(weight, linked, context):
        return -cost
    return weight - _LINK_COST * linked - (0 if context & _HEADING else cost)


def _poor(page: FlatPage, sums: list[float], inside: range, cost: float) -> set[int]:
    """The elements of the content that weigh so little, or stand inside one that does, that their links are a list of links."""
    limit = -2.5 * cost
    poor: set[int] = set()
    for index in inside[1:]:
        if sums[index] < limit and index not in poor:
            poor.update(range(index, page.end[index]))
    return poor


def _left_out(layout: Layout, number: int, context: int, furniture: int, favour: float, poor: bool) -> bool:
    """Whether a block inside the content is furniture all the same."""
    weight, linked = layout.weight[number], layout.linked[number]
    if context & furniture or _doubtful(weight, linked, context) or (poor and linked > 0.3 * weight):
        return True
    return linked > (0.5 + 0.3 * favour) * weight and weight < 60 and not context & _HEADING


def _sums(page: FlatPage, layout: Layout, weights: list[float]) -> list[float]:
    """For each element, the weight of all blocks inside it."""
    sums = [0.0] * len(page)
    for node, weight in zip(layout.node, weights, strict=True):
        sums[node] += weight
    parent = page.parent
    for index in range(len(page) - 1, 0, -1):
        if sums[index]:
            sums[parent[index]] += sums[index]
    return sums


PLAIN = Method(
    find=find_main,
    says={
        "en": "the element whose blocks have most text outside links, without what looks like furniture; no model, fast",
        "es": "el elemento cuyos bloques tienen más texto fuera de enlaces, sin lo que parece mobiliario; sin modelo, rápido",
    },
)
