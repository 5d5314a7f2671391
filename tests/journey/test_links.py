"""A crawl of pages with menus, comments, redirects and copies, and what their links bring; also before it is finished."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from support.command_line import Done, hurried, start, wait_for
from trasmallo.demo.site import Site
from trasmallo.project.project import Project
from trasmallo.store import run_folders

Command = Callable[..., Done]

TEXT = (
    "<p>{0} es una página de prueba sobre la pesca con trasmallo en la costa, escrita para que sus palabras basten y se lea "
    "como un documento de verdad. La cofradía reparte los puestos al alba y cada barco cala su red donde le toca; {0} lo "
    "cuenta.</p>"
)
MENU = '<nav><a href="/">Portada</a> <a href="/redes">Redes</a></nav>'
PAGES = {
    "/": MENU + TEXT.format("La portada") + '<p><a href="/vieja">Historia de las redes</a> <a href="/mareas">leer más</a></p>',
    "/redes": MENU + TEXT.format("Redes") + '<p><a href="/mareas">Tabla de mareas</a></p>',
    "/mareas": MENU
    + TEXT.format("Mareas")
    + '<div class="comments"><a href="/spam">Compre aquí</a></div><p><a rel="nofollow" href="/anuncio">Anuncio</a></p>',
    "/spam": MENU + TEXT.format("Spam"),
    "/anuncio": MENU + TEXT.format("Anuncio"),
}
REDIRECTS = {"/vieja": "/media", "/media": "/redes"}


class _Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        target, page = REDIRECTS.get(self.path), PAGES.get(self.path)
        body = f"<html lang=es><title>{self.path}</title><body>{page or ''}".encode()
        self.send_response(301 if target else 200 if page else 404)
        if target:
            self.send_header("Location", target)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the server's signature
        """Nobody reads it."""


@pytest.fixture
def origin() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Pages)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def project(origin: str, tmp_path: Path) -> Project:
    seeds = (f"{origin}/", f"{origin}/spam", f"{origin}/anuncio")
    project = hurried(tmp_path / "p", seeds, clean={"copies": 0.0})
    project.run()
    return project


def test_a_crawl_ends_with_its_ranks(project: Project, origin: str, trasmallo: Command) -> None:
    ranks = {row["url"].removeprefix(origin): row for row in project.table("ranks")}
    assert set(ranks) == set(PAGES)
    assert ranks["/redes"]["inlinks_own"] == 4
    assert ranks["/spam"]["inlinks_own"] == ranks["/anuncio"]["inlinks_own"] == 0
    assert sum(row["pagerank"] for row in ranks.values()) == pytest.approx(1)
    assert trasmallo("rank", project.folder, "--json").rows()[0]["url"] in (f"{origin}/", f"{origin}/redes")


def test_anchors_are_gathered_where_redirects_end(project: Project, origin: str) -> None:
    said = {(row["url"].removeprefix(origin), row["anchor"]) for row in project.table("anchors")}
    assert {("/redes", "Redes"), ("/redes", "Historia de las redes"), ("/mareas", "Tabla de mareas")} <= said
    assert not {anchor for _, anchor in said} & {"leer más", "Compre aquí", "Anuncio"}


def test_links_say_why_they_do_not_count(project: Project, origin: str) -> None:
    aside = {row["url"].removeprefix(origin): row["aside"] for row in project.table("links", where=["aside!="])}
    assert aside == {"/spam": "comments", "/anuncio": "nofollow"}


def test_ranks_can_be_asked_for_while_the_run_goes_on(site: Site, tmp_path: Path, trasmallo: Command) -> None:
    project = hurried(tmp_path / "p", site.seeds, delay=0.3)
    with start("run", project.folder, "--quiet") as process:
        wait_for(lambda: run_folders.find(project.runs) and trasmallo("rank", project.folder).code == 0, process)
        early = trasmallo("rank", project.folder, "--json").rows()
        around = trasmallo("rank", project.folder, "--hits", "--topic", "http://", "--json").rows()
        process.terminate()
        process.communicate(timeout=60)
    assert early
    assert sum(page["pagerank"] for page in early) <= 1 + 1e-9
    assert any(page["authority"] > 0 for page in around)
