"""The main block by the chars-nodes ratio (CNR): much text on few nodes.

After S. López, J. Silva and D. Insa, "Using the DOM tree for content extraction" (2012): a text node weighs 1 and has its
characters without white space; a node without content (links, menus, pictures, controls, empty elements, what a reader does not
see) weighs 1 and has none; any other node has the sums of its children. The ratio of a node is its characters over its weight.
The best tenth of the nodes is taken, descendants of taken nodes are dropped, taken siblings are replaced by their parent until
nothing changes, and the node with most text is the main block. Text nodes of white space alone are not counted, so that the way
a page is written does not change its ratios.

The thesis does not say a tenth of which nodes. Here it is of the nodes with text, and a text alone in its element is one node
with it; taken are elements, since a text node is part of the one around it. Of a short page, where a tenth would be a single
paragraph, `LEAST` elements are taken.
"""

from __future__ import annotations

import heapq
import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import NamedTuple

from trasmallo.clean.content.registry import Method
from trasmallo.clean.flat import TEXT, FlatPage, tag_class
from trasmallo.clean.layout import Layout

SHARE = 0.1
"""The share of the nodes with text that are taken first, at `favour` 0.5."""
LEAST = 3
"""Elements that are taken first at least, at `favour` 0.5. Calibrated on the four public sets with full text: macro F1 is .840
with 1 to 5, where the whole page is taken in the thesis' example; .833 for a tenth of the elements alone, .830 with every text
node counted beside its element. Both halves of the pages say the same."""

# At favour 0 a quarter of the share, at 1 four times as much: fewer nodes climb less high.
_SPREAD = 16.0


class Ratios(NamedTuple):
    """Characters and weight of each node of a page; `nodes` are the elements with text, in document order.

    `mixed` are the text nodes that stand beside others in their elements.
    """

    characters: list[int]
    weight: list[int]
    nodes: list[int]
    mixed: int = 0

    @property
    def total(self) -> int:
        """The nodes with text, of which a share is taken."""
        return len(self.nodes) + self.mixed

    def ratio(self, index: int) -> float:
        """Characters per node inside this one, 0 where there is no content."""
        return self.characters[index] / self.weight[index] if self.weight[index] else 0.0


class RatioBlock(NamedTuple):
    """A block of a page: its node, its ratio, and its size (characters without white space, or links of a menu)."""

    node: int
    ratio: float
    size: int


@cache
def _without_content() -> frozenset[str]:
    # What a noscript holds is there only when it is to be read.
    return (tag_class("silent") | tag_class("raw") | tag_class("content-free")) - {"noscript"}


def compute(page: FlatPage, hidden: Collection[int] = (), removed: Collection[int] = ()) -> Ratios:
    """The ratios of a page whose `removed` nodes were taken out of the tree."""
    size, parents = len(page), page.parent
    characters, weight = [0] * size, [0] * size
    leaves = _weigh_leaves(page, characters, weight, hidden, removed)
    for index in reversed(leaves):
        weight[index] = own = weight[index] or 1
        parent = parents[index]
        if parent >= 0:
            weight[parent] += own
            characters[parent] += characters[index]
    nodes = [index for index in leaves if characters[index] and page.tag[index] != TEXT]
    beside = Counter(parents[index] for index in leaves)
    mixed = sum(page.tag[index] == TEXT and beside[parents[index]] > 1 for index in leaves)
    return Ratios(characters, weight, nodes, mixed)


def _weigh_leaves(
    page: FlatPage, characters: list[int], weight: list[int], hidden: Collection[int], removed: Collection[int]
) -> list[int]:
    """Every node that counts, in document order; those without children are weighed on the way."""
    tags, texts, ends, bare = page.tag, page.text, page.end, _without_content()
    counted: list[int] = []
    index = body_of(page)
    until = ends[index] if tags else 0
    while index < until:
        tag = tags[index]
        if index in removed:
            index = ends[index]
            continue
        if tag in bare or index in hidden:
            counted.append(index)
            index = ends[index]
            continue
        if tag == TEXT:
            text = texts[index]
            if not text or text.isspace():
                index += 1
                continue
            weight[index] = 1
            characters[index] = len("".join(text.split()))
        counted.append(index)
        index += 1
    return counted


def body_of(page: FlatPage) -> int:
    """Where the content stands; what is above it has no content."""
    return page.tag.index("body") if "body" in page.tag else 0


def find_block(page: FlatPage, ratios: Ratios, *, favour: float = 0.5, closed: Collection[int] = ()) -> RatioBlock | None:
    """The main block, None when no text is left outside links; `closed` nodes are none, since they hold what was taken out."""
    values = [chars / weight if weight else 0.0 for chars, weight in zip(ratios.characters, ratios.weight, strict=True)]
    nodes = [index for index in ratios.nodes if index not in closed] if closed else ratios.nodes
    best = sorted(nodes, key=values.__getitem__, reverse=True)[: count_taken(len(nodes) + ratios.mixed, favour)]
    blocks = merge(page, outermost(page, best), closed)
    node = max(blocks, key=lambda index: (ratios.characters[index], -index), default=-1)
    if node < 0 or not ratios.characters[node]:
        return None
    return RatioBlock(node, ratios.ratio(node), ratios.characters[node])


def count_taken(nodes: int, favour: float) -> int:
    """How many of so many nodes are taken first."""
    taken: float = max(SHARE * nodes, LEAST) * _SPREAD ** (favour - 0.5)
    return math.ceil(taken)


def outermost(page: FlatPage, nodes: Iterable[int]) -> list[int]:
    """These nodes in document order, without those inside another of them."""
    kept: list[int] = []
    for index in sorted(nodes):
        if not kept or index >= page.end[kept[-1]]:
            kept.append(index)
    return kept


def merge(page: FlatPage, nodes: list[int], closed: Collection[int] = ()) -> list[int]:
    """Siblings replaced by their parent, until no two of them have the same open parent; the deepest and last ones first."""
    chosen, waiting = set(nodes), [-index for index in nodes]
    heapq.heapify(waiting)
    children: Counter[int] = Counter()
    while waiting:
        parent = page.parent[-heapq.heappop(waiting)]
        children[parent] += 1
        if children[parent] == 2 and parent not in chosen and parent not in closed:
            chosen.add(parent)
            heapq.heappush(waiting, -parent)
    return outermost(page, chosen)


def find_blocks(
    page: FlatPage, hidden: Collection[int], count: int, *, favour: float = 0.5, taken: Iterable[int] = ()
) -> Iterator[RatioBlock]:
    """Up to `count` blocks, one after the other: each found block is taken out of the tree before the next is sought.

    The nodes `taken` are out of it from the beginning.
    """
    removed = set(taken)
    for _ in range(count):
        found = find_block(page, compute(page, hidden, removed), favour=favour, closed=_around(page, removed))
        if found is None:
            return
        removed.add(found.node)
        yield found


def _around(page: FlatPage, nodes: Iterable[int]) -> set[int]:
    """The ancestors of some nodes."""
    found: set[int] = set()
    for index in nodes:
        parent = page.parent[index]
        while parent >= 0 and parent not in found:
            found.add(parent)
            parent = page.parent[parent]
    return found


def find_main(page: FlatPage, layout: Layout, *, favour: float = 0.5) -> list[bool]:
    """Whether each block of the layout has text in the main block; all have, when the page is nothing but links."""
    found = find_block(page, compute(page, layout.hidden), favour=favour)
    return within(page, layout, found.node) if found else [True] * len(layout)


def within(page: FlatPage, layout: Layout, node: int) -> list[bool]:
    """Whether each block of the layout has text inside a node."""
    end = page.end[node]
    return [first < end and last >= node for first, last in zip(layout.first, layout.last, strict=True)]


CNR = Method(
    find=find_main,
    says={
        "en": "the block that the nodes with most characters per node grow into",
        "es": "el bloque que forman los nodos con más caracteres por nodo",
    },
)
