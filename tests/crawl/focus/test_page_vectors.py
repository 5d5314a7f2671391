from __future__ import annotations

import numpy as np

from trasmallo.crawl.focus.page_vectors import PageVectors, topic_vector, unit


def vectors() -> PageVectors:
    """Pages 0 and 1 share word 7, page 2 has words of its own."""
    return PageVectors(np.array([7, 8, 7, 9, 3, 4]), np.array([0, 0, 1, 1, 2, 2]), np.ones(6), 3)


def test_pages_are_like_those_whose_words_they_share() -> None:
    made = vectors()
    assert made.likeness_to_pages(np.array([0])).argmax() == 1
    assert made.likeness_to_pages(np.array([0]))[0, [0, 2]].tolist() == [0.0, 0.0], "itself counts as nothing"
    assert np.isclose(made.likeness(made.centroid(np.array([1.0, 0.0, 0.0])))[0], 1)


def test_a_contrast_is_told_with_what_each_page_brought() -> None:
    made, weights = vectors(), np.array([1.0, 0.0, -1.0])
    contrast, own = made.contrast(weights)
    without = made.likeness(contrast) - own
    assert np.isclose(np.linalg.norm(contrast), 1)
    assert np.allclose(without[[0, 2]], 0), "nothing but itself speaks for either"
    assert without[1] > 0


def test_words_of_pages_on_topic_have_the_odds_and_unheard_ones_none() -> None:
    odds = vectors().odds(np.array([1.0, 1.0, 0.0]))
    assert odds[7] > 0 > odds[3]
    assert odds[1000] == 0


def test_nothing_has_no_direction() -> None:
    assert not unit(np.zeros(4)).any()
    assert not topic_vector([], np.ones(4)).any()
