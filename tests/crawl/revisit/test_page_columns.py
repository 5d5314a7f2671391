"""Groups of pages: which site has a prior and an activity of its own, and which part of it."""

from __future__ import annotations

import numpy as np

from trasmallo.crawl.revisit.activity import Activity
from trasmallo.crawl.revisit.page_columns import FEWEST_PAGES, FREQUENCIES, PAGE, PageGroups
from trasmallo.crawl.revisit.rates import Priors


def test_a_page_is_sixty_bytes() -> None:
    assert PAGE.itemsize == 64


def test_large_sites_have_their_own() -> None:
    activity, priors = Activity(), Priors()
    groups = PageGroups(priors, activity)
    groups.count(np.array([0] * FEWEST_PAGES + [1]))
    groups.note_visits(np.array([0, 1, 0]))
    assert list(groups.rows) == [0, -1]
    assert len(activity) == 1
    pages = np.zeros(3, PAGE)
    pages["site"], pages["frequency"] = [0, 1, 0], [0, 0, FREQUENCIES.index("daily")]
    assert list(groups.priors_of(pages)) == [1, 0, 1]
    groups.part(pages["site"], pages["frequency"])
    groups.part(pages["site"], pages["frequency"])
    assert list(groups.priors_of(pages)) == [1, 0, 2]
    assert list(priors.parents) == [0, 0, 1]
    assert groups.moved
    assert groups.nbytes
