"""Plans of visits over real collections: sitemaps, feeds, and what lies outside the scope."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.editable_web import EditableWeb
from trasmallo.config import CrawlConfig
from trasmallo.crawl.revisit.visits import Source
from trasmallo.pipeline.revisiting import RevisitPlanner
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog

DAY = 86_400.0
TEXT = "Un texto sobre el pueblo {} y sobre la gente que vive en él desde hace muchos años."


def stamp(at: float, form: str) -> str:
    return time.strftime(form, time.gmtime(at))


@pytest.fixture
def project(tmp_path: Path) -> Project:
    now = time.time()
    with EditableWeb() as web:
        names = [f"/pueblo{number}" for number in range(8)]
        for name in names:
            web.write(name, TEXT.format(name))
        web.write("/", "Lista de los pueblos de la comarca.", *names, "/feed.xml")
        entry = f"<item><link>{web.url(names[6])}</link><pubDate>{stamp(now, '%a, %d %b %Y %H:%M:%S GMT')}</pubDate></item>"
        feed = f'<?xml version="1.0"?><rss version="2.0"><channel><title>f</title><ttl>120</ttl>{entry}</channel></rss>'
        web.pages["/feed.xml"], web.media["/feed.xml"] = feed.encode(), "application/rss+xml"
        changed = (f"<url><loc>{web.url(names[3])}</loc><lastmod>{stamp(now + DAY, '%Y-%m-%d')}</lastmod></url>",)
        body = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{"".join(changed)}</urlset>'
        web.pages["/sitemap.xml"], web.media["/sitemap.xml"] = body.encode(), "application/xml"
        web.pages["/robots.txt"] = f"Sitemap: {web.url('/sitemap.xml')}\n".encode()
        made = Project.new(tmp_path / "p", [web.url()], name="p", delay=0.0, address_delay=0.0)
        made.run()
    return made


@contextmanager
def planner(project: Project, config: CrawlConfig | None = None) -> Iterator[RevisitPlanner]:
    with Catalog(project.store / "catalog", read_only=True) as catalog:
        yield RevisitPlanner(run_folders.current(project.runs), project.store, config or project.config.crawl, catalog)


def test_feeds_are_asked_for_by_their_own_rhythm_and_pages_by_what_a_visit_is_worth(project: Project) -> None:
    now = time.time()
    with planner(project) as plan:
        plan.learn(now + 3_700)
        (feed,) = plan.feeds.values()
        assert feed.due == pytest.approx(feed.asked + 7_200)
        early = [visit.url for visit in plan.choose(now + 3_700, 100)]
        assert feed.url not in early
        assert len(early) == 10
        late = plan.explain(plan.choose(now + 8_000, 3), now + 8_000)
        assert (late[0].url, len(late)) == (feed.url, 3)
        assert "due by its own rhythm" in late[0].reason
        everything = plan.explain(plan.choose(now, 100, rest=0.0), now)
        assert everything[-1].url == feed.url, "who names a number asks for all, for what is not due last"
        assert "rhythm" not in everything[-1].reason


def test_a_run_is_told_which_version_of_each_page_is_stored(project: Project) -> None:
    now = time.time() + 9_000
    with planner(project) as plan, Catalog(project.store / "catalog", read_only=True) as catalog:
        plan.learn(now)
        listed = plan.list(plan.choose(now, 100))
        assert len(listed) == 11
        for visit in listed:
            (known,) = catalog.rows([visit.row])
            assert (known.url, known.origin) == (visit.url, visit.origin)
            assert known == catalog.stored(visit.url)


def test_what_sitemaps_claim_is_heard_once_it_is_past(project: Project) -> None:
    now = time.time()
    with planner(project) as plan, pytest.MonkeyPatch.context() as patch:
        heard: set[tuple[str, str]] = set()
        patch.setattr(plan.plan, "hints", lambda hints, _now: heard.update((one.url[-7:], one.source) for one in hints))
        plan.learn(now)
        assert heard == {("pueblo6", Source.FEED)}, "a date in the future says nothing"
        plan.learn(now + 3 * DAY)
        assert ("pueblo3", Source.SITEMAP) in heard


def test_nothing_outside_the_scope_is_visited(project: Project) -> None:
    now = time.time() + 9_000
    with planner(project, CrawlConfig(seeds=project.config.crawl.seeds, exclude=("pueblo1",))) as plan:
        plan.learn(now)
        found = [visit.url[-7:] for visit in plan.choose(now, 100)]
        assert "pueblo1" not in found
        assert "pueblo2" in found
        assert len(plan.choose(now, 9)) == 9
