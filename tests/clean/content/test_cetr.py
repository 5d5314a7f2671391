from __future__ import annotations

import numpy as np
import pytest

from support.article_pages import MENU, SENTENCE
from trasmallo.clean.content.cetr import changes, choose, cluster, find_by_ratio, find_main, smooth, tag_ratios
from trasmallo.clean.dom import see


def test_characters_per_tag_of_each_block() -> None:
    page, layout = see("<p>uno dos</p><div><p>uno <b>dos</b> tres</p></div>")

    # html, body and p open before the first; </p>, div, p, b and /b before the end of the second.
    assert list(tag_ratios(page, layout)) == [6 / 3, 10 / 5]


def test_smoothing_keeps_the_sum_of_the_middle_and_flat_series() -> None:
    assert smooth(np.full(7, 3.0)) == pytest.approx(np.full(7, 3.0))
    bell = smooth(np.array([0.0, 0, 0, 9, 0, 0, 0]))
    assert bell.sum() == pytest.approx(9)
    assert bell[3] == bell.max()
    assert list(bell) == pytest.approx(list(bell[::-1]))
    assert len(smooth(np.array([]))) == 0


def test_changes_are_high_at_the_border() -> None:
    series = np.array([0.0] * 8 + [9.0] * 8)

    assert changes(series)[7] > 5 * changes(series)[2]
    assert changes(series)[12] == 0


def test_a_fixed_centre_does_not_move() -> None:
    points = np.array([[1.0], [1.0], [8.0], [10.0]])

    assert cluster(points, np.array([[0.0], [9.0]]), first_fixed=True).tolist() == [[0.0], [9.0]]
    assert cluster(points, np.array([[0.0], [9.0]]), first_fixed=False).tolist() == [[1.0], [9.0]]


def test_favour_moves_the_border() -> None:
    points = np.array([[0.0], [1.0], [3.0], [4.0], [5.0], [9.0], [10.0]])

    sizes = [sum(choose(points, first_fixed=True, favour=favour / 10)) for favour in range(11)]

    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


@pytest.mark.parametrize("find", [find_main, find_by_ratio])
def test_the_text_between_two_menus(find: object) -> None:
    assert callable(find)
    page, layout = see(f"{MENU}<p>{SENTENCE * 5}</p><p>{SENTENCE * 4}</p><p>{SENTENCE * 5}</p>{MENU}")
    flags = find(page, layout, favour=0.5)
    sizes = [layout.text[a:b].count("calmado") for a, b, main in zip(layout.start, layout.end, flags, strict=True) if main]

    # Smoothing and looking ahead take in no more than the neighbours of the text.
    assert [size for size in sizes if size] == [5, 4, 5]
    assert len(sizes) <= 9


@pytest.mark.parametrize("find", [find_main, find_by_ratio])
def test_a_page_without_text(find: object) -> None:
    assert callable(find)
    assert find(*see("<div></div>"), favour=0.5) == []
    assert find(*see("<p>&shy;"), favour=0.5) == []
