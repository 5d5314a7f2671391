"""Sites, snapshots and following through the app."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from support.editable_web import EditableWeb
from support.waiting import until
from trasmallo.project.lock import holder
from trasmallo.project.project import Project
from trasmallo.project.timetable import Timetable
from trasmallo.store import run_folders
from web.conftest import Client
from web.views.conftest import Living


def test_changes_lead_to_two_versions_side_by_side(alive: Client, living: Living) -> None:
    rows = alive.json("/p/diario/tables/changes")["rows"]
    assert len(rows) == 1
    page = alive.page("/p/diario/tables/changes")
    assert "/history?url=" in page
    assert "before=1&amp;after=2" in page
    spanish = alive.page("/p/diario/tables/changes", headers={"Accept-Language": "es"})
    assert "palabras añadidas" in spanish


def test_sites_are_listed(alive: Client) -> None:
    twin = alive.json("/p/diario/collection")
    assert [(site["host"], site["pages"], site["taken_out"]) for site in twin["sites"]] == [("127.0.0.1", 3, 0)]
    assert twin["snapshots"] == []
    assert "Retirar" in alive.page("/p/diario/collection", headers={"Accept-Language": "es"})


@pytest.fixture
def small(tmp_path: Path) -> Project:
    with EditableWeb() as web:
        web.write("/", "Esta es la portada de un periódico que habla de muchas cosas distintas cada día.")
        project = Project.new(tmp_path / "diario", [web.url()], name="diario", delay=0.0, address_delay=0.0, sitemaps=False)
        project.run()
    return project


def test_snapshots_are_made_asked_and_removed(enter: Callable[..., Client], small: Project) -> None:
    app = enter(small.folder)
    assert app.send("/p/diario/snapshots", name="tesis", note="capítulo 3").status_code == 303
    cards = app.json("/p/diario/collection")["snapshots"]
    assert [(card["snapshot"]["name"], card["snapshot"]["note"]) for card in cards] == [("tesis", "capítulo 3")]
    assert cards[0]["citation"] in app.page("/p/diario/collection")
    assert app.json("/p/diario/tables/pages?run=tesis")["rows"]
    urls = app.get("/p/diario/snapshots/urls?name=tesis")
    assert urls.headers["content-type"].startswith("text/csv")
    assert urls.text.count("http://127.0.0.1") == 1
    assert app.send("/p/diario/snapshots", name="2026").status_code == 400
    assert app.send("/p/diario/snapshots/remove", name="tesis").status_code == 303
    assert app.json("/p/diario/collection")["snapshots"] == []


def test_a_site_is_taken_out_in_a_process_of_its_own(enter: Callable[..., Client], small: Project) -> None:
    app = enter(small.folder)
    assert app.send("/p/diario/sites", host="nobody.example").status_code == 404
    assert app.send("/p/diario/sites", host="127.0.0.1").status_code == 303
    until(lambda: run_folders.latest(small.runs).manifest.kind == "selection" and not holder(small.folder), "the selection")
    assert [bool(site["taken_out"]) for site in app.json("/p/diario/collection")["sites"]] == [True]
    assert app.json("/p/diario/search?query=portada")["total"] == 0


def test_a_collection_is_followed(enter: Callable[..., Client], small: Project) -> None:
    app = enter(small.folder)
    assert app.json("/p/diario/collection")["followed"] == ""
    assert app.send("/p/diario/follow", budget="many").status_code == 400
    assert app.send("/p/diario/follow", budget="20/day").status_code == 303
    entry = Timetable().find(small.folder)
    assert (entry.work, entry.budget, entry.when) == ("revisit", "20/day", "every 1h")
    assert app.json("/p/diario/collection")["followed"] == "every 1h"
    assert json.dumps("every 1h") in json.dumps(app.json("/p/diario/collection"))
