"""The timetable through the app: entries come, change and go; the scheduler is a process that the app only tells."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.waiting import until
from trasmallo.project.lock import hold, holder
from trasmallo.project.project import Project
from trasmallo.project.timetable import Timetable, steering
from trasmallo.results.dates import as_told
from trasmallo.web.guard import AppDoor
from web.conftest import TOKEN, Client

DAILY = {"kind": "days", "time": "03:00", "days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]}


@pytest.fixture
def table(own_data: Path) -> Iterator[Timetable]:
    """The timetable that the app shows; whoever runs it at the end is stopped."""
    found = Timetable(own_data / "timetable.sqlite")
    yield found
    if steering.worker(found):
        steering.stop(found, at_once=True)
        until(lambda: not steering.worker(found), "the scheduler to end", 60)


def entries(client: Client) -> list[Any]:
    return [card["entry"] for card in client.json("/timetable")["entries"]]


def test_an_empty_page_says_what_to_do(client: Client, table: Timetable) -> None:
    page = client.page("/timetable")
    assert "No project is on the timetable." in page
    assert 'href="/new"' in page
    assert not table.path.exists(), "looking makes nothing"
    assert "/timetable" in client.page("/"), "it is linked from the projects"


def test_an_entry_comes_changes_and_goes_and_comes_back(client: Client, cats: Project, table: Timetable) -> None:
    done = client.send("/timetable", project="cats", **DAILY, zone="Europe/Madrid")
    assert done.headers["location"] == "/timetable?said=timetable.saved"
    (entry,) = table.entries()
    assert (entry.folder, entry.when, entry.zone, entry.missed) == (str(cats.folder), "03:00", "Europe/Madrid", "catch-up")
    page = client.page("/timetable")
    assert "daily at 03:00" in page
    assert f'data-at="{entry.due}"' in page
    assert 'id="form"' not in page, "one entry a project"

    folder = str(cats.folder)
    edit = client.json(f"/timetable?edit={folder}")["typed"]
    assert (edit["kind"], edit["time"], len(edit["days"]), edit["zone"]) == ("days", "03:00", 7, "Europe/Madrid")
    client.send("/timetable", folder=folder, kind="days", time="04:30", days=["mon", "thu"], missed="skip")
    assert [(card["when"], card["zone"], card["missed"]) for card in entries(client)] == [("mon,thu 04:30", "", "skip")]
    assert "Mon, Thu at 04:30" in client.page("/timetable")
    assert "lun, jue a las 04:30" in client.page("/timetable?lang=es")

    assert "timetable.off" in client.send("/timetable/change", folder=folder, on="false").headers["location"]
    client.send("/timetable", folder=folder, kind="every", number="36", unit="h")
    assert [(card["when"], card["on"]) for card in entries(client)] == [("every 1d12h", False)], "what is off stays off"
    client.send("/timetable/change", folder=folder, on="true")
    before = table.find(cats.folder)
    client.send("/timetable", folder=folder, kind="every", number="36", unit="h", missed="skip")
    assert table.find(cats.folder) == msgspec.structs.replace(before, missed="skip"), "the period goes on counting"
    assert client.json(f"/timetable?edit={folder}")["typed"]["number"] == 36

    before = table.find(cats.folder)
    removed = client.send("/timetable/remove", folder=folder).headers["location"]
    assert entries(client) == []
    assert "Deshacer" in client.page(removed)
    assert client.send("/timetable/undo", folder=folder).status_code == 303
    assert table.entries() == [before]
    assert client.send("/timetable/undo", folder=folder).status_code == 404, "once"


def test_a_whole_time_as_the_command_line_writes_it(client: Client, cats: Project, table: Timetable) -> None:
    for when in ("2099-12-24 18:00", "mon-fri 22:15", "every 2w"):
        client.send("/timetable", project="cats", when=when)
        card = client.json("/timetable")["entries"][0]
        typed = client.json(f"/timetable?edit={cats.folder}")["typed"]
        again = {name: value for name, value in typed.items() if name != "missed"}
        client.send("/timetable", **again)
        assert as_told(table.find(cats.folder)) == card["entry"], "as the form shows it"
    assert card["command"] == f"trasmallo schedule {cats.folder} --every 2w --missed catch-up"
    assert "'every 2w', time.time(), missed='catch-up')" in card["python"]


@pytest.mark.parametrize(
    ("fields", "repair"),
    [
        ({"project": "cats", "days": ["mon"], "time": "soon"}, "write it like"),
        ({"project": "cats", "kind": "days"}, "choose at least one day"),
        ({"project": "cats", "kind": "once", "date": "2001-01-01"}, "give a time to come"),
        ({"project": "cats", "kind": "every", "number": "9999", "unit": "w"}, "from a minute to a year"),
        ({"project": "cats", "when": "every 1d", "zone": "../etc/passwd"}, "Europe/Madrid"),
        ({"project": "dogs", "when": "every 1d"}, "choose one of the list"),
        ({"when": "every 1d"}, "choose one of the list"),
        ({"folder": "/nowhere\0", "when": "every 1d"}, "see /timetable"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_shown_where_it_was_typed(
    client: Client, cats: Project, table: Timetable, fields: dict[str, Any], repair: str
) -> None:
    refused = client.send("/timetable", **fields)
    assert refused.status_code == 422
    assert repair in refused.text
    assert 'id="form"' in refused.text
    assert table.entries() == []


def test_a_revisit_with_its_budget(client: Client, cats: Project, table: Timetable) -> None:
    client.send("/timetable", project="cats", when="every 6h", work="revisit", budget=" 500/day ")
    assert (table.find(cats.folder).work, table.find(cats.folder).budget) == ("revisit", "500/day")
    card = client.json("/timetable")["entries"][0]
    assert card["command"] == f"trasmallo schedule {cats.folder} --every 6h --missed catch-up --revisit --budget 500/day"
    assert "missed='catch-up', work='revisit', budget='500/day')" in card["python"]
    page = client.page("/timetable?lang=es")
    assert "revisita" in page
    assert "visitas: 500/day" in page
    typed = client.json(f"/timetable?edit={cats.folder}")["typed"]
    assert (typed["work"], typed["budget"]) == ("revisit", "500/day")
    refused = client.send("/timetable", folder=str(cats.folder), when="every 6h", work="revisit", budget="many")
    assert refused.status_code == 422
    assert "escribe un número de visitas" in refused.text
    before = table.find(cats.folder)
    client.send("/timetable", folder=str(cats.folder), when="every 6h", work="run", budget="500/day")
    assert (table.find(cats.folder).id, table.find(cats.folder).work, table.find(cats.folder).budget) == (before.id, "run", "")


@pytest.mark.parametrize("action", ["change", "skip", "remove", "undo"])
def test_what_is_not_on_the_timetable(client: Client, action: str) -> None:
    assert client.send(f"/timetable/{action}", folder="/nowhere").status_code == 404
    assert client.get("/timetable?edit=/nowhere").status_code == 404
    assert client.get("/timetable?past=/nowhere").status_code == 404


def test_what_was_missed_is_caught_up_or_skipped_by_choice(client: Client, cats: Project, table: Timetable) -> None:
    table.add(cats.folder, "every 1d", time.time() - 100_000)
    folder = str(cats.folder)
    assert [(one["project"], one["waits_for"]) for one in client.json("/timetable")["line"]] == [("cats", "scheduler")]
    page = client.page("/timetable")
    assert "is caught up once when the scheduler starts" in page
    assert "4 hours ago" in page
    client.send("/timetable/change", folder=folder, missed="skip")
    assert "is skipped when the scheduler starts" in client.page("/timetable")
    client.send("/timetable/skip", folder=folder)
    told = client.json("/timetable")
    assert told["line"] == []
    assert [(run["state"], run["cause"]) for run in told["history"]] == [("skipped", "by hand")]
    assert client.send("/timetable/skip", folder=folder).status_code == 400, "the next one is not due"
    assert "omitida" in client.page("/timetable?lang=es")


def test_who_waits_for_whom(client: Client, cats: Project, home: Path, table: Timetable) -> None:
    dogs = Project.new(home / "dogs", ["https://dogs.example/"])
    now = time.time()
    for project, hours in ((cats, 30), (dogs, 26)):
        table.add(project.folder, "every 1d", now - hours * 3_600)
    with hold(table.path.parent):
        assert [one["waits_for"] for one in client.json("/timetable")["line"]] == ["nothing", "nothing"]
        begun = table.begin(table.find(cats.folder), now)
        with hold(cats.folder):
            told = client.json("/timetable")
            assert told["running"]["project"] == "cats"
            assert [(one["project"], one["waits_for"]) for one in told["line"]] == [("dogs", "running")]
            assert "begins when the running one ends" in client.page("/timetable")
        told = client.json("/timetable")
        assert (told["running"], told["history"][0]["state"]) == (None, "interrupted"), "its process is gone"
        table.end(begun, now + 60, "failed", "its process ended with signal 9")
        with hold(dogs.folder):
            assert [one["waits_for"] for one in client.json("/timetable")["line"]] == ["busy"]
    page = client.page(f"/timetable?lang=es&past={cats.folder}")
    assert "su proceso acabó con la señal 9" in page
    assert client.json(f"/timetable?past={dogs.folder}")["history"] == []


def test_a_long_history_comes_in_parts(client: Client, cats: Project, table: Timetable) -> None:
    entry = table.add(cats.folder, "every 1m", 0.0)
    for number in range(4):
        table.end(table.begin(entry, float(number + 100)), number + 200.0, "finished", run=f"run{number}")
    told = client.json("/timetable?limit=3")
    assert ([run["run"] for run in told["history"]], told["more"]) == (["run3", "run2", "run1"], True)
    assert not client.json("/timetable?limit=4")["more"]
    assert "/p/cats/tables/pages?run=run3" in client.page("/timetable")


def test_the_scheduler_is_started_seen_and_stopped(client: Client, home: Path, table: Timetable) -> None:
    empty = Project.new(home / "empty")
    table.add(empty.folder, "every 1d", time.time() - 100_000)
    assert client.send("/timetable/scheduler", wish="stop").status_code == 400
    assert client.send("/timetable/scheduler", wish="start").status_code == 303
    process = steering.worker(table)
    assert process
    assert client.json("/timetable")["scheduler"] == process
    refused = client.send("/timetable/scheduler", wish="start")
    assert refused.status_code == 409
    assert f"process {process} already runs the timetable" in refused.text
    until(lambda: client.json("/timetable")["history"], "the run")
    until(lambda: client.json("/timetable")["history"][0]["state"] == "failed", "the run's end")
    assert "no addresses to start from" in client.page("/timetable"), "why"
    assert client.send("/timetable/scheduler", wish="stop").status_code == 303
    until(lambda: not steering.worker(table), "the scheduler to end", 60)
    assert client.json("/timetable")["scheduler"] == 0
    assert not holder(empty.folder)


def test_a_scheduler_that_stops_says_so(client: Client, table: Timetable) -> None:
    table.path.parent.mkdir(parents=True, exist_ok=True)
    with hold(table.path.parent):
        assert not client.json("/timetable")["stopping"]
        table.stopping.touch()
        assert client.json("/timetable")["stopping"]
        page = client.page("/timetable", headers={"Accept-Language": "es"})
    assert "se está parando…" in page
    assert 'value="stop"' not in page
    assert 'value="finish"' in page


def test_who_is_shown_results_changes_nothing(
    enter: Callable[..., Client], door: AppDoor, cats: Project, table: Timetable
) -> None:
    table.add(cats.folder, "every 1d", time.time() - 100_000)
    shown = enter(door=msgspec.structs.replace(door, read_only=True))
    page = shown.page("/timetable")
    assert "every 1d" in page
    assert "<form" not in page
    headers = {"Authorization": f"Bearer {TOKEN}", "Accept": "application/json"}
    for action in ("", "/change", "/skip", "/remove", "/undo", "/scheduler"):
        assert shown.ask("POST", f"/timetable{action}", json={"folder": str(cats.folder)}, headers=headers).status_code == 403


def test_a_project_that_is_gone_and_one_of_elsewhere(client: Client, tmp_path: Path, table: Timetable) -> None:
    hostile = tmp_path / "<script>alert(1)"
    table.add(hostile, "03:00", time.time())
    page = client.page("/timetable")
    assert "no project there" in page
    assert "<script>alert" not in page
    card = client.json("/timetable")["entries"][0]
    assert (card["project"], card["there"]) == ("", False)
    assert client.send("/timetable", folder=str(hostile), when="every 1d").status_code == 422
    assert client.send("/timetable/remove", folder=str(hostile)).status_code == 303


def test_a_broken_timetable_is_told(client: Client, cats: Project, table: Timetable) -> None:
    table.path.parent.mkdir(parents=True)
    table.path.write_bytes(b"no database at all, but long enough to be looked at" * 10)
    answer = client.get("/timetable")
    assert answer.status_code == 507
    assert "is no timetable" in answer.text
    assert client.json("/p/cats")["timetable"] is None, "the project can be looked at"


def test_a_project_tells_its_time(client: Client, cats: Project, table: Timetable) -> None:
    assert "/timetable?project=cats#form" in client.page("/p/cats")
    assert client.json("/timetable?project=cats")["typed"]["project"] == "cats"
    table.add(cats.folder, "03:00", time.time())
    assert client.json("/p/cats")["timetable"]["entry"]["when"] == "03:00"
    page = client.page("/p/cats")
    assert "daily at 03:00" in page
    assert f"/timetable?edit={str(cats.folder).replace('/', '%2F')}#form" in page
