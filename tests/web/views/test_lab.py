"""The lab of a project in the app."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from support.waiting import until
from trasmallo.project.project import Project
from trasmallo.web.guard import AppDoor
from web.conftest import HOST, TOKEN, Client


@pytest.fixture
def project(finished: Project, home: Path) -> str:
    shutil.copytree(finished.folder, home / "lab-demo")
    return "lab-demo"


def test_an_experiment_is_started_watched_and_its_result_taken_away(enter: Callable[..., Client], project: str) -> None:
    client = enter()
    page = f"/p/{project}/lab"
    assert "Effect of the number of lines" in client.page(page)
    assert "Efecto del número de líneas" in client.page(page, headers={"Accept-Language": "es"})
    answer = client.send(f"{page}/start", name="cache", words="1000")
    assert (answer.status_code, answer.headers["location"]) == (303, f"{page}?said=lab.started")
    until(lambda: not client.json(page)["running"], "the end of the experiment", 120.0)
    (card,) = [card for card in client.json(page)["experiments"] if card["name"] == "cache"]
    assert (len(card["state"]["points"]), card["state"]["error"]) == (20, "")
    assert card["command"].endswith("--words 1000")
    assert f"{page}/result?name=cache" in client.page(page)
    lines = client.get(f"{page}/result?name=cache&kind=jsonl").text.splitlines()
    assert [json.loads(line) for line in lines] == card["state"]["points"]
    svg = client.get(f"{page}/result?name=cache&kind=svg", headers={"Accept-Language": "es"}).text
    assert svg.startswith("<svg") and "palabras por segundo" in svg
    assert "without_memory" in client.get(f"{page}/result?name=cache&kind=csv").text


def test_what_cannot_be_started_or_stopped_is_told(enter: Callable[..., Client], project: str) -> None:
    client = enter()
    for numbers in ("many", "0", "1 " * 21, "3000"):
        assert client.send(f"/p/{project}/lab/start", name="lines", numbers=numbers).status_code == 400
    assert client.send(f"/p/{project}/lab/stop", name="lines").status_code == 400
    reader = enter(door=AppDoor(TOKEN, frozenset({HOST}), read_only=True))
    assert reader.send(f"/p/{project}/lab/start", name="cache").status_code == 403
    assert 'action="/p/lab-demo/lab/start"' not in reader.page(f"/p/{project}/lab")


def test_capacity_is_summed_up_in_both_languages(enter: Callable[..., Client], project: str) -> None:
    client, page = enter(), f"/p/{project}/lab"
    for wrong in ({"figures": "rates=3"}, {"figures": "rate=many"}, {"sizes": "many"}, {"sizes": "0"}):
        assert client.send(f"{page}/start", name="capacity", **wrong).status_code == 400, wrong
    client.send(f"{page}/start", name="capacity", sizes="5000", sample="0", figures="window=10")
    until(lambda: not client.json(page)["running"], "the end of the experiment", 120.0)
    (card,) = [card for card in client.json(page)["experiments"] if card["name"] == "capacity"]
    assert (card["state"]["error"], {row["pages"] for row in card["state"]["sums"]}) == ("", {0, 5_000})
    assert card["command"].endswith("5000 --pages 0 --figure window=10")
    assert "hosts with pages that wait" in client.page(page)
    assert "servidores con páginas en espera" in client.page(page, headers={"Accept-Language": "es"})
    lines = client.get(f"{page}/result?name=capacity&kind=jsonl").text.splitlines()
    assert [json.loads(line) for line in lines] == card["state"]["sums"]
    assert client.get(f"{page}/result?name=capacity&kind=svg").status_code == 400
    compile(card["python"], "python", "exec")
