"""Projects are made, opened, copied, deleted and brought back."""

from __future__ import annotations

import json
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest

from support.command_line import call
from trasmallo import config
from trasmallo.project.lock import hold
from trasmallo.project.project import Project
from web.conftest import TOKEN, Client

WIZARD = {
    "name": "Gatos de España",
    "addresses": "https://cats.example/\n# no\nperros.example",
    "language": "es",
    "scope": "host",
}


def test_the_first_page_says_what_to_do(client: Client) -> None:
    assert "There are no projects yet." in client.page("/")
    assert "Todavía no hay proyectos." in client.page("/", headers={"Accept-Language": "es"})


def test_a_new_project_is_the_file_that_commands_read(client: Client, home: Path) -> None:
    answer = client.send("/new", **WIZARD, pages="50", study=["", "neologisms", "words"])
    assert (answer.status_code, answer.headers["location"]) == (303, "/p/Gatos-de-Espana/settings?said=made")
    made = config.load(home / "Gatos-de-Espana" / "trasmallo.toml")
    assert made.crawl.seeds == ("https://cats.example/", "https://perros.example/")
    assert (made.name, made.crawl.scope, made.crawl.pages) == ("Gatos de España", "host", 50)
    assert made.study.analyses == ("words", "neologisms")
    assert "Gatos de España" in client.page("/")


@pytest.mark.parametrize("study", [None, [""], *[["", name] for name in get_args(config.Analysed)]])
def test_each_analysis_is_offered_and_chosen_alone(client: Client, home: Path, study: list[str] | None) -> None:
    offered = re.findall(r'type="checkbox" name="study" value="(\w+)" checked', client.page("/new"))
    assert tuple(offered) == get_args(config.Analysed)
    answer = client.send("/new", **WIZARD, **{} if study is None else {"study": study})
    assert answer.status_code == 303
    made = config.load(home / "Gatos-de-Espana" / "trasmallo.toml").study.analyses
    assert made == (get_args(config.Analysed) if study is None else tuple(study[1:]))


def test_addresses_come_from_a_file_with_a_byte_order_mark(client: Client, home: Path) -> None:
    key = client.page("/new").split('name="form_key" value="')[1].split('"')[0]
    files = {"file": ("list.txt", "\ufeffhttps://a.example/\r\nhttps://b.example/\r\n".encode())}
    data = {"name": "two", "form_key": key}
    answer = client.ask("POST", "/new", data=data, files=files, headers={"Origin": "http://127.0.0.1:7470"})
    assert answer.status_code == 303
    assert len(config.load(home / "two" / "trasmallo.toml").crawl.seeds) == 2


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"addresses": ""}, "addresses"),
        ({"addresses": "ftp://a.example/"}, "addresses"),
        ({"addresses": "\n".join(f"https://a.example/{n}" for n in range(10_001))}, "addresses"),
        ({"language": "Spanish"}, "language"),
        ({"pages": "many"}, "pages"),
        ({"scope": "everywhere"}, "scope"),
        ({"study": "astrology"}, "study"),
        ({"name": "/../"}, "name"),
    ],
)
def test_a_mistake_is_told_beside_its_field(client: Client, home: Path, changed: dict[str, str], field: str) -> None:
    answer = client.send("/new", **WIZARD | changed)
    assert answer.status_code == 422
    assert f'id="error-{field}"' in answer.text
    assert not list(home.iterdir())
    told = answer.text.partition(f'id="error-{field}"')[2].partition("</p>")[0]
    assert not re.search(r"regex|`str`|`int`|\[a-z|\{\d", told), "people are told in words what is wanted"
    assert "Gatos de España" in answer.text or field == "name", "what was typed is still there"


def test_a_taken_name_is_refused(client: Client, cats: Project) -> None:
    assert client.send("/new", **WIZARD | {"name": "cats"}).status_code == 422


def test_a_project_elsewhere_is_opened(client: Client, tmp_path: Path) -> None:
    Project.new(tmp_path / "elsewhere" / "cats", ["https://a.example/"])
    assert client.send("/open", folder=str(tmp_path / "elsewhere" / "cats")).headers["location"] == "/p/cats?said=opened"
    assert client.send("/open", folder=str(tmp_path)).status_code == 404
    assert client.send("/open", folder=" ").status_code == 400


def test_a_copy_has_the_settings_and_lists(client: Client, cats: Project, home: Path) -> None:
    (cats.folder / "own.txt").write_text("gato\n")
    assert client.send("/p/cats/duplicate", name="dogs").status_code == 303
    copy = config.load(home / "dogs" / "trasmallo.toml")
    assert (copy.name, copy.crawl) == ("dogs", cats.config.crawl)
    assert (home / "dogs" / "own.txt").exists()
    assert client.send("/p/cats/duplicate", name="dogs").status_code == 409


def test_what_is_deleted_can_come_back(client: Client, cats: Project) -> None:
    answer = client.send("/p/cats/delete")
    assert answer.headers["location"].startswith("/?said=deleted")
    assert not cats.folder.exists()
    assert client.get("/p/cats").status_code == 404
    (thrown,) = client.json("/")["trash"]
    assert "Bring back" in client.page("/")
    assert client.send("/trash/restore", key=thrown["key"]).status_code == 303
    assert cats.folder.exists()
    assert client.json("/")["trash"] == []


def test_what_is_erased_is_gone(client: Client, cats: Project, home: Path) -> None:
    client.send("/p/cats/delete")
    (thrown,) = client.json("/")["trash"]
    assert client.send("/trash/erase", key="../../home").status_code == 404
    assert client.send("/trash/erase", key=thrown["key"]).status_code == 303
    assert client.json("/")["trash"] == []
    assert client.send("/trash/restore", key=thrown["key"]).status_code == 404


def test_a_project_at_work_is_not_deleted(client: Client, cats: Project) -> None:
    with hold(cats.folder):
        assert client.send("/p/cats/delete").status_code == 409
    assert cats.folder.exists()


def test_the_overview_of_a_run(enter: Callable[..., Client], played: Path) -> None:
    client = enter(played)
    summary = client.json("/p/demo")["summary"]
    assert summary == json.loads(json.dumps(summary))
    assert f"{summary['words']:,}" in client.page("/p/demo")
    assert f"{summary['words']:,}".replace(",", ".") in client.page("/p/demo", headers={"Accept-Language": "es"})


def test_a_broken_file_is_told_in_the_list_and_the_overview(client: Client, cats: Project) -> None:
    (cats.folder / "trasmallo.toml").write_text("lines = = 3")
    assert "broken file" in client.page("/")
    assert "is not valid TOML" in client.page("/p/cats")


def test_the_api_does_the_same_with_a_bearer(client: Client, home: Path) -> None:
    client.cookies = {}
    bearer = {"Authorization": f"Bearer {TOKEN}"}
    sent = {"name": "birds", "addresses": "https://birds.example/"}
    answer = client.ask("POST", "/api/new", json=sent, headers=bearer)
    assert answer.json()["goto"] == "/p/birds/settings"
    refused = client.ask("POST", "/api/new", json=sent | {"language": "x"}, headers=bearer)
    assert (refused.status_code, refused.json()["error"]["kind"]) == (422, "ConfigError")
    assert (
        client.ask("POST", "/api/new", content=b"[", headers=bearer | {"Content-Type": "application/json"}).status_code == 400
    )


HOSTILE = "<script>alert(1)</script>\u202e\"'><img src=x onerror=alert(1)>"


def test_hostile_names_and_addresses_stay_text(client: Client, home: Path) -> None:
    long = "https://a.example/" + "x" * 2_000
    Project.new(home / "h", ["https://a.example/?q=<script>alert(1)</script>", long])
    (home / "h" / "runs").mkdir()
    for path in ("/p/h", "/p/h/settings", "/p/h/live", f"/p/{HOSTILE}", f"/p/h/tables/{HOSTILE}", f"/p/h/live?said={HOSTILE}"):
        text = client.get(path).text
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert "\u202e" not in text


def do_by_command(deed: dict[str, str]) -> None:
    assert call(*shlex.split(deed["command"])[1:]).code == 0


def do_by_python(deed: dict[str, str]) -> None:
    exec(deed["python"], {})


@pytest.mark.parametrize("do", [do_by_command, do_by_python])
def test_what_is_copied_does_what_the_buttons_do(
    client: Client, cats: Project, home: Path, do: Callable[[dict[str, str]], None]
) -> None:
    overview = client.json("/p/cats")
    do(overview["duplicate"])
    assert config.load(home / "cats-2" / config.FILE_NAME).name == "cats 2"
    do(overview["delete"])
    assert not cats.folder.exists()
    listed = client.json("/")
    do(listed["restore"][listed["trash"][0]["key"]])
    assert cats.folder.is_dir()
