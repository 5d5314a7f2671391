from __future__ import annotations

import numpy as np

from support.focused_graph import mixed_links, page_of
from trasmallo.crawl.focus.link_scorer import score_links
from trasmallo.crawl.focus.notes import SeenLink, SeenPage, note
from trasmallo.crawl.focus.observed import Observed
from trasmallo.crawl.focus.page_classifier import classify
from trasmallo.crawl.focus.weights import LINK_FEATURES
from trasmallo.crawl.focus.words import numbers_of


def test_links_with_words_of_the_topic_come_before_others() -> None:
    observed = Observed()
    for number in range(20):
        kind = "boats" if number % 2 == 0 else "banks"
        observed.add(note(page_of(kind, number, mixed_links(3 * number), example=number == 0)))
    columns = observed.columns()
    scored = score_links(columns, classify(columns, numbers_of(["vela", "barco"]), {0: 1.0}))
    waiting = columns.fetched < 0
    boats = np.array(["boats" in url for url in observed.urls])
    assert scored.scores[waiting & boats].mean() > scored.scores[waiting & ~boats].mean()
    assert scored.features.shape == (len(observed.urls), len(LINK_FEATURES))
    assert np.isfinite(scored.scores).all()


def test_a_page_without_links_and_one_with_bare_links_are_scored() -> None:
    observed = Observed()
    observed.add(note(SeenPage("https://a.example/", "", "", (SeenLink("https://b.example/"),))))
    columns = observed.columns()
    assert np.isfinite(score_links(columns, classify(columns, [], {})).scores).all()
