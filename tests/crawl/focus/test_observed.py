from __future__ import annotations

from support.focused_graph import address, mixed_links, page_of
from trasmallo.crawl.focus.notes import note
from trasmallo.crawl.focus.observed import Observed


def filled(observed: Observed, pages: int) -> Observed:
    for number in range(pages):
        observed.add(note(page_of("boats", number, mixed_links(number), example=number == 0)))
    return observed


def test_columns_say_which_links_lead_where() -> None:
    observed = filled(Observed(), 3)
    columns = observed.columns()
    assert len(columns.sources) == len(columns.targets) == 30
    assert [observed.urls[target] for target in columns.targets[:2]] == [address("boats", 0), address("banks", 0)]
    assert columns.fetched[observed.numbers[address("boats", 2)]] == 2
    assert columns.fetched[observed.numbers[address("banks", 2)]] == -1
    assert [columns.sources[link] for link in observed.links_to(address("banks", 2))] == [0, 1, 2]
    assert observed.anchor(int(observed.links_to(address("banks", 2))[-1])) == "interes"


def test_a_page_counts_once() -> None:
    observed = filled(filled(Observed(), 3), 3)
    assert len(observed.pages) == 3


def test_the_window_forgets_the_old_but_not_examples_and_marks() -> None:
    observed = Observed(most_pages=20)
    observed.held = frozenset([address("boats", 3)])
    filled(observed, 60)
    assert len(observed.pages) <= 20
    kept = {page.url for page in observed.pages}
    assert {address("boats", 0), address("boats", 3), address("boats", 59)} <= kept
    assert address("boats", 5) not in kept
    columns = observed.columns()
    assert int(columns.sources.max()) == len(observed.pages) - 1
    assert len(columns.fetched) == len(observed.urls)


def test_pages_with_very_many_links_are_forgotten_earlier() -> None:
    observed = filled(Observed(most_links=50), 30)
    assert len(observed.columns().sources) <= 70
