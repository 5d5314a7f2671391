"""What an unfocused crawl of the same size would have brought, replayed from the links that were seen.

Links are followed in the order in which they were found, from the start pages on. A page that was fetched counts as it was
judged; of one that was not, only its score is known, a probability, and where it leads is not.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from trasmallo.crawl.focus.model import FocusModel


def expected_unfocused(model: FocusModel, pages: int) -> float | None:
    """The number of pages on topic among so many, as expected; None when the links do not lead to so many."""
    observed = model.observed
    queue = deque(page.url for page in observed.pages if page.example and not page.url.startswith("example:"))
    if not queue and observed.pages:
        queue.append(observed.pages[0].url)
    seen, asked, expected = set(queue), 0, 0.0
    while queue and asked < pages:
        url = queue.popleft()
        asked += 1
        number, topicality = observed.page_number(url), model.topicality(url)
        expected += topicality if topicality is not None else _probability(model.score(url))
        for link in observed.links_of(number) if number is not None else ():
            if link not in seen:
                seen.add(link)
                queue.append(link)
    return round(expected, 1) if asked >= pages else None


def _probability(score: float | None) -> float:
    return 0.0 if score is None else 1 / (1 + float(np.exp(-np.clip(score, -30, 30))))
