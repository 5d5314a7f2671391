from __future__ import annotations

from trasmallo.crawl.fetch.misfortune import Misfortune
from trasmallo.values.model import Outcome


def test_it_says_how_the_request_ended_and_why() -> None:
    met = Misfortune(Outcome.UNREACHABLE, "no such host")
    assert (met.outcome, met.cause, str(met)) == (Outcome.UNREACHABLE, "no such host", "no such host")
