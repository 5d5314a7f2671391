from __future__ import annotations

import numpy as np

from trasmallo.crawl.focus.link_scorer import score_links
from trasmallo.crawl.focus.notes import SeenLink, SeenPage, note
from trasmallo.crawl.focus.observed import Observed
from trasmallo.crawl.focus.page_classifier import classify
from trasmallo.crawl.focus.weights import LINK_FEATURES
from trasmallo.crawl.focus.words import numbers_of
from trasmallo.values.arrays import Array

BOATS, BANKS = "vela latina barco mástil viento puerto " * 20, "banco crédito deuda interés cuenta préstamo " * 20


def linked(*named: tuple[str, str]) -> tuple[SeenLink, ...]:
    return tuple(SeenLink(f"https://a.example/{name}", anchor) for name, anchor in named)


def scored(*pages: SeenPage) -> dict[str, dict[str, float]]:
    """The features of each address by name."""
    observed = Observed()
    for page in pages:
        observed.add(note(page))
    columns = observed.columns()
    rows: Array = score_links(columns, classify(columns, numbers_of(["vela", "barco"]), {0: 1.0})).features
    return {url: dict(zip(LINK_FEATURES, rows[number].tolist(), strict=True)) for url, number in observed.numbers.items()}


def test_a_link_gains_from_those_beside_it_before_any_was_followed() -> None:
    good = linked(("g1", "vela latina"), ("unsaid", "más"), ("g2", "barco de vela"), ("g3", "mástil"))
    dull = linked(("d1", "crédito"), ("unsaid-too", "más"), ("d2", "deuda"), ("d3", "interés"))
    found = scored(
        SeenPage("https://a.example/boats", "Vela", BOATS, good, example=True),
        SeenPage("https://a.example/banks", "Banca", BANKS, dull),
    )
    one, other = found["https://a.example/unsaid"], found["https://a.example/unsaid-too"]
    for feature in ("expected_hub", "expected_beside", "walk"):
        assert one[feature] > other[feature], feature


def test_words_count_by_what_links_with_them_led_to() -> None:
    start = linked(("b1", "Clase Optimist"), ("k1", "Cuenta corriente"), ("b2", "Clase Laser"), ("k2", "Cuenta nómina"))
    pages = [SeenPage("https://a.example/start", "Vela", BOATS, start, example=True)]
    pages += [SeenPage("https://a.example/b1", "Optimist", BOATS), SeenPage("https://a.example/k1", "Corriente", BANKS)]
    found = scored(*pages)
    assert found["https://a.example/b2"]["anchor_outcomes"] > 0 > found["https://a.example/k2"]["anchor_outcomes"]


def test_features_are_finite_without_links_and_with_one() -> None:
    for links in ((), linked(("only", ""))):
        found = scored(SeenPage("https://a.example/", "", "", links))
        assert all(np.isfinite(list(features.values())).all() for features in found.values())
