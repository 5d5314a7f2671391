"""Which addresses belong to a crawl: near the seeds, not excluded, included by pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable

from trasmallo.config import CrawlConfig
from trasmallo.urls import host, registered_domain


class Scope:
    """The crawl's border. Exclusions and inclusions may be changed while the crawl runs."""

    def __init__(self, config: CrawlConfig) -> None:
        self._reach = config.scope
        self._home: frozenset[str] = frozenset(map(self._home_of, config.seeds))
        self.exclude(config.exclude)
        self.include(config.include)

    def exclude(self, texts: Iterable[str]) -> None:
        """From now on refuse addresses that contain one of these texts; a whole address is such a text too."""
        self._excluded = _any_of(re.escape(text) for text in texts)

    def include(self, patterns: Iterable[str]) -> None:
        """From now on accept only addresses that match one of these patterns (`*` is any text); none accepts all."""
        self._included = _any_of(re.escape(pattern).replace(r"\*", ".*") for pattern in patterns)

    def refuses(self, url: str, *, redirected: bool = False) -> str:
        """Why an address does not belong, "" when it does; a redirect may lead out of the seeds' places."""
        if self._excluded and (found := self._excluded.search(url)):
            return f"excluded by {found[0]!r}"
        if self._included and not self._included.search(url):
            return "matches none of the patterns to include"
        if not redirected and self._reach != "any" and self._home_of(url) not in self._home:
            return f"leads out of the seeds' {self._reach}s"
        return ""

    def _home_of(self, url: str) -> str:
        name = host(url)
        return name if self._reach == "host" else registered_domain(name)


def _any_of(patterns: Iterable[str]) -> re.Pattern[str] | None:
    joined = "|".join(patterns)
    return re.compile(joined, re.IGNORECASE) if joined else None
