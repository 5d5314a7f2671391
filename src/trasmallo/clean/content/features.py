"""What the classifier sees of each block: its text, its element, the elements around it, its neighbours, its page.

`describe` gives the features of the first stage. `describe_again` adds what the scores of the first stage tell: those of the
neighbours, of the containers and of the blocks that are marked up alike.
"""

from __future__ import annotations

import math
from itertools import chain

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.clean.content.outline import COMMENT, FLAGS, FORUM, Integers, Names, Outline
from trasmallo.clean.content.texts import ROWS, SHORT, Phrases
from trasmallo.clean.flat import FlatPage, places_of
from trasmallo.clean.layout import Layout
from trasmallo.values.arrays import Array

Floats = NDArray[np.float64]
Matrix = NDArray[np.float32]
Row = Array | list[bool] | list[float]

_LEVELS = 4
"""Elements around a block that are described. The model is trained on these numbers: with others it must be trained again."""
_LINKED = 0.34
"""Share of links below which a block counts as text; part of what the model is trained on."""
_LONG = 80
"""Characters from which on a block is long; part of what the model is trained on."""
_NEAR = (1, 2, 3, -1, -2, -3)
"""Neighbours of a block that are described; part of what the model is trained on."""
_TAGS = ("p", "h1", "h2", "h3", "h4", "li", "td", "div", "pre", "blockquote", "dd", "dt", "figcaption", "section", "body")
_TAG_CODE = {tag: number for number, tag in enumerate(_TAGS)} | {"h5": 4, "h6": 4, "th": 6}
_ONE_HOT = np.vstack([np.eye(len(_TAGS), dtype=np.float32), np.zeros(len(_TAGS), np.float32)])
_TEXT_ROWS = (*ROWS, "title", "description", "again")
_SHIFTS = np.arange(len(FLAGS))[:, None]


def _bell(reach: int, width: float) -> Floats:
    return np.exp(-(np.arange(-reach, reach + 1) ** 2) / (2 * width * width))


_NARROW, _MIDDLE, _WIDE = _bell(6, 3.0), _bell(8, 4.0), _bell(24, 12.0)
"""Weights of neighbours by their distance; part of what the model is trained on."""


class FeatureTables(msgspec.Struct, frozen=True):
    """What was learned of words: of those in class and id attributes, and of those in short blocks."""

    names: Names
    phrases: Phrases


class Head(msgspec.Struct, frozen=True):
    """What the head of a page says: its title and description, and whether it calls itself an article or a product."""

    title: str = ""
    description: str = ""
    article: bool = False
    product: bool = False


def read_head(page: FlatPage) -> Head:
    """What stands before the body."""
    title, description, kind = "", "", ""
    for index, tag in enumerate(page.tag):
        if tag == "title":
            title = title or page.inner_text(index)
        elif tag == "meta":
            attributes = page.attributes(index)
            name = attributes.get("name") or attributes.get("property")
            if name in ("description", "og:description"):
                description = description or " ".join(attributes.get("content", "").split())
            elif name == "og:type":
                kind = attributes.get("content", "").lower()
        elif tag == "body":
            break
    return Head(title, description, "article" in kind, "product" in kind)


class Blocks:
    """The blocks of a page with what several features need; the layout must have a block."""

    def __init__(self, page: FlatPage, layout: Layout, tables: FeatureTables) -> None:
        self.page, self.layout = page, layout
        self.outline = outline = Outline(page, layout, tables.names)
        self.weight, self.linked = np.array(layout.weight, dtype=np.float64), np.array(layout.linked, dtype=np.float64)
        self.total = max(self.weight.sum(), 1.0)
        self.share = self.linked / np.maximum(self.weight, 1)
        self.long = self.weight * ((self.weight > _LONG) & (self.share < _LINKED))
        self.worth = self.weight - 2 * self.linked - 15
        self.head = read_head(page)
        self.texts = _read_texts(layout, self.head, tables.phrases)
        self.in_title, self.tone, self.dated = (self.texts[_TEXT_ROWS.index(name)] for name in ("title", "tone", "dated"))
        self.alike = _alike(outline)
        self.groups = _groups(outline)

    def __len__(self) -> int:
        return len(self.weight)

    def sums(self, *rows: Floats) -> Floats:
        """For each element, what its blocks have together."""
        running = np.zeros((len(rows), len(self) + 1))
        np.cumsum(rows, axis=1, out=running[:, 1:])
        return running[:, self.outline.end] - running[:, self.outline.start]


def smooth(values: Floats, bell: Floats) -> Floats:
    """Each value with its neighbours, weighted by a bell."""
    reach = len(bell) // 2
    return np.convolve(values, bell)[reach : reach + len(values)]


def shift(values: Floats, by: int, fill: float = 0.0) -> Floats:
    """The value `by` places before each place."""
    moved = np.full(len(values), fill)
    if abs(by) < len(values):
        if by > 0:
            moved[by:] = values[:-by]
        else:
            moved[:by] = values[-by:]
    return moved


def _alike(outline: Outline) -> Integers:
    """The same number for blocks whose elements have the same tag and name (or their parents' name, without one)."""
    kinds: dict[tuple[str, str], int] = {}
    tags, names, parents = outline.tag, outline.name, outline.parent
    found = [
        kinds.setdefault((tags[number], names[number] or names[parents[number]]), len(kinds))
        for number in outline.holder.tolist()
    ]
    return np.array(found)


def _groups(outline: Outline) -> Integers:
    """A row a level: the element around each block, its own first, then the next ones that hold more blocks."""
    groups = [outline.holder]
    for _ in range(_LEVELS - 1):
        groups.append(outline.wider[groups[-1]])
    return np.array(groups)


def describe(blocks: Blocks) -> Matrix:
    """The features of the first stage, a row each."""
    outline = blocks.outline
    rows = [
        *_of_text(blocks),
        *_of_markup(blocks),
        *_of_page(blocks),
        *_of_containers(blocks),
        *_of_neighbours(blocks),
        *_of_landmarks(blocks),
        _ONE_HOT[[_TAG_CODE.get(outline.tag[number], -1) for number in outline.holder.tolist()]].T,
        (np.array(outline.flags)[outline.leaf] >> _SHIFTS) & 1,
    ]
    return _matrix(rows, len(blocks))


def _matrix(rows: list[Row], size: int) -> Matrix:
    """Rows and matrices of several types as one matrix; numpy alone would look at every element."""
    heights = [row.shape[0] if isinstance(row, np.ndarray) and row.ndim > 1 else 1 for row in rows]
    matrix, place = np.empty((sum(heights), size), dtype=np.float32), 0
    for row, height in zip(rows, heights, strict=True):
        matrix[place : place + height] = row
        place += height
    return matrix


def _read_texts(layout: Layout, head: Head, phrases: Phrases) -> Floats:
    """What the text of each block tells by itself and among the others, a row for each of `_TEXT_ROWS`."""
    texts, title, description = layout.texts, head.title, head.description
    rows = np.zeros((len(_TEXT_ROWS), len(texts)))
    told = np.fromiter(chain.from_iterable(phrases(texts)), dtype=np.float64, count=len(ROWS) * len(texts))
    rows[: len(ROWS)] = told.reshape(-1, len(ROWS)).T
    in_title, in_description, again = rows[len(ROWS) :]
    if title:
        in_title[:] = [8 < len(text) < SHORT and text in title for text in texts]
    if description:
        in_description[:] = [len(text) > 20 and text[:40] in description for text in texts]
    if len(first := {text: -number for number, text in enumerate(reversed(texts), 1)}) < len(texts):
        again[:] = 1
        again[list(first.values())] = 0
    return rows


def _of_text(blocks: Blocks) -> list[Row]:
    rows = blocks.texts
    return [np.log1p(blocks.weight), blocks.share, rows[:5], np.log1p(rows[5:7]), rows[7:]]


def _of_markup(blocks: Blocks) -> list[Row]:
    outline, alike, last = blocks.outline, blocks.alike, blocks.layout.last
    return [
        *(_counts_between(places_of(blocks.page.tag, tag), last) for tag in ("a", "img")),
        np.log(np.bincount(alike))[alike],
        np.array(outline.nearest)[outline.leaf],
    ]


def _counts_between(places: list[int], ends: list[int]) -> Row:
    """How many places are before each end and not before the one in front of it, as a logarithm."""
    counts: Integers = np.searchsorted(np.array(places, dtype=np.int64), np.array(ends, dtype=np.int64))
    counts[1:] -= counts[:-1].copy()
    return np.log1p(counts)


def _of_page(blocks: Blocks) -> list[Row]:
    size, total, weight = len(blocks), blocks.total, blocks.weight
    told = np.array([blocks.outline.told[number][3] for number in blocks.outline.leaf.tolist()])
    comments, forum = (told & COMMENT) > 0, (told & FORUM) > 0
    before = np.cumsum(weight) - weight
    places = np.arange(size)
    commented = weight * comments
    figures = (
        math.log1p(total),
        blocks.linked.sum() / total,
        math.log1p(size),
        commented.sum() / total,
        weight[forum].sum() / total,
        blocks.long.sum() / total,
        blocks.dated.mean(),
        blocks.page.tag.count("article"),
        blocks.page.tag.count("h1"),
        blocks.head.article,
        blocks.head.product,
    )
    return [
        (before + weight / 2) / total,
        places / size,
        np.log1p(places),
        np.log1p(places[::-1]),
        comments,
        forum,
        (np.cumsum(commented) - commented.sum() / 2) / total,
        np.broadcast_to(np.array(figures)[:, None], (len(figures), size)),
    ]


def _of_containers(blocks: Blocks) -> list[Row]:
    outline, size = blocks.outline, len(blocks)
    start, end, total = outline.start, outline.end, blocks.total
    weight, linked, long, dated, worth = blocks.sums(blocks.weight, blocks.linked, blocks.long, blocks.dated, blocks.worth)
    count, some = np.maximum(end - start, 1), np.maximum(weight, 1)
    kind = _kinds(outline)
    repeats = np.bincount(kind)[kind]
    each = np.array(
        [
            np.log1p(weight), linked / some, np.log1p(weight / count), np.log(count), weight / total, long / some,
            dated / count, np.log(repeats), worth / max(worth.max(), 1.0), outline.nearest,
        ]
    )  # fmt: skip
    places, groups = np.arange(size), blocks.groups
    told = chain.from_iterable([outline.told[number][:3] for number in outline.holder.tolist()])
    levels = np.empty((_LEVELS, len(each) + 2, size))
    levels[:, :-2] = each[:, groups].swapaxes(0, 1)
    levels[:, -2] = blocks.weight / some[groups]
    levels[:, -1] = (places - start[groups]) / count[groups]
    rows: list[Row] = [np.fromiter(told, np.float64, 3 * size).reshape(-1, 3).T, levels[0, :-2], *levels[1:]]
    unit = _units(outline, repeats, count)[outline.holder]
    alike = np.bincount(kind, weight)[kind] / total
    rows += [each[:8, unit], alike[unit], places - start[unit], _ordinal(unit)]
    rows += _around(blocks, int(np.argmax(worth)))
    parent = outline.wider[outline.holder]
    rows += _around(blocks, int(np.argmax(np.bincount(parent, blocks.long, len(outline)))))
    return rows


def _ordinal(unit: Integers) -> Row:
    """How many units came before that of each block."""
    return np.concatenate([[0.0], np.cumsum(np.diff(unit) != 0)])


def _around(blocks: Blocks, chosen: int) -> list[Row]:
    """For each level, whether the element around a block holds a chosen element; and where the block is to that element."""
    outline, places = blocks.outline, np.arange(len(blocks))
    start, end = outline.start[chosen], outline.end[chosen]
    holds = (outline.start <= start) & (outline.end >= end)
    away = np.maximum(start - places, 0) - np.maximum(places - end + 1, 0)
    return [
        holds[blocks.groups],
        np.sign(away) * np.log1p(np.abs(away)),
        np.full(len(blocks), (end - start) / len(blocks)),
    ]


def _units(outline: Outline, repeats: Integers, count: Integers) -> Integers:
    """For each element the nearest one around it, or itself, that holds several blocks and has two others like it."""
    units: list[int] = []
    is_unit = ((repeats > 2) & (count > 1)).tolist()
    for number, above in enumerate(outline.parent):
        units.append(number if is_unit[number] else units[above] if number else 0)
    return np.array(units)


def _kinds(outline: Outline) -> Integers:
    """The same number for elements of the same parent with the same tag and name."""
    kinds: dict[tuple[int, str, str], int] = {}
    return np.array([kinds.setdefault(key, len(kinds)) for key in zip(outline.parent, outline.tag, outline.name, strict=True)])


def _of_neighbours(blocks: Blocks) -> list[Row]:
    size, share = np.log1p(blocks.weight), blocks.share
    around = blocks.outline.wider[blocks.outline.holder].astype(np.float64)
    return [
        *(shift(size, by) for by in _NEAR),
        *(shift(share, by, 1.0) for by in _NEAR),
        shift(around, 1, -1) == around,
        shift(around, -1, -1) == around,
        smooth(size * (share < _LINKED), _NARROW),
    ]


def _of_landmarks(blocks: Blocks) -> list[Row]:
    tags = [blocks.outline.tag[number] for number in blocks.outline.holder.tolist()]
    places = np.arange(len(blocks))
    heading = np.array([tag in ("h1", "h2", "h3", "h4", "h5", "h6") for tag in tags])
    above = np.maximum.accumulate(np.where(heading, places, -1))
    return [
        _distance(tags.index("h1") if "h1" in tags else None, places),
        _distance(int(blocks.in_title.argmax()) if blocks.in_title.any() else None, places),
        np.where(above < 0, 9.0, np.log1p(places - above)),
        np.where(above < 0, 0.0, blocks.tone[above]),
        np.where(above < 0, 0.0, np.log1p(blocks.weight)[above]),
        shift(blocks.tone, 1),
        shift(blocks.tone, -1),
        smooth(blocks.tone, _NARROW),
    ]


def _distance(landmark: int | None, places: Integers) -> Row:
    """How many blocks after (before, when negative) a landmark each block stands, as a logarithm."""
    if landmark is None:
        return np.full(len(places), -9.0)
    away = places - landmark
    return np.sign(away) * np.log1p(np.abs(away))


def describe_again(blocks: Blocks, rows: Matrix, score: Floats) -> Matrix:
    """The features of the second stage: those of the first, and what its scores tell."""
    width = np.sqrt(blocks.weight + 1)
    mass = score * width
    total = max(mass.sum(), 1e-9)
    many = score * np.minimum(blocks.weight / _LONG, 1)
    more: list[Row] = [
        score,
        *(shift(score, by) for by in (1, 2, 3, 4, -1, -2, -3, -4)),
        *_scores_of_containers(blocks, mass, width, many),
        *_scores_of_runs(score, many),
        *_scores_of_alike(blocks.alike, mass, width, many),
        *(smooth(mass, bell) / smooth(width, bell) for bell in (_MIDDLE, _WIDE)),
        np.cumsum(mass) / total,
        np.full(len(score), total / width.sum()),
        np.full(len(score), score.max()),
    ]
    return _matrix([rows, *more], len(score))


def _scores_of_containers(blocks: Blocks, mass: Floats, width: Floats, many: Floats) -> list[Row]:
    outline = blocks.outline
    inside, room, count, worth = blocks.sums(mass, width, many, mass * 2 - width)
    total = max(mass.sum(), 1e-9)
    each = np.array([inside / np.maximum(room, 1e-9), inside / total, count, worth / max(worth.max(), 1e-9)])
    parent = outline.wider[outline.holder]
    return [
        *each[:, blocks.groups[1:]].swapaxes(0, 1),
        *_around(blocks, int(np.argmax(worth))),
        *_around(blocks, int(np.argmax(np.bincount(parent, many * blocks.weight, len(outline))))),
    ]


def _scores_of_runs(score: Floats, many: Floats) -> list[Row]:
    """How far the nearest long blocks with a good score are before and after, and the best scores there."""
    places = np.arange(len(score))
    good = many > 0.5
    before = np.maximum.accumulate(np.where(good, places, -99))
    after = np.minimum.accumulate(np.where(good, places, len(score) + 99)[::-1])[::-1]
    return [
        np.log1p(places - before),
        np.log1p(after - places),
        np.maximum.accumulate(many),
        np.maximum.accumulate(many[::-1])[::-1],
        np.cumsum(many),
        np.cumsum(many[::-1])[::-1],
    ]


def _scores_of_alike(alike: Integers, mass: Floats, width: Floats, many: Floats) -> list[Row]:
    return [(np.bincount(alike, mass) / np.bincount(alike, width))[alike], np.bincount(alike, many)[alike]]
