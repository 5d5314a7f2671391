"""What gave no document, and the report of all that was asked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import msgspec

from trasmallo.config import Config, CrawlConfig
from trasmallo.crawl.deep_web_report import NAME, DeepWebReport
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.project import Project
from trasmallo.results.incidents import failures, incidents, report
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Fetch, Outcome


def test_a_run_that_has_nothing_yet(tmp_path: Path) -> None:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    assert list(incidents(run, tmp_path / "store", CrawlConfig())) == list(failures(run, tmp_path / "store")) == []
    found = report(run, tmp_path / "store", CrawlConfig())
    assert (found.run, found.asked, found.obtained, found.not_obtained, found.causes) == (run.name, 0, 0, 0, {})


def test_incidents_are_all_that_gave_no_document(finished: Project) -> None:
    summary = finished.summary()
    found = list(finished.incidents())
    quiet = summary.outcomes["fetched"] + summary.outcomes["redirected"]
    assert len(found) == sum(summary.outcomes.values()) - quiet + sum(summary.dropped.values())


def test_the_report_counts_what_the_incidents_list(finished: Project) -> None:
    summary, told = finished.summary(), finished.incident_report()
    listed: Counter[str] = Counter()
    for incident in finished.incidents():
        listed[incident.what] += incident.number
    assert told.causes | told.left_out == dict(listed)
    assert told.asked == told.obtained + told.redirected + told.not_obtained == sum(summary.outcomes.values())
    assert told.not_obtained == sum(told.causes.values())
    assert (told.obtained, told.documents, told.left_out) == (summary.pages, summary.documents, summary.dropped)


def test_redirects_in_vain_are_incidents_and_add_up_with_those_that_are_counted(tmp_path: Path) -> None:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    ways = {"1": "2", "2": "1", "out": "sport/1", "old": "page"}
    rows = [
        Fetch(f"http://a.test/{one}", run.manifest.began + 1, Outcome.REDIRECTED, 301, location=f"http://a.test/{other}")
        for one, other in ways.items()
    ]
    with Catalog(tmp_path / "store" / "catalog") as catalog:
        catalog.put_many([*rows, Fetch("http://a.test/page", run.manifest.began + 1, Outcome.MISSING, 404)], run.name)
        counted = catalog.outcomes(run.name)[Outcome.REDIRECTED]
    found = report(run, tmp_path / "store", CrawlConfig(exclude=("sport",)))
    assert found.causes == {"redirects in a circle": 2, "missing": 1, "redirect not followed": 1}
    assert (found.redirected, found.in_vain, counted) == (1, 3, 4)


def test_what_rules_refuse_is_told_once_for_each_host_and_rule(tmp_path: Path) -> None:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    limit, excluded = "2 pages of this host are obtained", "excluded by 'x'"
    rows = [Fetch(f"http://{host}.test/{n}", 1.0, Outcome.HOST_LIMIT, cause=limit) for host in "ab" for n in range(2_000)]
    rows += [Fetch(f"http://a.test/x{n}", 1.0, Outcome.OUT_OF_SCOPE, cause=excluded) for n in range(3)]
    rows += [Fetch("http://c.test/x", 1.0, Outcome.OUT_OF_SCOPE, cause=excluded)]
    with Catalog(tmp_path / "store" / "catalog") as catalog:
        catalog.put_many(rows, run.name)
    found = [(each.url, each.what, each.cause, each.number) for each in incidents(run, tmp_path / "store", CrawlConfig())]
    assert found == [
        ("http://a.test/0", "limit of its host reached", f"{limit}: 2,000 such addresses of a.test", 2_000),
        ("http://b.test/0", "limit of its host reached", f"{limit}: 2,000 such addresses of b.test", 2_000),
        ("http://a.test/x0", "out of scope", f"{excluded}: 3 such addresses of a.test", 3),
        ("http://c.test/x", "out of scope", excluded, 1),
    ]
    assert not list(failures(run, tmp_path / "store")), "asking again would not help"


def test_what_stayed_behind_scripts_says_what_can_be_done(tmp_path: Path) -> None:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    troubles = {"cut short after N s": 2, "no browser: install Chromium": 3, "its tree could not be read": 1}
    (folder,) = run.frontiers
    folder.mkdir(parents=True, exist_ok=True)
    (folder / NAME).write_bytes(msgspec.json.encode(DeepWebReport(troubles=troubles)))
    told = {
        each.number: each.cause for each in incidents(run, tmp_path / "store", CrawlConfig()) if each.what == "not rendered"
    }
    assert told[3] == "no browser: install Chromium"
    assert told[2].endswith("send the others from your browser, with the extension")
    assert "`render_sites`" in told[1]
