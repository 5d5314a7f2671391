"""Trust in sitemaps and feeds is learnt: who lies is soon not heard."""

from __future__ import annotations

import numpy as np
import pytest

from trasmallo.crawl.revisit.trust import SOURCES, Trust
from trasmallo.crawl.revisit.visits import Source

YES, NO = np.array([True]), np.array([False])
HERE, ELSEWHERE, FIRST = np.array([0]), np.array([9]), np.array([0])


def test_a_site_that_is_not_known_is_believed_a_little() -> None:
    trust = Trust()
    assert trust.odds(HERE, FIRST, YES) == pytest.approx(2)
    assert trust.odds(HERE, FIRST, NO) == pytest.approx(0.5)
    assert len(Source) == SOURCES


@pytest.mark.parametrize(
    ("claims", "asked", "least", "most"),
    [
        (lambda changed: True, YES, 0.8, 1.2),  # everything changed today
        (lambda changed: False, NO, 0.8, 1.2),  # never brought up to date
        (lambda changed: changed, YES, 10, 1e9),  # right
        (lambda changed: not changed, YES, 0, 0.2),  # upside down
    ],
)
def test_claims_are_worth_what_visits_showed(claims: object, asked: np.ndarray, least: float, most: float) -> None:
    trust, chance = Trust(), np.random.default_rng(2)
    for changed in chance.random(200) < 0.3:
        trust.learn(HERE, FIRST, np.array([changed]), np.array([claims(bool(changed))]))  # type: ignore[operator]
    assert least <= trust.odds(HERE, FIRST, asked)[0] <= most
    assert trust.odds(ELSEWHERE, FIRST, YES) == pytest.approx(2), "of another site nothing is learnt"
    assert trust.odds(HERE, FIRST + 1, YES) == pytest.approx(2), "nor of another source"
    assert trust.nbytes
