from __future__ import annotations

from trasmallo.crawl.focus.topic import Mark, standing


def test_the_last_mark_counts_and_none_takes_it_back() -> None:
    said = [("a", True), ("b", False), ("a", False), ("c", True), ("c", None)]
    assert list(standing([Mark(url=url, on_topic=answer) for url, answer in said]).items()) == [("b", False), ("a", False)]
