from __future__ import annotations

import numpy as np

from support.focused_graph import mixed_links, page_of
from trasmallo.crawl.focus.notes import note
from trasmallo.crawl.focus.observed import Observed
from trasmallo.crawl.focus.page_classifier import classify
from trasmallo.crawl.focus.words import numbers_of


def window() -> Observed:
    observed = Observed()
    for number in range(40):
        kind = "boats" if number % 2 == 0 else "banks"
        observed.add(note(page_of(kind, number, mixed_links(number), example=number == 0)))
    return observed


def test_pages_on_topic_are_told_from_others() -> None:
    judged = classify(window().columns(), numbers_of(["vela"]), {0: 1.0})
    boats, banks = judged.topicality[2::2], judged.topicality[1::2]
    assert boats.min() > banks.max()
    assert np.all((judged.topicality >= 0) & (judged.topicality <= 1))


def test_marks_decide_for_their_page_and_teach_the_others() -> None:
    judged = classify(window().columns(), [], {0: 0.0, 1: 1.0, 3: 1.0})
    assert judged.topicality[[0, 1, 3]].tolist() == [0.0, 1.0, 1.0]
    assert judged.topicality[5::2].mean() > judged.topicality[4::2].mean()


def test_contradictory_marks_are_borne() -> None:
    judged = classify(window().columns(), numbers_of(["vela"]), {number: float(number % 4 == 0) for number in range(40)})
    assert np.isfinite(judged.odds).all()
    assert judged.topicality.tolist() == [float(number % 4 == 0) for number in range(40)]


def test_a_window_without_words_and_a_topic_without_any_are_judged() -> None:
    observed = Observed()
    observed.add(note(page_of("boats", 0, [])))
    empty = classify(observed.columns(), [], {})
    assert np.isfinite(empty.topicality).all()
