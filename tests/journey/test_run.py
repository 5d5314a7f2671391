"""A whole run through the demo's web, compared with what the site knows of itself."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from support.command_line import Done, call, hurried
from trasmallo.demo.site import Site, Truth
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Drop, Outcome


@pytest.fixture(scope="module")
def truth(site: Site) -> Truth:
    return site.truth()


@pytest.fixture(scope="module")
def pages(finished: Project) -> dict[str, dict[str, Any]]:
    return {row["url"]: row for row in finished.table("pages")}


@pytest.fixture(scope="module")
def incidents(finished: Project) -> dict[str, tuple[str, str]]:
    return {incident.url: (incident.what, incident.cause) for incident in finished.incidents()}


def test_every_page_is_obtained_and_nothing_else(pages: dict[str, Any], truth: Truth) -> None:
    assert set(pages) == truth.pages | truth.feeds | truth.sitemaps


def test_what_is_forbidden_was_never_asked_for(finished: Project, site: Site, truth: Truth) -> None:
    asked = {site.hosts[request.host] + request.path for request in site.requests}
    assert asked >= truth.pages
    assert not asked & (truth.forbidden | truth.unfollowed)
    assert not [url for url in asked if url.startswith(truth.trap)]


def test_robots_txt_was_asked_for_first(finished: Project, site: Site) -> None:
    for host in site.hosts:
        assert next(request.path for request in site.requests if request.host == host) == "/robots.txt"


def test_documents_have_words_and_the_others_a_reason(pages: dict[str, Any], truth: Truth) -> None:
    drops = {url: row["drop"] for url, row in pages.items()}
    assert {url for url, drop in drops.items() if drop == Drop.NOINDEX} == truth.noindex
    assert {url for url, drop in drops.items() if drop == Drop.LISTING} == truth.feeds | truth.sitemaps
    assert all(pages[url]["words"] > 0 for url, drop in drops.items() if not drop)


def test_copies_are_found(pages: dict[str, Any], finished: Project, truth: Truth) -> None:
    copied = {frozenset((row["url"], row["original"])): row["similarity"] for row in finished.table("copies")}
    assert {frozenset(pair) for pair in (*truth.exact_copies, *truth.near_copies)} <= set(copied)
    assert all(copied[frozenset(pair)] == 1 for pair in truth.exact_copies)
    for row in finished.table("copies"):
        assert (pages[row["url"]]["drop"], pages[row["url"]]["cause"]) == (Drop.COPY, row["original"])


def test_charsets_languages_and_formats(pages: dict[str, Any], truth: Truth) -> None:
    read = {url for url in truth.pages if not pages[url]["drop"]}
    assert {url: pages[url]["language"] for url in read} == {url: truth.languages[url] for url in read}
    latin = [url for url in read if truth.charsets[url] != "utf-8"]
    assert latin
    assert all(pages[url]["charset"] != "utf-8" for url in latin)
    assert pages[truth.pdf]["media"] == "application/pdf"
    assert pages[truth.pdf]["words"] > 100


def test_the_latin_page_is_decoded(finished: Project, pages: dict[str, Any], truth: Truth) -> None:
    texts = {row["document"]: row["text"] for row in finished.table("texts")}
    for url in (url for url in truth.pages if truth.charsets[url] != "utf-8"):
        text = texts[pages[url]["document"]]
        assert "\ufffd" not in text
        assert set("áéíóúñ") & set(text)


def test_misfortunes_are_incidents_with_their_causes(incidents: dict[str, tuple[str, str]], truth: Truth) -> None:
    for urls, outcome in (
        (truth.missing, Outcome.MISSING),
        (truth.login, Outcome.LOGIN),
        (truth.broken, Outcome.HTTP_ERROR),
    ):
        assert urls
        assert {incidents[url][0] for url in urls} == {outcome}
        assert all(incidents[url][1] for url in urls), "a cause in words"
    refused = {url for url, (what, _) in incidents.items() if what == Outcome.ROBOTS}
    assert refused
    assert all(url in truth.forbidden or url.startswith(truth.trap) for url in refused)


def test_invented_words_are_counted(finished: Project, truth: Truth) -> None:
    counts = {row["word"]: row["count"] for row in finished.table("words")}
    assert all(any(counts.get(form) for form in word.forms) for word in truth.neologisms)


def test_the_summary_adds_up(finished: Project, truth: Truth) -> None:
    summary = finished.summary()
    assert summary.state == "finished"
    assert summary.pages == len(truth.pages | truth.feeds | truth.sitemaps)
    assert summary.documents + sum(summary.dropped.values()) == summary.pages
    assert summary.copies == summary.dropped[Drop.COPY]
    assert summary.outcomes[Outcome.FETCHED] == summary.pages
    assert sum(row["count"] for row in finished.table("words")) == summary.words


def test_one_line_gives_the_same_order_in_every_run(site: Site, tmp_path: Path) -> None:
    orders = []
    for name in ("first", "second"):
        project = hurried(tmp_path / name, site.seeds, lines=1, pages=25)
        project.crawl()
        orders.append(_arrivals(project))
    assert len(orders[0]) >= 25
    assert orders[0] == orders[1]


def _arrivals(project: Project) -> list[tuple[str, str]]:
    with Catalog(project.store / "catalog", read_only=True) as catalog:
        return [(fetch.url, fetch.outcome) for fetch in catalog.of_run(run_folders.latest(project.runs).name)]


def test_from_an_empty_folder_to_a_table(site: Site, tmp_path: Path) -> None:
    """The tutorial's commands, each in a process of its own."""
    folder = tmp_path / "corpus"
    assert call("new", folder, site.seeds[2], "--quiet") == Done(0, "", "")
    ran = call("run", folder, "--delay", "0", "--pages", "6", "--depth", "1", "--scope", "host", "--json")
    assert (ran.code, ran.err, ran.value()["pages"]) == (0, "", 6)
    listed = call("list", folder, "pages", "--columns", "url", "--json")
    assert len(listed.rows()) == 6
    assert all(row["url"].startswith(site.seeds[2]) for row in listed.rows())
