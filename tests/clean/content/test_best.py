from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.article_pages import MENU, SENTENCE, furnished, main_of
from support.broken_markup import soup
from support.effort import effort
from trasmallo.clean.content.best import find_best, load, score, threshold
from trasmallo.clean.content.rules import find_main
from trasmallo.clean.dom import see

ARTICLE = f"<h1>Las redes</h1><p>{SENTENCE * 3}</p><p>{SENTENCE * 2}</p><p>{SENTENCE * 4}</p>"


@pytest.mark.parametrize("html", furnished(ARTICLE))
def test_the_article_without_menus_forms_and_footers(html: str) -> None:
    found = main_of(find_best, html)

    assert [text for text in found if text != "Las redes"] == [(SENTENCE * n).strip() for n in (3, 2, 4)]


def test_comments_are_left_out() -> None:
    said = "<p>Qué buena red, la mía se rompió.</p><a href=#>Responder</a>"
    comment = f"<div class=comment><b>Ana</b> <span>3/5/2020 10:12</span>{said}</div>"

    found = main_of(find_best, f"<article>{ARTICLE * 2}</article><div id=comments><h3>Comentarios</h3>{comment * 4}</div>")

    assert not any("rompió" in text for text in found)
    assert (SENTENCE * 4).strip() in found


def test_a_page_of_links_or_of_one_word_is_not_empty() -> None:
    assert main_of(find_best, MENU) != []
    assert main_of(find_best, f"<nav>{MENU}</nav>") != []
    assert main_of(find_best, "x") == ["x"]
    assert main_of(find_best, "<div></div>") == []


def test_more_blocks_than_the_model_sees_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    page, layout = see("<nav><a href=/>inicio</a></nav><p>uno</p><p>dos</p>")
    monkeypatch.setattr("trasmallo.clean.content.best.MOST_BLOCKS", len(layout) - 1)

    assert find_best(page, layout, favour=0.2) == find_main(page, layout, favour=0.2)


def test_favour_goes_from_precision_to_recall() -> None:
    html = f"<div>{MENU}</div><div>{ARTICLE}<p>Corto.</p></div><div class=comments><p>{SENTENCE * 2}</p></div>{MENU}"

    sizes = [len(" ".join(main_of(find_best, html, favour / 4))) for favour in range(5)]

    assert sizes == sorted(sizes)
    assert sizes[0] < sizes[-1]


def test_favour_moves_the_threshold_as_far_as_it_was_calibrated() -> None:
    scores = np.linspace(0.01, 0.999, 60)
    low, usual, high = (threshold(scores, [50] * 60, favour) for favour in (1.0, 0.5, 0.0))

    assert low < 0.12 < usual < 0.6 < 0.95 < high
    assert threshold(scores, [50] * 60, 0.49) > usual > threshold(scores, [50] * 60, 0.51)


def test_a_sentence_is_left_however_much_precision_is_favoured() -> None:
    scores, words = np.array([0.9, 0.86, 0.1, 0.88]), [5, 40, 300, 60]

    assert threshold(scores, words, 0.0) == 0.86, "the best block has one word, and two have not enough"
    assert threshold(scores, [5, 40, 300, 99], 0.0) == 0.88
    assert threshold(scores, [1, 1, 1, 1], 0.0) == threshold(scores, words, 0.5), "never below the usual one"


@given(st.lists(st.tuples(st.floats(0.01, 0.99), st.integers(0, 200)), min_size=1), st.floats(0, 1), st.floats(0, 1))
def test_whoever_favours_recall_gets_no_less(blocks: list[tuple[float, int]], one: float, other: float) -> None:
    scores, weights = np.array([score for score, _ in blocks]), [weight for _, weight in blocks]

    assert threshold(scores, weights, max(one, other)) <= threshold(scores, weights, min(one, other))


def test_the_threshold_is_lower_where_the_model_is_unsure() -> None:
    sure, unsure = np.linspace(0.01, 0.99, 60), np.linspace(0.01, 0.7, 60)

    assert threshold(unsure, [50] * 60, 0.5) < threshold(sure, [50] * 60, 0.5) < 0.7
    assert threshold(np.array([0.001]), [1], 0.0) == 0.001


def test_scores_are_probabilities_and_the_model_is_read_once() -> None:
    scores = score(*see(f"{MENU}{ARTICLE}"), load())

    assert ((scores > 0) & (scores < 1)).all()
    assert load() is load()


def test_a_page_of_very_many_blocks_takes_no_more_than_its_share() -> None:
    page, layout = see(f"<div><p>{SENTENCE}</p></div>" * 20_000)

    assert len(find_best(page, layout)) == 20_000
    assert effort(lambda: find_best(page, layout), 10) < 10


@settings(deadline=None)
@given(soup)
def test_never_empty_when_there_is_text(html: str) -> None:
    page, layout = see(html)

    assert any(find_best(page, layout)) == bool(layout.text)
