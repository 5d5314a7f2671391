"""Which addresses belong to a crawl: near the seeds, not excluded, included by pattern."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cached_property
from urllib.parse import quote

from trasmallo.config import CrawlConfig
from trasmallo.values.local_addresses import is_local
from trasmallo.values.urls import host, registered_domain


class Scope:
    """The crawl's border. Exclusions and inclusions may be changed while the crawl runs.

    `changed` says that queued addresses may be older than the rules, so that each must be looked at again before it is asked;
    `version` is another one after each change.
    """

    def __init__(self, config: CrawlConfig) -> None:
        self.changed = False
        self.version = 0
        self._reach = config.scope
        self.seeds = frozenset(config.seeds)
        self.exclude(config.exclude)
        self.include(config.include)

    @cached_property
    def _home(self) -> frozenset[str]:
        """The places of the seeds; who reads the list of public suffixes for them waits for 70 ms."""
        return frozenset(self._home_of(seed) for seed in self.seeds if not is_local(seed))

    def exclude(self, texts: Iterable[str]) -> None:
        """From now on refuse addresses that contain one of these texts; one that ends in `$` must be the address's end."""
        self.version += 1
        self._excluded = _any_of(_regex(text) for text in texts)

    def include(self, patterns: Iterable[str]) -> None:
        """From now on accept only addresses that match one of these patterns (`*` is any text); none accepts all."""
        self.version += 1
        self._included = compile_patterns(patterns)

    def refuses(self, url: str, *, redirected: bool = False) -> str:
        """Why an address does not belong, "" when it does; a redirect may lead out of the seeds' places."""
        if self._excluded and (found := self._excluded.search(url)):
            return f"excluded by {found[0]!r}"
        if self._included and not self._included.search(url):
            return "matches none of the patterns to include"
        if not redirected and self._reach != "any" and not self.is_home(url):
            return f"leads out of the seeds' {self._reach}s"
        return ""

    def drops(self, url: str) -> str:
        """Why an address that was queued does not belong any more; seeds need not match patterns, redirects lead anywhere."""
        cause = self.refuses(url, redirected=True)
        return "" if url in self.seeds and not cause.startswith("excluded") else cause

    def is_home(self, url: str) -> bool:
        """Whether an address is at one of the seeds' hosts (or domains, if links may leave the hosts)."""
        return self._home_of(url) in self._home

    def _home_of(self, url: str) -> str:
        name = host(url)
        return name if self._reach == "host" else registered_domain(name)


def compile_patterns(patterns: Iterable[str]) -> re.Pattern[str] | None:
    """What finds addresses that match one of some patterns (`*` is any text, `$` the end); None for no patterns."""
    return _any_of(_regex(pattern, wild=True) for pattern in patterns)


def _regex(text: str, *, wild: bool = False) -> str:
    """A text as addresses have it, letters beyond ASCII escaped; `*` goes to the next place that fits and never looks back."""
    end = r"\Z" if text.endswith("$") else ""
    written = "".join(letter if "!" <= letter <= "~" else quote(letter) for letter in text.removesuffix("$"))
    *steps, last = [re.escape(step) for step in written.split("*") if step] or [""] if wild else [re.escape(written)]
    if wild and written.endswith("*"):
        end = ""
    if not steps:
        return last + end
    return r"\A" + "".join(f"(?>.*?{step})" for step in steps) + (".*" if end else ".*?") + last + end


def _any_of(patterns: Iterable[str]) -> re.Pattern[str] | None:
    joined = "|".join(patterns)
    return re.compile(joined, re.IGNORECASE) if joined else None
