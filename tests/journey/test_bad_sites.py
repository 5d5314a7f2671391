"""Sites that lie or stumble, visited again and again: the plan stays sane, says why, and nothing is lost."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import pytest

from support.editable_web import NEWSPAPER, EditableWeb, written_web
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.values.errors import NothingDue

TEXTS = {path: NEWSPAPER[path] for path in ("/", "/gatos", "/perros", "/trenes")}
DAY = 86_400.0


@pytest.fixture
def web() -> Iterator[EditableWeb]:
    with written_web(TEXTS) as web:
        yield web


def make(folder: Path, web: EditableWeb, *, sitemaps: bool = False) -> Project:
    project = Project.new(folder, [web.url("/")], name="diario", delay=0.0, address_delay=0.0, sitemaps=sitemaps)
    project.run()
    return project


def texts(project: Project) -> list[str]:
    return sorted(row["text"] for row in project.table("texts"))


def check_plan(project: Project) -> None:
    """Every page is in the plan, with an age that can be and a reason."""
    planned = {visit.url: visit for visit in project.planned_visits("100")}
    assert {row["url"] for row in project.table("pages") if not row["drop"]} <= set(planned)
    for visit in planned.values():
        assert math.isfinite(visit.age)
        assert 0 <= visit.age < 1  # all of this happened within a minute
        assert str(visit.reason)


@pytest.mark.parametrize("years", [10, -30])
def test_a_server_whose_clock_is_wrong(tmp_path: Path, web: EditableWeb, years: int) -> None:
    web.clock = time.time() + years * 365 * DAY
    web.headers = {"Last-Modified": formatdate(web.clock, usegmt=True), "Expires": formatdate(web.clock + 9 * DAY, usegmt=True)}
    project = make(tmp_path / "p", web)
    before = texts(project)
    project.revisit("100")
    assert texts(project) == before
    web.write("/gatos", "Los gatos juegan ahora con un ovillo azul sobre la alfombra nueva del salón.")
    project.revisit("100")
    assert project.freshness().findings == {"new": 4, "unchanged": 7, "changed": 1}
    assert project.find("ovillo").total == 1
    now = time.time()
    assert all(abs(visit.at - now) < 3_600 for visit in project.versions(web.url("/gatos")).visits)
    check_plan(project)


def test_a_site_that_answers_404_for_an_hour(tmp_path: Path, web: EditableWeb) -> None:
    project = make(tmp_path / "p", web)
    before, pages = texts(project), dict(web.pages)
    (rate,) = (site.rate.mean for site in project.freshness().sites)
    web.pages.clear()
    project.revisit("100")
    project.run(new=True)
    assert texts(project) == before
    assert list(project.table("gone")) == []
    check_plan(project)
    web.pages.update(pages)
    project.revisit("100")
    assert texts(project) == before
    assert list(project.table("gone")) == []
    assert project.freshness().findings == {"new": 4, "gone": 5, "back": 4}
    assert [site.rate.mean <= rate for site in project.freshness().sites] == [True], "nothing has changed"
    assert [len(project.versions(web.url(path)).versions) for path in TEXTS] == [1] * 4
    check_plan(project)


def test_a_site_that_answers_errors_for_an_hour(tmp_path: Path, web: EditableWeb) -> None:
    project = make(tmp_path / "p", web)
    before = texts(project)
    web.statuses = dict.fromkeys(TEXTS, (500, ""))
    Project.open(project.folder, retries=0, delay=0.0, address_delay=0.0).revisit("100")
    with pytest.raises(NothingDue):  # what failed waits
        project.revisit("100")
    assert texts(project) == before
    web.statuses = {}
    project.run(new=True)
    assert texts(project) == before
    assert project.freshness().findings == {"new": 4, "failed": 4, "unchanged": 4}
    check_plan(project)


def name_sitemap(web: EditableWeb, body: bytes | None) -> None:
    web.pages["/robots.txt"] = f"User-agent: *\nDisallow:\nSitemap: {web.url('/mapa.xml')}\n".encode()
    web.media |= {"/robots.txt": "text/plain", "/mapa.xml": "application/xml"}
    if body is not None:
        web.pages["/mapa.xml"] = body


def sitemap(web: EditableWeb, at: float) -> bytes:
    day = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(at))
    listed = "".join(
        f"<url><loc>{web.url(path)}</loc><lastmod>{day}</lastmod><changefreq>always</changefreq></url>" for path in TEXTS
    )
    return f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>'.encode()


@pytest.mark.parametrize("later", [0.0, 400 * DAY])
def test_a_sitemap_that_says_everything_changed_today_or_will(tmp_path: Path, web: EditableWeb, later: float) -> None:
    name_sitemap(web, sitemap(web, time.time() + later))
    project = make(tmp_path / "p", web, sitemaps=True)
    before = texts(project)
    for _ in range(2):
        web.visits()
        name_sitemap(web, sitemap(web, time.time() + later))
        project.revisit("100")
        pages = [visit for visit in web.visits() if visit.path in TEXTS]
        assert [visit.status for visit in pages] == [304] * len(pages)
        assert len(pages) == len(TEXTS)
    assert texts(project) == before
    assert project.freshness().findings.get("changed", 0) <= 2  # the sitemap itself
    check_plan(project)


@pytest.mark.parametrize("body", [None, b"<html>not found, but 200</html>", b"<urlset", b"\x00\xff garbage"])
def test_a_dead_sitemap_does_not_fill_the_queue(tmp_path: Path, web: EditableWeb, body: bytes | None) -> None:
    name_sitemap(web, body)
    project = make(tmp_path / "p", web, sitemaps=True)
    before = texts(project)
    for _ in range(2):
        project.revisit("100")
    asked = [visit for visit in web.visits() if visit.path == "/mapa.xml"]
    assert 1 <= len(asked) <= 3  # at most once a run
    assert [text for text in texts(project) if text in before] == before
    assert all(run.finished for run in run_folders.find(project.runs))
    assert run_folders.latest(project.runs).status().counts.waiting == 0
