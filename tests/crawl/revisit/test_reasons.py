"""Reasons in words, in English and in Spanish."""

from __future__ import annotations

import pytest

from trasmallo.crawl.revisit.reasons import Grounds, reason
from trasmallo.crawl.revisit.visits import Source
from trasmallo.web.words import Words


def test_a_reason_is_said_in_both_languages() -> None:
    said = reason(Grounds(visits=12, changes=5, seen=9, age=2.6, busy=1))
    assert said == "changed 5 times in 12 visits; its site changed yesterday; last seen 9 days ago; expected age 2.6 d"
    spanish = "cambió 5 veces en 12 visitas; su sitio cambió ayer; vista por última vez hace 9 días; edad esperada: 2.6 d"
    assert Words("es").phrase(said) == spanish


@pytest.mark.parametrize(
    ("grounds", "part"),
    [
        (Grounds(visits=0, changes=0, seen=0.5, age=0.1), "not visited again yet; last seen 12 hours ago"),
        (Grounds(visits=1, changes=1, seen=3, age=1), "changed when it was visited again"),
        (Grounds(visits=1, changes=0, seen=3, age=1), "unchanged when it was visited again"),
        (Grounds(visits=9, changes=0, seen=3, age=1), "unchanged in 9 visits"),
        (Grounds(visits=9, changes=1, seen=3, age=1), "changed once in 9 visits"),
        (Grounds(visits=9, changes=1, seen=3, age=1, busy=0), "its site changed today"),
        (Grounds(visits=9, changes=1, seen=3, age=1, busy=4), "its site changed 4 days ago"),
        (Grounds(visits=9, changes=1, seen=3, age=1, gone=2), "not found 2 times"),
        (Grounds(visits=9, changes=1, seen=3, age=1, claimed=1.5), "by its sitemap it changed 1.5 days ago"),
        (Grounds(visits=9, changes=1, seen=3, age=1, claimed=1.5, source=Source.FEED), "by its feed it changed"),
    ],
)
def test_every_ground_has_its_words(grounds: Grounds, part: str) -> None:
    assert part in reason(grounds)
    assert Words("es").phrase(reason(grounds)) != reason(grounds)


def test_a_page_that_was_only_missed_since_is_not_called_unvisited() -> None:
    assert reason(Grounds(visits=0, changes=0, seen=3, age=1, gone=2)).startswith("not found 2 times; last seen")
