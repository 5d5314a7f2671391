from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from support.broken_markup import soup
from trasmallo.clean.content.features import Blocks, FeatureTables, describe, describe_again, read_head, shift, smooth
from trasmallo.clean.content.outline import Names
from trasmallo.clean.content.texts import Phrases
from trasmallo.clean.dom import see
from trasmallo.clean.flat import flatten

NAMES, WORDS = {"menu": -2.0, "story": 1.0}, {"advertisement": -3.0, "said": 1.0}
TABLES = FeatureTables(Names(lambda word: NAMES.get(word, 0.0)), Phrases(WORDS.get))
PAGE = """<head><title>Las redes | Diario</title><meta name=description content="Cómo se tiende una red en la bahía.">
<meta property=og:type content=article></head><body><ul class=menu><li><a href=/>Inicio</a><li><a href=/mar>Mar</a></ul>
<div class=story><h1>Las redes</h1><p>Cómo se tiende una red en la bahía.</p><p>Advertisement</p><p>"""
PAGE += "Larga. " * 40 + "</p></div>"


def blocks_of(html: str) -> Blocks:
    return Blocks(*see(html), TABLES)


def test_the_head_of_a_page() -> None:
    head = read_head(flatten(PAGE))

    assert (head.title, head.description) == ("Las redes | Diario", "Cómo se tiende una red en la bahía.")
    assert (head.article, head.product) == (True, False)


def test_shift_and_smooth() -> None:
    values = np.array([1.0, 2.0, 3.0])

    assert shift(values, 1, 9).tolist() == [9, 1, 2]
    assert shift(values, -2).tolist() == [3, 0, 0]
    assert shift(values, 5).tolist() == [0, 0, 0]
    assert smooth(values, np.array([1.0, 0.0, 0.0])).tolist() == [2, 3, 0]


def test_what_the_texts_tell() -> None:
    blocks = blocks_of(PAGE)

    assert blocks.in_title.tolist() == [0, 0, 1, 0, 0, 0]
    assert blocks.tone.tolist() == [0, 0, 0, 0, -3, 0]
    assert blocks.share.tolist() == [1, 1, 0, 0, 0, 0]
    assert blocks.long.nonzero()[0].tolist() == [5]


def test_blocks_marked_up_alike_have_the_same_number() -> None:
    alike = blocks_of(PAGE).alike.tolist()

    assert alike[0] == alike[1]
    assert alike[3] == alike[4] == alike[5]
    assert len(set(alike)) == 3


def test_every_element_has_the_sums_of_its_blocks() -> None:
    blocks = blocks_of(PAGE)
    (weight,) = blocks.sums(blocks.weight)

    assert weight[0] == blocks.weight.sum()
    assert weight[blocks.outline.tag.index("ul")] == blocks.weight[:2].sum()


def test_the_second_stage_sees_the_scores_of_neighbours_and_containers() -> None:
    blocks = blocks_of(PAGE)
    rows = describe(blocks)

    low, high = (describe_again(blocks, rows, np.full(len(blocks), score)) for score in (0.1, 0.9))

    assert rows.shape[1] == low.shape[1] == len(blocks)
    assert (low[: len(rows)] == rows).all()
    assert (low[len(rows) :] != high[len(rows) :]).any(axis=0).all()


@settings(deadline=None)
@given(soup)
def test_every_feature_is_a_number_on_any_page(html: str) -> None:
    page, layout = see(html)
    if not len(layout):
        return
    blocks = Blocks(page, layout, TABLES)
    rows = describe(blocks)

    again = describe_again(blocks, rows, np.linspace(0, 1, len(layout)))

    assert np.isfinite(again).all()


@pytest.mark.parametrize("html", ["x", "<p>x", "<table>x<tr><td>y", "<body>x<body class=y>z"])
def test_pages_of_next_to_nothing(html: str) -> None:
    assert describe(blocks_of(html)).shape[1] >= 1
