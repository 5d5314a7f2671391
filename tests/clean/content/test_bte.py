from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from support.article_pages import MENU, SENTENCE
from trasmallo.clean.content.bte import NodeRange, Slope, count_words, find_main, find_sections, low_shares, plateau, slope_of
from trasmallo.clean.content.stream import TextStream
from trasmallo.clean.dom import see


def main_of(html: str, *, sections: bool = False, favour: float = 0.5) -> str:
    page, layout = see(html)
    flags = (find_sections if sections else find_main)(page, layout, favour=favour)
    return "\n".join(layout.text[a:b] for a, b, main in zip(layout.start, layout.end, flags, strict=True) if main)


@pytest.mark.parametrize("sections", [False, True])
def test_the_text_between_two_menus(sections: bool) -> None:
    html = f"{MENU}<div><p>{SENTENCE * 5}</p><p>{SENTENCE * 4}</p></div>{MENU}"

    assert main_of(html, sections=sections) == f"{(SENTENCE * 5).strip()}\n{(SENTENCE * 4).strip()}"


def test_only_the_window_finds_two_texts_far_apart() -> None:
    html = f"{MENU}<p>{SENTENCE * 9}</p>{MENU * 8}<p>{SENTENCE * 9}</p>{MENU}"

    assert main_of(html).count("calmado") == 9
    assert main_of(html, sections=True).count("calmado") == 18


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 9)), min_size=1, max_size=12))
def test_the_plateau_is_the_best_of_all_stretches(pairs: list[tuple[int, int]]) -> None:
    tags, words = [tag for tag, _ in pairs], [word for _, word in pairs]
    slope = Slope(TextStream(list(range(len(pairs))), tags, 3), words)

    def worth(first: int, last: int) -> int:
        outside = sum(tags[: first + 1]) + sum(tags[last + 1 :]) + slope.stream.trailing
        return outside + sum(words[first : last + 1])

    found = plateau(slope)
    assert found is not None
    stretches = itertools.combinations_with_replacement(range(len(pairs)), 2)
    assert worth(*found) == max(worth(*stretch) for stretch in stretches)


def test_tags_that_dress_text_do_not_count() -> None:
    page, layout = see("<p>uno <b>dos</b> <i>tres</i> <a href=/>cuatro</a></p>")

    assert slope_of(page, layout).stream.tags == [3, 0, 0, 1]


def test_words_of_scripts_without_spaces() -> None:
    assert count_words("uno dos") == 2
    assert count_words("漁網を夕方に") > 5


def test_a_page_without_text() -> None:
    nothing = Slope(TextStream([], [], 4), [])

    assert plateau(nothing) is None
    assert low_shares(nothing) == []
    assert find_sections(*see("<p>&shy;"), favour=0.5) == []
    assert main_of("<div></div>") == main_of("<div></div>", sections=True) == ""


def test_where_the_slope_is_low_everywhere_all_is_kept() -> None:
    assert plateau(Slope(TextStream([1], [2], 2), [50])) == NodeRange(0, 0)
    assert main_of(f"<p>{SENTENCE}", sections=True) == SENTENCE.strip()
