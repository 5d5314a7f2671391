"""The pictures of one page: its nodes, the ratio curve, the tree, what CNR and CETR choose, and the tag-token slope."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property

import numpy as np

from trasmallo.clean.content import bte, cetr, cnr
from trasmallo.clean.flat import TEXT, FlatPage
from trasmallo.clean.layout import Layout
from trasmallo.values.drawing.axes import WIDTH, Frame, panel
from trasmallo.values.drawing.shapes import HEATS, Dot, Drawing, Label, Path, Rect, shorten

_LISTED = 24
"""Nodes in a list. Judgement, as all of these: a panel is to be read at a glance."""
_DEEPEST = 40
"""Levels of a tree."""
_MOST_POINTS = 900
"""Points of a curve."""
_ROW = 19.0
"""Heights and places on the sheet, in its units."""
_TALL = 310.0  # judgement: pixels of a curve
_LIST_TOP = 62.0  # judgement: pixels above the list
_TREE_TOP = 52.0  # judgement: pixels above the tree


class Subject:
    """A page and what the methods find in it."""

    def __init__(self, page: FlatPage, layout: Layout, favour: float = 0.5) -> None:
        self.page, self.layout, self.favour = page, layout, favour
        self.ratios = cnr.compute(page, layout.hidden)
        self.found = cnr.find_block(page, self.ratios, favour=favour)

    @cached_property
    def paths(self) -> list[str]:
        """The path of each node, with the text nodes told apart."""
        return [path + "/text()" * (tag == TEXT) for path, tag in zip(self.page.paths(), self.page.tag, strict=True)]

    @cached_property
    def ranked(self) -> list[int]:
        """The elements with text, those with the highest ratio first."""
        return sorted(self.ratios.nodes, key=lambda n: (-self.ratios.ratio(n), n))

    @property
    def taken(self) -> int:
        """How many nodes CNR takes first."""
        return min(cnr.count_taken(self.ratios.total, self.favour), len(self.ratios.nodes))

    def is_main(self, node: int) -> bool:
        """Whether a node stands in the main block."""
        return self.found is not None and self.found.node <= node < self.page.end[self.found.node]


def nodes(subject: Subject) -> Drawing:
    """The nodes with the highest ratio as a list, with their paths."""
    listed = subject.ranked[:_LISTED]
    hint = f"characters without white space per node inside; the best {len(listed)} of {len(subject.ratios.nodes)} nodes"
    drawing = panel("Nodes by ratio", hint, WIDTH, _LIST_TOP + 16 + _ROW * max(len(listed), 1))
    for x, name, anchor in ((226, "ratio", "end"), (304, "characters", "end"), (360, "nodes", "end"), (378, "path", "start")):
        drawing.add(Label(x, _LIST_TOP, name, size=11, ink="faint", anchor=anchor))
    top = subject.ratios.ratio(listed[0]) if listed else 1.0
    for row, node in enumerate(listed):
        y = _LIST_TOP + 6 + _ROW * row
        ratio, ink = subject.ratios.ratio(node), "main" if subject.is_main(node) else "other"
        drawing.add(Rect(16, y + 3, max(1.0, 150 * ratio / top), _ROW - 6, ink))
        figures = (
            (226, f"{ratio:,.1f}"),
            (304, f"{subject.ratios.characters[node]:,}"),
            (360, f"{subject.ratios.weight[node]:,}"),
        )
        drawing.add(*(Label(x, y + 14, text, size=12, ink="ink", anchor="end") for x, text in figures))
        drawing.add(Label(378, y + 14, shorten(subject.paths[node], 84), 12))
    return drawing


def curve(subject: Subject) -> Drawing:
    """The ratios of all nodes from the lowest to the highest, with the share that CNR takes."""
    values = sorted(subject.ratios.ratio(node) for node in subject.ratios.nodes)
    frame = Frame("Ratio curve", "all elements with text from the lowest ratio to the highest; the shaded ones are taken first",
                  (WIDTH, _TALL), (len(values) or 1, values[-1] if values else 1), curbed=True)  # fmt: skip
    taken = min(subject.taken, len(values))
    start = frame.x(len(values) - taken)
    frame.drawing.add(Rect(start, frame.top, max(frame.right - start, 1), frame.bottom - frame.top, "shade"))
    frame.rule("nodes", "ratio (logarithmic)")
    points = tuple((frame.x(place + 0.5), frame.y(values[place])) for place in sampled(len(values)))
    frame.drawing.add(Path(points, "main", 2))
    if values:
        frame.drawing.add(
            Label(start - 8, frame.top + 14, f"best {taken:,} of {len(values):,}", size=11, ink="ink", anchor="end")
        )
    return frame.drawing


def sampled(count: int) -> list[int]:
    """Places of a long series that are enough for a picture."""
    step = max(1, count // _MOST_POINTS)
    return sorted({*range(0, count, step), *range(max(0, count - 50), count)})


def tree(subject: Subject) -> Drawing:
    """The tree from the body down; a node is as wide as its weight and as dark as its ratio; the main block has a border."""
    ratios = subject.ratios
    places = tree_places(subject)
    deepest = max((depth for depth, _ in places.values()), default=0)
    hint = "the body is on top, children stand under their parent; width = nodes inside, colour = ratio"
    step = min(22.0, max(9.0, 360 / (deepest + 1)))
    drawing = panel("Tree by ratio", hint, WIDTH, _TREE_TOP + step * (deepest + 1) + 36)
    root = next(iter(places), 0)
    scale = (WIDTH - 32) / max(ratios.weight[root], 1) if places else 1.0
    for node, (depth, at) in places.items():
        note = f"{subject.paths[node]}: {ratios.ratio(node):.1f}"
        width = max(ratios.weight[node] * scale - 0.6, 0.6)
        drawing.add(Rect(16 + at * scale, _TREE_TOP + depth * step, width, step - 1, fill=_heat(subject, node), note=note))
    if subject.found and subject.found.node in places:
        depth, at = places[subject.found.node]
        inner = [places[node][0] for node in places if subject.is_main(node)]
        size = (ratios.weight[subject.found.node] * scale, (max(inner) - depth + 1) * step)
        x, y = 16 + at * scale, _TREE_TOP + depth * step - 0.5
        corners = ((x, y), (x + size[0], y), (x + size[0], y + size[1]), (x, y + size[1]), (x, y))
        drawing.add(Path(corners, "accent", 2))
        drawing.add(
            Label(16, drawing.height - 10, f"main block: {shorten(subject.paths[subject.found.node], 70)}", 11, "accent")
        )
    _heat_key(drawing, ratios.ratio(subject.ranked[0]) if subject.ranked else 0.0)
    return drawing


def tree_places(subject: Subject) -> dict[int, tuple[int, int]]:
    """The depth and the distance from the left, in weight, of each node with text that is wide enough to be seen."""
    page, ratios = subject.page, subject.ratios
    places: dict[int, tuple[int, int]] = {}
    filled: dict[int, int] = {}
    for node in ratios.nodes:
        parent = page.parent[node]
        depth, at = places.get(parent, (-1, 0))
        if (places and parent not in places) or not ratios.characters[node] or depth + 1 > _DEEPEST:
            continue
        offset = filled.get(parent, 0)
        filled[parent] = offset + ratios.weight[node]
        if ratios.weight[node] * (WIDTH - 32) >= 0.5 * ratios.weight[ratios.nodes[0]]:
            places[node] = (depth + 1, at + offset)
    return places


def _heat(subject: Subject, node: int) -> str:
    """The colour of a ratio, by its logarithm."""
    top = subject.ratios.ratio(subject.ranked[0])
    share = math.log1p(subject.ratios.ratio(node)) / math.log1p(max(top, 1.0))
    return f"heat{min(HEATS - 1, int(share * HEATS))}"


def _heat_key(drawing: Drawing, top: float) -> None:
    x, y = WIDTH - 16 - 18 * HEATS - 44, drawing.height - 20
    drawing.add(Label(x - 6, y + 10, "ratio 0", size=11, ink="faint", anchor="end"))
    drawing.add(*(Rect(x + 18 * step, y, 17, 12, f"heat{step}") for step in range(HEATS)))
    drawing.add(Label(x + 18 * HEATS + 5, y + 10, f"{top:,.0f}", 11, "faint"))


def cnr_result(subject: Subject) -> Drawing:
    """The blocks of text from the top of the page to its end: as high as the ratio of their element, main ones in colour."""
    layout, ratios = subject.layout, subject.ratios
    heights = [ratios.ratio(node) for node in layout.node]
    main = cnr.within(subject.page, layout, subject.found.node) if subject.found else [True] * len(layout)
    return _blocks("Result of CNR", "blocks of text in reading order; height = ratio of their element", heights, main, "ratio")


def cetr_result(subject: Subject) -> Drawing:
    """The smoothed tag ratio of each block, and the plane in which the blocks are clustered."""
    smoothed = cetr.smooth(cetr.tag_ratios(subject.page, subject.layout))
    main = cetr.find_main(subject.page, subject.layout, favour=subject.favour)
    hint = "blocks of text in reading order; height = characters per tag, smoothed. Right: ratio and change, clustered"
    drawing = _blocks("Result of CETR", hint, list(smoothed), main, "tag ratio", WIDTH - 280)
    wide = Drawing(WIDTH, drawing.height, drawing.title)
    wide.place(drawing, 0, 0)
    wide.place(_plane(smoothed, main), WIDTH - 290, 0)
    return wide


def _plane(smoothed: cetr.Series, main: list[bool]) -> Drawing:
    change = cetr.changes(smoothed)
    most = (float(smoothed.max()), float(change.max())) if len(smoothed) else (1.0, 1.0)
    frame = Frame("", "", (290, _TALL), most)
    frame.drawing.shapes.clear()
    frame.rule("tag ratio", "change")
    for place in sampled(len(smoothed)):
        ink = "main" if main[place] else "other"
        frame.drawing.add(Dot(frame.x(float(smoothed[place])), frame.y(float(change[place])), 2.5, ink))
    return frame.drawing


def _blocks(title: str, hint: str, heights: Sequence[float], main: Sequence[bool], name: str, width: float = WIDTH) -> Drawing:
    """A bar for each block, or for the highest of those that share a pixel."""
    frame = Frame(title, hint, (width, _TALL), (len(heights) or 1, max(heights, default=1)), curbed=True)
    frame.rule("blocks of text", f"{name} (logarithmic)")
    wide = (frame.right - frame.left) / max(len(heights), 1)
    bars: dict[tuple[int, bool], int] = {}
    for place, height in enumerate(heights):
        at = (int(place * wide), main[place])
        if at not in bars or height > heights[bars[at]]:
            bars[at] = place
    for (_, chosen), place in sorted(bars.items(), key=lambda item: item[1]):
        y = frame.y(heights[place])
        frame.drawing.add(Rect(frame.x(place), y, max(wide * 0.85, 1), frame.bottom - y, "main" if chosen else "other"))
    frame.key((("main", "main content"), ("other", "the rest")))
    return frame.drawing


def slope(subject: Subject) -> Drawing:
    """Tags against tokens, counted from the top of the page; the plateau is where many words come without tags."""
    found = bte.slope_of(subject.page, subject.layout)
    tags, words = np.array(found.stream.tags, int), np.array(found.words, int)
    before, seen = np.cumsum(tags), np.cumsum(tags + words)
    count, most = (int(seen[-1]), int(before[-1])) if len(seen) else (1, 1)
    frame = Frame("Tag-token slope", "tags so far against tokens so far (words and tags); the plateau holds the main text",
                  (WIDTH, _TALL), (count + found.stream.trailing, most + found.stream.trailing))  # fmt: skip
    stretch = bte.plateau(found, favour=subject.favour)
    if stretch:
        left = frame.x(float(seen[stretch.first] - words[stretch.first]))
        right = frame.x(float(seen[stretch.last]))
        frame.drawing.add(Rect(left, frame.top, max(right - left, 1), frame.bottom - frame.top, "shade"))
        held = int(words[stretch.first : stretch.last + 1].sum())
        frame.drawing.add(Label(left + 6, frame.top + 14, f"plateau: {held:,} of {int(words.sum()):,} words", 11, "ink"))
    frame.rule("tokens", "tags")
    points = [(frame.left, frame.bottom)]
    for place in sampled(len(seen)):
        height = frame.y(float(before[place]))
        points += [(frame.x(float(seen[place] - words[place])), height), (frame.x(float(seen[place])), height)]
    points.append((frame.x(frame.most_x), frame.y(frame.most_y)))
    frame.drawing.add(Path(tuple(points), "main", 2))
    return frame.drawing


PANELS = {"nodes": nodes, "curve": curve, "tree": tree, "cnr": cnr_result, "cetr": cetr_result, "slope": slope}
"""Every picture by its name."""
