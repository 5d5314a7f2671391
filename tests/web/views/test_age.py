"""The age of a collection through the app, and a revisit as a process of its own."""

from __future__ import annotations

import html
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

from support.command_line import call
from support.editable_web import EditableWeb
from support.waiting import until
from trasmallo.project.lock import holder
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.web.guard import AppDoor
from web.conftest import TOKEN, Client
from web.views.conftest import Living


def test_the_page_tells_what_the_command_tells(alive: Client) -> None:
    twin = alive.json("/p/diario/age?budget=10")
    told = call(*shlex.split(twin["command"])[1:], "--json").value()
    for name in ("findings", "gone", "traffic", "measured"):
        assert twin["age"][name] == told[name]
    assert twin["age"]["findings"] == {"new": 4, "changed": 1, "unchanged": 5, "gone": 2}
    assert (twin["age"]["gone"], twin["age"]["measured"]["visits"]) == (1, 6)
    planned = call(*shlex.split(twin["show_plan"]["command"])[1:], "--json").rows()
    assert [one["url"] for one in twin["plan"]] == [one["url"] for one in planned]
    assert twin["planned"] == len(planned)


def test_a_day_of_the_calendar_opens_its_visits(alive: Client) -> None:
    twin = alive.json("/p/diario/age?budget=3/day")
    days = twin["calendar"]["days"]
    assert (len(days), twin["calendar"]["a_day"], twin["day_plan"]) == (14, 3, [])
    assert all(day["visits"] <= 3 for day in days)
    later = next(day["date"] for day in days[1:] if day["visits"])
    page = alive.page(f"/p/diario/age?budget=3/day&day={later}")
    assert f"Visits of {later}" in page
    opened = alive.json(f"/p/diario/age?budget=3/day&day={later}")
    told = call(*shlex.split(opened["show_calendar"]["command"])[1:], "--json").value()
    assert [one["url"] for one in opened["day_plan"]] == [one["url"] for one in told["visits"]]
    assert all(one["reason"] for one in opened["day_plan"])
    assert told["days"] == opened["calendar"]["days"]


def test_the_rates_of_pages_are_counted(alive: Client) -> None:
    told = alive.json("/p/diario/age")["age"]
    assert sum(each["pages"] for each in told["rates"]) == told["expected"]["pages"]
    assert "Pages by change rate" in alive.page("/p/diario/age/picture?which=pages")


def test_figures_lead_to_their_tables(alive: Client) -> None:
    page = alive.page("/p/diario/age")
    for piece in ("Expected age", "Measured age", "Measured in 6 visits to known pages.", 'href="/p/diario/tables/gone"'):
        assert piece in page
    assert 'href="/p/diario/age"' in alive.page("/p/diario"), "it is in the menu"
    assert "changed once in 2 visits" in alive.page("/p/diario/age?budget=10")
    assert "cambió una vez en 2 visitas" in alive.page("/p/diario/age?budget=10&lang=es")


def test_a_plan_with_its_reasons_leads_to_versions_and_to_the_visits(demo: Client) -> None:
    twin = demo.json("/p/demo/age?budget=7&limit=5")
    assert (len(twin["plan"]), twin["planned"]) == (5, 7)
    page = demo.page("/p/demo/age?budget=7&limit=5")
    assert "Make these 7 visits now" in page
    assert "5 of 7: show more" in page
    assert "Nothing is measured yet" in page
    for place in re.findall(r'href="(/p/demo/history[^"]+)"', page):
        assert demo.json(html.unescape(place))["history"]["versions"]
    spanish = demo.page("/p/demo/age?budget=1000&limit=1000&lang=es")
    assert "aún sin volver a visitar; vista por última vez" in spanish
    assert "expected age" not in spanish
    assert "last seen" not in spanish


@pytest.mark.parametrize("budget", ["many", "0", "-1", "5/week", "<b>"])
def test_a_budget_that_is_none_is_told_beside_its_field(alive: Client, budget: str) -> None:
    page = alive.page("/p/diario/age", params={"budget": budget})
    assert "is no budget" in page
    assert "write a number of visits" in page
    assert 'action="/p/diario/revisit"' not in page


def test_the_pictures(alive: Client) -> None:
    pictures = alive.json("/p/diario/age")["pictures"]
    assert list(pictures) == ["ages", "rates", "pages"]
    for address in pictures.values():
        answer = alive.get(address)
        assert answer.headers["content-type"].startswith("image/svg+xml")
        ElementTree.fromstring(answer.content)
    spanish = {which: alive.get(address, headers={"Accept-Language": "es"}).text for which, address in pictures.items()}
    assert "Edad esperada de una copia" in spanish["ages"]
    assert "un cambio cada" in spanish["ages"] or "cambios al día" in spanish["ages"]
    assert "al menos una vez al mes" in spanish["rates"]


def test_without_results_it_says_what_to_do(client: Client, cats: Project) -> None:
    page = client.page(f"/p/{cats.folder.name}/age")
    assert 'action="/p/cats/run"' in page
    answer = client.send("/p/cats/revisit", budget="5")
    assert answer.status_code == 400
    assert "has no results yet" in answer.text


def test_who_only_looks_starts_nothing(enter: Callable[..., Client], living: Living, door: AppDoor) -> None:
    client = enter(living.folder, door=AppDoor(TOKEN, door.hosts, read_only=True))
    assert 'action="/p/diario/revisit"' not in client.page("/p/diario/age?budget=10")
    assert client.send("/p/diario/revisit", budget="5").status_code == 403


def test_a_revisit_is_started_and_seen_live(client: Client, home: Path) -> None:
    with EditableWeb() as web:
        web.write("/", "Esta es la portada de un periódico que habla de muchas cosas distintas.", "/gatos")
        web.write("/gatos", "Los gatos duermen en los tejados de las casas viejas mientras llueve.")
        project = Project.new(home / "p", [web.url()], name="diario", delay=0.0, address_delay=0.0, sitemaps=False)
        project.run()
        web.visits()
        web.write("/gatos", "Los gatos pequeños juegan ahora con un ovillo azul sobre la alfombra nueva.")
        assert client.send("/p/p/revisit", budget="many").status_code == 400
        done = client.send("/p/p/revisit", budget="10")
        assert done.headers["location"] == "/p/p/live"
        until(lambda: not holder(project.folder), "the revisit to end", 90)
        assert {(visit.path, visit.status) for visit in web.visits()} == {("/", 304), ("/gatos", 200)}
    live = client.json("/p/p/live")["live"]
    assert (live["kind"], live["state"]) == ("revisit", "finished")
    assert '<span id="kind">revisita</span>' in client.page("/p/p/live?lang=es")
    assert client.json("/p/p/age")["age"]["findings"] == {"new": 2, "changed": 1, "unchanged": 1}


def test_an_interrupted_revisit_is_offered_to_go_on(client: Client, home: Path) -> None:
    project = Project.new(home / "p", ["http://127.0.0.1:1/"])
    run = run_folders.start(project.runs, "p", run_folders.REVISIT, "test")
    run.progress.write_bytes(b"{}")
    run.mark("stopped")
    page = client.page("/p/p/live")
    form = page[page.index('data-when="revisit"') :]
    assert not form.split(">")[0].endswith("hidden")
    assert "Go on with the revisit" in form[:400]
