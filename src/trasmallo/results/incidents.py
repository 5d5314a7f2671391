"""Incidents of a run: addresses that gave no document and why, and the report of all that was asked, obtained and not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import msgspec

from trasmallo.config import CrawlConfig
from trasmallo.crawl.deep_web_report import DeepWebReport, add_deep_webs, read_deep_web
from trasmallo.crawl.forms.web_forms import is_named
from trasmallo.crawl.retries import FAILED
from trasmallo.crawl.scope_log import read_dropped
from trasmallo.crawl.trap_filter import read_report
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.redirect_chains import CIRCLE, NOT_FOLLOWED, lost_redirects
from trasmallo.results.run_counts import has_catalog, status_now
from trasmallo.store.catalog import Catalog
from trasmallo.store.run_folders import Run
from trasmallo.values.model import Fetch, Outcome
from trasmallo.values.urls import host

_QUIET = (Outcome.FETCHED, Outcome.UNCHANGED, Outcome.REDIRECTED, Outcome.ENTRY)
_BY_RULE = (Outcome.OUT_OF_SCOPE, Outcome.HOST_LIMIT, Outcome.LEFT_ALONE)
"""What is kept out by the project's own rules, or since its host is left alone: told once a rule and host, with the number."""

_TOLD = tuple(outcome for outcome in Outcome if outcome not in _QUIET + _BY_RULE)


class Incident(msgspec.Struct, frozen=True):
    """An address that gave no document: `what` happened (an outcome or a reason to drop), and the cause in words.

    It stands for a `number` of addresses that one rule kept out, of which `url` is an example.
    """

    url: str
    what: str
    cause: str
    at: float
    number: int = 1


class IncidentReport(msgspec.Struct, frozen=True, kw_only=True):
    """How the addresses of a run ended: `asked` = `obtained` + `redirected` + `not_obtained`, of which `causes` tells why.

    `redirected` are addresses that led to another one, which is counted by itself. Of the pages `obtained`, `documents` can be
    studied, and `left_out` tells of the others why not. `kept_out` addresses never had their turn: traps, and what waited when
    an exclusion came. `rendered` tells why pages were run in a browser, `hidden` why others were not, or not to their end.
    """

    run: str
    asked: int
    obtained: int
    redirected: int
    not_obtained: int
    causes: dict[str, int]
    documents: int
    left_out: dict[str, int]
    kept_out: int
    rendered: dict[str, int] = {}
    hidden: dict[str, int] = {}

    @property
    def in_vain(self) -> int:
        """Redirects that led nowhere, which are not among `redirected`: in a circle, or not followed."""
        return self.causes.get(CIRCLE, 0) + self.causes.get(NOT_FOLLOWED, 0)


def report(run: Run, store: Path, crawl: CrawlConfig, *, working: bool = False) -> IncidentReport:
    """How many addresses of a run were asked, obtained and not, by cause; also while somebody is `working` on it."""
    counts = status_now(run, store, working=working).counts
    outcomes, deep = Counter(counts.outcomes), deep_web_of(run)
    lost = Counter(incident.what for incident in _lost(run, store, crawl))
    causes = {outcome.value: outcomes[outcome] for outcome in Outcome if outcome not in _QUIET and outcomes[outcome]} | {
        what: lost[what] for what in (CIRCLE, NOT_FOLLOWED) if lost[what]
    }
    return IncidentReport(
        run=run.name,
        asked=counts.asked,
        obtained=counts.obtained,
        redirected=outcomes[Outcome.REDIRECTED] - lost.total(),
        not_obtained=sum(causes.values()),
        causes=dict(sorted(causes.items(), key=lambda pair: -pair[1])),
        documents=counts.studied,
        left_out=counts.drops,
        kept_out=sum(incident.number for incident in _kept_out(run)),
        rendered=deep.reasons,
        hidden=deep.troubles,
    )


def incidents(run: Run, store: Path, crawl: CrawlConfig) -> Iterator[Incident]:
    """Refused and failed addresses in order of arrival, lost redirects, what rules kept out, then dropped pages by address."""
    if has_catalog(store):
        with Catalog(store / "catalog", read_only=True) as catalog:
            for fetch in catalog.of_run(run.name, *_TOLD):
                yield Incident(fetch.url, fetch.outcome, fetch.cause, fetch.at)
    yield from _lost(run, store, crawl)
    yield from _refused_by_rule(run, store)
    yield from _kept_out(run)
    yield from _deep_web(run, crawl)
    if run.manifest.ended not in ("", "stopped"):
        yield Incident("", "crawl ended", run.manifest.ended, run.manifest.began, 0)
    with Tables(run) as tables:
        for url, drop, cause, at in tables.ask("pages", Question(where=("drop!=",), columns=("url", "drop", "cause", "at"))):
            yield Incident(url, drop, cause, at or 0.0)


def deep_web_of(run: Run) -> DeepWebReport:
    """What a run found behind scripts and forms, in all its workers."""
    return add_deep_webs([read_deep_web(folder) for folder in run.frontiers])


def _deep_web(run: Run, crawl: CrawlConfig) -> Iterator[Incident]:
    """What stayed behind scripts and forms: pages that were not rendered, by cause, and searches that nobody asked."""
    found = deep_web_of(run)
    for trouble, number in found.troubles.items():
        yield Incident("", "not rendered", f"{trouble}{_advice(trouble)}", run.manifest.began, number)
    for form in found.forms:
        if not form.why_not and not is_named(form.action, crawl.forms):
            cause = "a search that may hide pages: switch it on with `trasmallo forms`"
            yield Incident(form.action, "form not asked", cause, run.manifest.began)


def _advice(trouble: str) -> str:
    """What a user can do about pages that were not rendered to their end; "" where the cause says it already."""
    if "no browser" in trouble or "does not start" in trouble:
        return ""
    if "consent" in trouble:
        return ': name its button, if it has one, by a rule such as "example.org decline #no" in `render_sites`'
    if trouble.startswith("cut short"):
        return "; what they showed by then is kept: send the others from your browser, with the extension"
    return "; send them from your browser, with the extension, or leave the site out by `render_sites`"


def failures(run: Run, store: Path) -> Iterator[Fetch]:
    """Addresses of a run that failed or were refused and can be tried again, in order of arrival."""
    if has_catalog(store):
        with Catalog(store / "catalog", read_only=True) as catalog:
            yield from catalog.of_run(run.name, *FAILED)


def _lost(run: Run, store: Path, crawl: CrawlConfig) -> Iterator[Incident]:
    if has_catalog(store):
        with Catalog(store / "catalog", read_only=True) as catalog:
            for lost in lost_redirects(catalog, run.name, run.manifest.began, crawl):
                yield Incident(lost.url, lost.what, lost.cause, lost.at)


def _refused_by_rule(run: Run, store: Path) -> Iterator[Incident]:
    """What the project's rules refused when its turn came, one for each host and rule."""
    if not has_catalog(store):
        return
    first: dict[tuple[str, str, str], Fetch] = {}
    numbers: Counter[tuple[str, str, str]] = Counter()
    with Catalog(store / "catalog", read_only=True) as catalog:
        for fetch in catalog.of_run(run.name, *_BY_RULE):
            rule = (host(fetch.url), fetch.outcome.value, fetch.cause)
            first.setdefault(rule, fetch)
            numbers[rule] += 1
    for rule, fetch in first.items():
        number = numbers[rule]
        cause = f"{fetch.cause}: {number:,} such addresses of {rule[0]}" if number > 1 else fetch.cause
        yield Incident(fetch.url, fetch.outcome, cause, fetch.at, number)


def _kept_out(run: Run) -> Iterator[Incident]:
    """What never had its turn: traps, and addresses that waited when a rule came that excludes them."""
    workers = range(run.manifest.processes)
    for trap in chain.from_iterable(read_report(run.traps_of(worker)) for worker in workers):
        cause = f"{trap.rule}: {trap.count:,} such addresses of {trap.host}"
        yield Incident(trap.example, "trap", cause, run.manifest.began, trap.count)
    for gone in chain.from_iterable(read_dropped(run.scope_log_of(worker)) for worker in workers):
        cause = f"{gone.cause}: {gone.number:,} such addresses that waited"
        yield Incident(gone.example, Outcome.OUT_OF_SCOPE, cause, gone.at, gone.number)
