"""What a crawl asks of whoever brings answers for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

from trasmallo.values.model import Failure, Fetch, Response

Recall = Callable[[str], tuple[Response, Fetch] | None]
"""What an earlier session of this crawl stored for a URL and could not finish; None when it must be asked for."""


class Fetching(Protocol):
    """What brings answers: `fetch.Fetcher`, or the tests' fake web."""

    async def get(
        self,
        url: str,
        *,
        method: str = "GET",
        headers: Mapping[str, str] = {},
        progress: Callable[[int, int], None] | None = None,
        from_public: bool = False,
    ) -> Response | Failure:
        """One answer or failure, redirects not followed; `from_public` when nothing private may be asked."""
