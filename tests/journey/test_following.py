"""A whole site is followed with one command: its sitemap, its feed, and its pages as they change."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.command_line import Done
from support.editable_web import EditableWeb
from trasmallo.project.project import Project
from trasmallo.project.timetable import Timetable

TEXTS = {
    "/": "Esta es la portada de un periódico que habla de muchas cosas distintas cada día.",
    "/gatos": "Los gatos duermen en los tejados de las casas viejas mientras llueve en la ciudad.",
    "/perros": "Los perros ladran en el jardín cuando pasa el cartero con las cartas de la mañana.",
    "/trenes": "El tren llega a la estación con retraso porque la nieve cubre las vías del norte.",
}


def list_in_sitemap(web: EditableWeb, *paths: str) -> None:
    listed = "".join(f"<url><loc>{web.url(path)}</loc></url>" for path in paths)
    web.pages["/sitemap.xml"] = f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{listed}</urlset>'.encode()
    web.media["/sitemap.xml"] = "application/xml"


def tell_in_feed(web: EditableWeb, *paths: str) -> None:
    items = "".join(f"<item><link>{web.url(path)}</link><guid>{path}</guid><title>{path}</title></item>" for path in paths)
    web.pages["/feed.xml"] = f"<rss version='2.0'><channel><title>d</title>{items}</channel></rss>".encode()
    web.media["/feed.xml"] = "application/rss+xml"


@pytest.fixture
def web() -> Iterator[EditableWeb]:
    with EditableWeb() as web:
        web.pages["/robots.txt"] = f"User-agent: *\nDisallow:\nSitemap: {web.url('/sitemap.xml')}\n".encode()
        web.media["/robots.txt"] = "text/plain"
        web.write("/", TEXTS["/"], "/feed.xml")
        web.write("/gatos", TEXTS["/gatos"])  # nobody links to it: only the sitemap tells
        web.write("/perros", TEXTS["/perros"])  # only the feed tells
        list_in_sitemap(web, "/", "/gatos")
        tell_in_feed(web, "/perros")
        yield web


def test_one_command_follows_a_site(tmp_path: Path, web: EditableWeb, trasmallo: Callable[..., Done]) -> None:
    table, folder = tmp_path / "timetable.sqlite", tmp_path / "puerto"
    options = ["--timetable", table, "--budget", "100", "--json"]
    told = trasmallo("follow", folder, web.url("/"), *options)
    assert told.code == 0, told.err
    entry = json.loads(told.out)["entry"]
    assert (entry["work"], entry["when"], entry["budget"]) == ("revisit", "every 1h", "100")
    project = Project.open(folder)
    pages = {row["url"] for row in project.table("pages")}
    assert {web.url("/"), web.url("/gatos"), web.url("/perros")} <= pages

    web.write("/gatos", "Los gatos juegan ahora con un ovillo azul sobre la alfombra nueva del salón.")
    web.write("/trenes", TEXTS["/trenes"])
    list_in_sitemap(web, "/", "/gatos", "/trenes")
    Project.open(folder, delay=0.0, address_delay=0.0).revisit("100")
    project = Project.open(folder)
    assert web.url("/trenes") in {row["url"] for row in project.table("pages")}
    assert project.find("ovillo").total == 1

    again = trasmallo("follow", folder, "--every", "6h", *options)
    assert json.loads(again.out)["summary"] is None
    assert [entry.when for entry in Timetable(table).entries()] == ["every 6h"]


def test_what_cannot_be_followed(tmp_path: Path, web: EditableWeb, trasmallo: Callable[..., Done]) -> None:
    table = ["--timetable", tmp_path / "t.sqlite"]
    assert "give the address of a site" in trasmallo("follow", tmp_path / "none", *table).err
    bad = trasmallo("follow", tmp_path / "p", web.url("/"), "--every", "often", *table)
    assert bad.code == 2
    Project.new(tmp_path / "q", [web.url("/")])
    other = trasmallo("follow", tmp_path / "q", "https://other.example/", *table)
    assert other.code == 2
    assert "is no start address of this project" in other.err
