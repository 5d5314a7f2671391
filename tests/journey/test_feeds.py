"""Feeds of a collection: their entries are documents, only what is new is read, and they are asked for by their own rhythm."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from email.utils import formatdate
from pathlib import Path
from xml.sax.saxutils import escape

import pytest

from support.editable_web import EditableWeb
from support.waiting import until
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.values.errors import NoResults

FARO = "El faro de la punta norte se apagó anoche durante la tormenta y los pescadores volvieron tarde al puerto."
LONJA = "La lonja abre los lunes a las seis de la mañana y subasta merluza, rape y sardinas de la bahía."
PUENTE = "El puente colgante cierra en invierno por las obras de los cables que sostienen el tablero de madera."
DAY = 86_400


def item(link: str, title: str, text: str, guid: str = "", author: str = "Ana Pérez", at: float | None = None) -> str:
    """An item of an RSS feed; what is "" is left out."""
    parts = [f"<title>{title}</title>", f"<link>{link}</link>" if link else "", f"<guid>{guid}</guid>" if guid else ""]
    parts += [f"<description>{escape(text)}</description>" if text else "", f"<dc:creator>{author}</dc:creator>"]
    return f"<item>{''.join(parts)}{f'<pubDate>{formatdate(at)}</pubDate>' if at else ''}</item>"


def rss(*items: str, more: str = "") -> bytes:
    """An RSS feed."""
    spaces = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:atom="http://www.w3.org/2005/Atom"'
    head = f'<?xml version="1.0"?><rss version="2.0" {spaces}>'
    return f"{head}<channel><title>Diario</title><language>es</language>{more}{''.join(items)}</channel></rss>".encode()


@pytest.fixture
def web() -> Iterator[EditableWeb]:
    with EditableWeb() as web:
        web.media["/feed.xml"] = "application/rss+xml"
        yield web


def make(folder: Path, web: EditableWeb, **crawl: bool) -> Project:
    seeds = [web.url("/feed.xml")]
    return Project.new(folder, seeds, name="diario", delay=0.0, address_delay=0.0, sitemaps=False, retries=0, **crawl)


def documents(project: Project) -> dict[str, str]:
    """The texts of the documents, by the ends of their addresses."""
    texts = {row["document"]: row["text"] for row in project.table("texts")}
    rows = [row for row in project.table("pages") if not row["drop"]]
    return {
        row["url"].partition("/feed.xml")[2] or row["url"][row["url"].rindex("/") :]: texts[row["document"]] for row in rows
    }


def test_an_entry_is_a_document_until_its_page_is_obtained(tmp_path: Path, web: EditableWeb) -> None:
    published = time.time() - 3 * DAY
    web.write("/lonja", LONJA)
    web.pages["/feed.xml"] = rss(
        item(web.url("/faro"), "El faro", f"<p>{FARO}</p>", "urn:1", at=published),
        item(web.url("/lonja"), "La lonja", "Resumen breve.", "urn:2", "Luis Gil", at=published),
        item("", "Nota", f"<p>{PUENTE}</p>", "urn:3"),
        item(web.url("/vacia"), "Sin texto", "", "urn:4"),
    )
    project = make(tmp_path / "p", web)
    project.run()
    assert documents(project) == {"/faro": FARO, "/lonja": LONJA, "#urn%3A3": PUENTE}
    fields = {(row["name"], row["text"]) for row in project.table("fields")}
    assert {("author", "Ana Pérez"), ("entry:author", "Luis Gil"), ("entry:id", "urn:2")} <= fields
    day = time.strftime("%Y-%m-%d", time.gmtime(published))
    assert {row["date"] for row in project.table("dates") if row["url"].endswith(("/faro", "/lonja"))} == {day}
    assert [hit.url for hit in project.find("author:luis").hits] == [web.url("/lonja")]
    assert {row["media"] for row in project.table("pages") if row["url"].endswith("/faro")} == {"application/atom+xml"}

    web.write("/faro", FARO + "\nLa reparación costará dos millones de euros y durará hasta el verano próximo.")
    project.run(new=True)
    assert "dos millones" in documents(project)["/faro"]
    assert ("entry:id", "urn:1") in {(row["name"], row["text"]) for row in project.table("fields")}
    history = project.versions(web.url("/faro"))
    assert [version.media for version in history.versions] == ["application/atom+xml", "text/html"]
    assert list(project.check()) == []


def test_only_what_is_new_is_read(tmp_path: Path, web: EditableWeb) -> None:
    first = [item("", "Faro", FARO, "urn:1"), item("", "Lonja", LONJA, "urn:2")]
    web.pages["/feed.xml"] = rss(*first)
    project = make(tmp_path / "p", web)
    project.run()
    project.revisit("10")
    (row,) = project.table("feeds")
    assert (row["entries"], row["new"], row["visits"], row["new_per_visit"]) == (2, 0, 2, 0.0)
    web.pages["/feed.xml"] = rss(item("", "Puente", PUENTE, "urn:3"), *first)
    project.revisit("10")
    (row,) = project.table("feeds")
    assert (row["entries"], row["new"], row["visits"], row["new_per_visit"]) == (3, 1, 3, 0.5)
    assert row["reason"] == "usual wait"
    assert row["due"] == pytest.approx(row["at"] + 3_600)
    assert sorted(documents(project)) == ["#urn%3A1", "#urn%3A2", "#urn%3A3"]
    assert len(project.versions(web.url("/feed.xml#urn%3A1")).versions) == 1
    assert len(project.versions(web.url("/feed.xml#top")).versions) == 2
    assert list(project.check()) == []


def test_an_article_that_is_edited_or_published_again_is_one_document_with_versions(tmp_path: Path, web: EditableWeb) -> None:
    link = web.url("/faro")
    web.pages["/feed.xml"] = rss(item(link, "El faro", FARO, "urn:1", at=time.time() - DAY))
    project = make(tmp_path / "p", web)
    project.run()
    web.pages["/feed.xml"] = rss(
        item(link, "El faro", FARO, "urn:again", at=time.time()), item(link, "El faro", FARO, "urn:1", at=time.time() - DAY)
    )
    project.revisit("10")
    assert len(project.versions(link).versions) == 1
    web.pages["/feed.xml"] = rss(
        item(link, "El faro, reparado", FARO.replace("tormenta", "galerna"), "urn:last", at=time.time())
    )
    project.revisit("10")
    assert list(documents(project)) == ["/faro"]
    assert "galerna" in documents(project)["/faro"]
    assert len(project.versions(link).versions) == 2
    assert any("galerna" in change.text for change in project.compare_versions(link).changes)


def test_feeds_that_lie(tmp_path: Path, web: EditableWeb) -> None:
    future = time.time() + 400 * DAY
    web.pages["/feed.xml"] = rss(
        item("", "Faro", FARO, "same"),
        item("", "Lonja", LONJA, "same"),
        item(web.url("/"), "Puente", PUENTE, "urn:9", at=future),
        item(web.url("/"), "Otra", "Otra noticia sobre las mareas vivas de septiembre en la ría.", "urn:8", at=future),
        "<item><title>Nada</title></item>",
    )
    project = make(tmp_path / "p", web)
    project.run()
    assert len(documents(project)) == 4
    assert all(row["published"] is None for row in project.table("entries"))
    (row,) = project.table("feeds")
    assert row["reason"] == "usual wait"


def test_entries_can_be_switched_off(tmp_path: Path, web: EditableWeb) -> None:
    web.pages["/feed.xml"] = rss(item("", "Faro", FARO, "urn:1"))
    project = make(tmp_path / "p", web, entries=False)
    project.run()
    assert documents(project) == {}
    assert list(project.table("feeds")) == []


def test_what_two_feeds_tell_differently_stays_one_version(tmp_path: Path, web: EditableWeb) -> None:
    web.media["/short.xml"] = "application/rss+xml"
    link = web.url("/faro")
    project = Project.new(
        tmp_path / "p", [web.url("/feed.xml"), web.url("/short.xml")], delay=0.0, address_delay=0.0, sitemaps=False, retries=0
    )
    web.pages["/feed.xml"] = rss(item(link, "El faro", FARO, "urn:1"))
    web.pages["/short.xml"] = rss(item(link, "El faro", "Se apagó el faro.", "urn:1"))
    project.run()
    for more in ("a", "b"):
        web.pages["/short.xml"] = rss(
            item(link, "El faro", "Se apagó el faro.", "urn:1"), more=f"<generator>{more}</generator>"
        )
        web.pages["/feed.xml"] = rss(item(link, "El faro", FARO, "urn:1"), more=f"<generator>{more}</generator>")
        project.revisit("10")
    assert documents(project) == {"/faro": FARO}
    assert len(project.versions(link).versions) <= 2


def test_everything_can_be_made_again_from_the_archive(tmp_path: Path, web: EditableWeb) -> None:
    web.write("/lonja", LONJA)
    web.pages["/feed.xml"] = rss(
        item(web.url("/faro"), "El faro", FARO, "urn:1"), item(web.url("/lonja"), "Lonja", LONJA, "urn:2")
    )
    project = make(tmp_path / "p", web)
    project.run()
    before = {name: sorted(map(str, project.table(name))) for name in ("feeds", "entries", "fields", "pages", "texts")}
    for path in (project.store / "catalog").iterdir():
        path.unlink()
    project.repair()
    assert {name: sorted(map(str, project.table(name))) for name in before} == before
    (run_folders.latest(project.runs).folder / "pages.parquet").unlink()
    project.repair()
    assert {name: sorted(map(str, project.table(name))) for name in before} == before
    project.clean()
    assert {name: sorted(map(str, project.table(name))) for name in before} == before


def test_entries_are_found_while_a_first_run_goes_on(tmp_path: Path, web: EditableWeb) -> None:
    missing = [item(web.url(f"/{number}"), "Sin texto", "") for number in range(20)]
    web.pages["/feed.xml"] = rss(item(web.url("/puente"), "El puente", PUENTE), *missing)
    project = Project.new(tmp_path / "d", [web.url("/feed.xml")], delay=1.0, address_delay=0.0, sitemaps=False, retries=0)
    command = [sys.executable, "-m", "trasmallo", "run", str(project.folder), "--quiet"]
    with subprocess.Popen(command) as process:
        try:
            until(lambda: any(one.path == "/feed.xml" for one in web.asked), "the feed")
            until(lambda: _found(project, "colgante"), "its entry")
            assert process.poll() is None, "the run goes on"
            assert _found(project, "colgante") == [web.url("/puente")]
            assert _found(project, "lonja") == []
        finally:
            process.kill()


def _found(project: Project, word: str) -> list[str]:
    with suppress(NoResults):
        return [hit.url for hit in project.find(word).hits]
    return []
