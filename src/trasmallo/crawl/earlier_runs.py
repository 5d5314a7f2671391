"""What a crawl knows of the runs before it, so that it asks for a page only if it has changed, and follows what is new."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from trasmallo.crawl.outcomes import conditions_of
from trasmallo.values.model import Failure, Fetch, Locator, Outcome, Response, Target


class EarlierRuns(msgspec.Struct, frozen=True):
    """The pages that earlier runs stored: the newest version of a URL, its answer again, and whether a URL was obtained.

    `prepare` is told which URLs are asked for next.
    With `only_new` links lead to what no run has obtained; else a crawl goes through all pages that it reaches, and an answer
    that says "as before" leads where the stored page does.
    """

    prepare: Callable[[Sequence[str]], None]
    last_obtained: Callable[[str], Fetch | None]
    reread: Callable[[Locator], Response | None]
    knows: Callable[[str], bool]
    only_new: bool = False

    def conditions(self, url: str) -> dict[str, str]:
        """The headers that ask for a page only if it is not as it is stored."""
        return conditions_of(self.last_obtained(url))

    def read_links_of(self, answer: Response | Failure, fetch: Fetch) -> Response | Failure:
        """The answer whose links are those of the page: the stored one behind one that says that nothing changed."""
        if fetch.outcome is not Outcome.UNCHANGED or self.only_new or fetch.locator is None or isinstance(answer, Failure):
            return answer
        stored = self.reread(fetch.locator)
        if stored is None:
            return answer
        return msgspec.structs.replace(stored, url=answer.url, at=answer.at, address=answer.address)

    def wanted(self, found: list[Target]) -> list[Target]:
        """Of what a page leads to, what is to be asked for; what this crawl itself has asked for the frontier knows."""
        if not self.only_new:
            return found
        return [target for target in found if not self.knows(target.url)]
