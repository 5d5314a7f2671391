"""What answers are found to be, from real servers on this machine to the tables, the commands and the app."""

from __future__ import annotations

import re
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from support.answers import LOGIN_FORM, PROSE, SHORT, page
from support.command_line import Done, start
from support.hostile_server import Behaviour, HostileServer, Wire, hostile_server
from support.waiting import until
from trasmallo.crawl.judgement.soft_404 import probe_of
from trasmallo.events import Warned, read_events
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.store.archive import ArchiveReader
from trasmallo.store.catalog import Catalog
from trasmallo.values.model import Fetch, Outcome
from trasmallo.web.words import Words

Command = Callable[..., Done]
MISSING = page("La cofradía", "<h1>Vaya</h1><p>La página que busca ya no está en este puerto.</p>")
CHALLENGE = page("Just a moment...", "<p>Espere.</p><a href='/oculta'>x</a><script>window._cf_chl_opt={}</script>")
DEAD = ("/mar", "/puerto", "/viejo/a", "/viejo/b", "/viejo/c")
"""Addresses of `soft_site` at which nothing is; the first two are in the menu of every page."""
HIDDEN = ("Un momento, por favor", "Espere", "ya no está en este puerto")


@pytest.fixture
def server() -> Iterator[HostileServer]:
    with hostile_server() as server:
        server.routes = {"/robots.txt": says("User-agent: *\nDisallow: /secreto")}
        yield server


def says(body: str, status: bytes = b"200 OK", headers: bytes = b"") -> Behaviour:
    async def tell(wire: Wire) -> None:
        await wire.answer(body.encode(), b"Connection: keep-alive\r\n" + headers, status)

    return tell


def links(*paths: str) -> str:
    return "".join(f'<li><a href="{path}">x</a></li>' for path in paths)


def asked(server: HostileServer) -> list[str]:
    return [request.decode("latin-1").split(" ")[1] for request in server.requests]


def made(folder: Path, server: HostileServer, **options: Any) -> Project:
    usual: dict[str, Any] = {"delay": 0.0, "address_delay": 0.0, "retries": 0, "sitemaps": False, "processes": 1, "lines": 1}
    return Project.new(folder, [server.url("/")], **(usual | options))


def rows(project: Project, server: HostileServer) -> dict[str, Fetch]:
    run = run_folders.latest(project.runs).name
    with Catalog(project.store / "catalog", read_only=True) as catalog:
        return {fetch.url.removeprefix(server.url("")): fetch for fetch in catalog.of_run(run)}


def matrix() -> dict[str, tuple[Behaviour, Outcome]]:
    """What a server says at each path, and what becomes of it."""
    return {
        "/articulo": (says(page("La lonja", f"<h1>La lonja</h1><p>{SHORT}</p>")), Outcome.FETCHED),
        "/sobre-404": (
            says(page("404 not found, historia de un error", f"<p>Un servidor dice 404. {SHORT}</p>")),
            Outcome.FETCHED,
        ),
        "/sobre-captcha": (says(page("Qué es un captcha", f"<p>Pregunta si eres un robot. {PROSE}</p>")), Outcome.FETCHED),
        "/cabecera": (says(page("El faro", f"<header>{LOGIN_FORM}</header><p>{PROSE}</p>")), Outcome.FETCHED),
        "/foro": (says(page("Foro", f"<p>{PROSE} Digo yo.</p><form><textarea></textarea></form>")), Outcome.FETCHED),
        "/guiones": (says('<html><body><div id="app"></div><script src="/a.js"></script></body></html>'), Outcome.FETCHED),
        "/acceso": (says(page("Iniciar sesión - Cofradía", LOGIN_FORM)), Outcome.LOGIN),
        "/login": (says(page("Guild | Log in", LOGIN_FORM)), Outcome.LOGIN),
        "/privada": (says("", b"302 Found", b"Location: /login?next=/privada\r\n"), Outcome.LOGIN),
        "/vacia": (says(""), Outcome.EMPTY),
        "/en-blanco": (says("<html><head><title>x</title></head><body></body></html>"), Outcome.EMPTY),
        "/prohibida": (says("no", b"403 Forbidden"), Outcome.BLOCKED),
        "/legal": (says("no", b"451 Unavailable"), Outcome.BLOCKED),
        "/rota": (says("no", b"500 Error"), Outcome.HTTP_ERROR),
        "/no-esta": (says("no", b"404 Not Found"), Outcome.MISSING),
        "/desafio": (says(CHALLENGE), Outcome.CHALLENGE),
        "/desafio-403": (says("x", b"403 Forbidden", b"cf-mitigated: challenge\r\n"), Outcome.CHALLENGE),
        "/rechazo": (says("The requested URL was rejected. Please consult with your administrator."), Outcome.BLOCKED),
    }


def test_a_matrix_of_answers(server: HostileServer, tmp_path: Path, trasmallo: Command) -> None:
    wanted = matrix()
    server.routes |= {path: behave for path, (behave, _) in wanted.items()}
    server.routes["/"] = says(page("Inicio", f"<p>{PROSE} Es todo.</p><ul>{links(*wanted)}</ul>"))
    project = made(tmp_path / "p", server, retry_after=0.01, render="never")
    project.run()
    found = rows(project, server)
    assert {path: found[path].outcome for path in wanted} == {path: outcome for path, (_, outcome) in wanted.items()}
    assert "/oculta" not in asked(server), "links of a challenge are not followed"
    assert asked(server).count(probe_of(server.url("/")).removeprefix(server.url(""))) == 1, "a title with 404 is a reason"

    content = {path for path, (_, outcome) in wanted.items() if outcome is Outcome.FETCHED} | {"/"}
    pages = {row["url"].removeprefix(server.url("")): row for row in project.table("pages", columns=["url", "drop", "cause"])}
    assert set(pages) == content
    assert (pages["/guiones"]["drop"], pages["/guiones"]["cause"]) == ("no text", "it shows nothing until its scripts have run")
    texts = "\n".join(str(row["text"]) for row in project.table("texts", columns=["text"]))
    assert not any(hidden in texts for hidden in HIDDEN)

    with ArchiveReader(project.store / "archive") as archive:
        place = found["/desafio"].locator
        assert place is not None
        record = archive.read(place, verify=True)
    assert b"_cf_chl_opt" in (record.content() or b""), "the archive keeps what came"
    assert record.judged == "challenge page: a challenge (status 200): Cloudflare"

    told = trasmallo("incidents", project.folder, "--totals", "--json").value()
    assert told["causes"] == {
        "blocked": 3,
        "log-in needed": 3,
        "challenge page": 2,
        "empty answer": 2,
        "missing": 3,
        "http error": 1,
    }
    listed = {row["url"].removeprefix(server.url("")): row for row in trasmallo("incidents", project.folder, "--json").rows()}
    assert (listed["/desafio"]["what"], listed["/desafio"]["cause"]) == (
        "challenge page",
        "a challenge (status 200): Cloudflare",
    )
    words = Words("es")
    assert words.phrase(listed["/desafio"]["cause"]) == "una comprobación contra robots (estado 200): Cloudflare"
    assert words.phrase(listed["/acceso"]["cause"]) == "una página que pide contraseña"
    assert all(words.known(f"outcome.{outcome}") for outcome in Outcome)
    assert [word for word in ("challenge page", "empty answer") if word in trasmallo("status", project.folder).out]
    warned = [event for _, event in read_events(run_folders.latest(project.runs).events) if isinstance(event, Warned)]
    assert any("asks to be left alone" in event.message for event in warned)

    project.retry(what="challenge page")
    server.routes["/desafio"] = says(page("La rula", f"<p>{PROSE} Ahora sí.</p>"))
    project.run()
    assert rows(project, server)["/desafio"].outcome is Outcome.FETCHED


def soft_site(server: HostileServer) -> None:
    """Five pages, and a page with status 200 for whatever else is asked for."""
    server.routes["/"] = says(
        page("Inicio", f"<p>{PROSE}</p>{links('/1', '/viejo/a', '/2', '/viejo/b', '/3', '/viejo/c', '/4')}")
    )
    for number in range(1, 5):
        server.routes[f"/{number}"] = says(page("La cofradía", f"<p>Red {number}. {PROSE[: 40 + 30 * number]}</p>{links('/')}"))
    server.otherwise = says(MISSING)


def outcomes_of(paths: Sequence[str], found: dict[str, Fetch]) -> list[Outcome]:
    """How these addresses ended, in the order in which they were asked for."""
    return [fetch.outcome for path, fetch in sorted(found.items(), key=lambda each: each[1].at) if path in paths]


def test_a_site_that_says_200_to_everything(server: HostileServer, tmp_path: Path) -> None:
    soft_site(server)
    project = made(tmp_path / "p", server)
    project.run()
    found = rows(project, server)
    probes = [path for path in asked(server) if probe_of(server.url("/"))[-16:] in path]
    assert len(probes) == 1
    assert probes[0] not in found, "a probe is no page of the collection"
    assert outcomes_of(DEAD, found) == [Outcome.FETCHED, *[Outcome.SOFT_404] * 4], "the first gave no reason to doubt"
    assert {found[f"/{number}"].outcome for number in range(1, 5)} == {Outcome.FETCHED}
    again = made(tmp_path / "q", server, probe_missing=False)
    again.crawl()
    assert len([path for path in asked(server) if probe_of(server.url("/"))[-16:] in path]) == 1
    assert {fetch.outcome for fetch in rows(again, server).values()} == {Outcome.FETCHED}


def test_a_site_that_sends_everybody_home(server: HostileServer, tmp_path: Path) -> None:
    soft_site(server)
    server.otherwise = says("", b"302 Found", b"Location: /\r\n")
    project = made(tmp_path / "p", server)
    project.crawl()
    found = rows(project, server)
    assert outcomes_of(DEAD, found) == [Outcome.REDIRECTED, *[Outcome.SOFT_404] * 4]
    assert found["/"].outcome is Outcome.FETCHED


def test_a_killed_crawl_remembers_the_probe_and_the_judgement(server: HostileServer, tmp_path: Path) -> None:
    soft_site(server)
    reached, hold = threading.Event(), threading.Event()

    async def stop_here(wire: Wire) -> None:
        reached.set()
        await wire.hold()

    server.routes["/3"] = stop_here
    server.otherwise = says(page("Página no encontrada", "<p>La página que busca ya no está en este puerto.</p>"))
    project = made(tmp_path / "p", server)
    with start("crawl", server.url("/"), "--into", project.folder, "--lines", "1", "--delay", "0", "--quiet") as process:
        until(reached.is_set, "the third page")
        process.send_signal(signal.SIGKILL)
        process.communicate()
    hold.set()
    name = probe_of(server.url("/"))[-16:]
    assert len([path for path in asked(server) if name in path]) == 1
    soft = server.otherwise
    soft_site(server)
    server.otherwise = soft
    project.run()
    assert len([path for path in asked(server) if name in path]) == 1, "nobody is probed twice"
    found = rows(project, server)
    assert {found[f"/viejo/{letter}"].outcome for letter in "abc"} == {Outcome.SOFT_404}
    assert {found[f"/{number}"].outcome for number in range(1, 5)} == {Outcome.FETCHED}


def test_a_lost_catalog_has_the_same_judgements_again(server: HostileServer, tmp_path: Path, trasmallo: Command) -> None:
    soft_site(server)
    server.otherwise = says(page("Error 404", "<p>La página que busca ya no está en este puerto.</p>"))
    project = made(tmp_path / "p", server)
    project.run()
    before = rows(project, server)
    assert before["/viejo/a"].outcome is Outcome.SOFT_404
    for file in (project.store / "catalog").iterdir():
        file.unlink()
    assert trasmallo("repair", project.folder, "--quiet").code == 0
    assert rows(project, server) == before


def test_several_processes_judge_alike(server: HostileServer, tmp_path: Path) -> None:
    soft_site(server)
    server.otherwise = says(page("Error 404", "<p>La página que busca ya no está en este puerto.</p>"))
    project = made(tmp_path / "p", server, processes=2, lines=4)
    project.crawl()
    found = rows(project, server)
    assert {found[f"/viejo/{letter}"].outcome for letter in "abc"} == {Outcome.SOFT_404}
    assert len([path for path in asked(server) if re.search(probe_of(server.url("/"))[-16:], path)]) == 1
