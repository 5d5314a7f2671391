from __future__ import annotations

from support.focused_graph import boat_model, page_of
from trasmallo.crawl.focus.unfocused import expected_unfocused


def test_links_followed_as_they_came_bring_less() -> None:
    model = boat_model()
    for number in range(10, 15):
        model.observe(page_of("boats", number, []))
    model.fit()
    pages = len(model.observed.pages)
    expected = expected_unfocused(model, pages)
    on_topic = sum((model.topicality(page.url) or 0.0) for page in model.observed.pages)
    assert expected is not None
    assert 0 < expected < on_topic


def test_too_few_links_tell_nothing() -> None:
    assert expected_unfocused(boat_model(), 0) == 0.0
    assert expected_unfocused(boat_model(), 10_000) is None
