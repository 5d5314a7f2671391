"""Anchors gathered on their targets."""

from __future__ import annotations

from pathlib import Path

from support import linked_run as web
from trasmallo.results.database.tables import Tables
from trasmallo.results.rows import LinkRow
from trasmallo.store.run_folders import Run

A, B, C = "http://a.es/", "http://b.es/", "http://www.a.es/c"


def anchors(tmp_path: Path, *links: LinkRow, run: Run | None = None) -> list[tuple[object, ...]]:
    run = run or web.start(tmp_path)
    web.write(run, "1", [web.page(A), web.page(B), web.page(C)], links)
    with Tables(run) as tables:
        return [row[:-1] for row in tables.ask("anchors")]


def test_own_and_foreign_are_counted_apart(tmp_path: Path) -> None:
    found = anchors(tmp_path, web.link(A, C, "Redes"), web.link(B, C, "redes…"), web.link(B, A, "Mar"))
    assert found == [(C, "Redes", 2, 2, 1, 1), (A, "Mar", 1, 1, 0, 1)]


def test_idle_anchors_are_left_out(tmp_path: Path) -> None:
    idle = ("¡Haz clic AQUÍ!", "leer más…", "Click here", "»", "2", "", "[+] más", "Weiterlesen")
    assert anchors(tmp_path, *(web.link(A, f"http://z.es/{n}", text) for n, text in enumerate(idle))) == []


def test_what_is_set_aside_says_nothing(tmp_path: Path) -> None:
    links = [web.link(A, B, "Pastillas", aside="comments"), web.link(A, B, "Anuncio", aside="nofollow")]
    assert anchors(tmp_path, *links) == []


def test_a_page_says_nothing_of_itself(tmp_path: Path) -> None:
    assert anchors(tmp_path, *[web.link(A, A, "Yo")] * 1_000) == []


def test_addresses_that_were_not_asked_for_have_anchors_too(tmp_path: Path) -> None:
    assert anchors(tmp_path, web.link(A, "http://z.es/", "Zeta")) == [("http://z.es/", "Zeta", 1, 1, 0, 1)]


def test_copies_and_redirects_are_folded(tmp_path: Path) -> None:
    run = web.start(tmp_path)
    web.copy(run, {C: B})
    web.redirect(run, {"http://corto.es/1": C})
    links = [web.link(A, C, "Redes"), web.link(A, "http://corto.es/1", "Redes"), web.link(C, A, "Del duplicado")]
    assert anchors(tmp_path, *links, run=run) == [(B, "Redes", 2, 1, 1, 1)]
