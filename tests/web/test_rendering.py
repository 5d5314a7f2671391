"""Answers as people and programs read them."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import call
from trasmallo.project.project import Project
from trasmallo.web.rendering import HERE, plain, size
from web.conftest import Client


@pytest.mark.parametrize(
    ("octets", "said"), [(0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (2e6, "2.0 MB"), (3e9, "3.0 GB"), (4e12, "4.0 TB")]
)
def test_sizes(octets: float, said: str) -> None:
    assert size(octets) == said


def test_what_strangers_wrote_stays_on_its_line() -> None:
    assert plain("a\n\u202eb\x00c") == "a  b c"
    assert plain("x" * 10, 4) == "xxxx…"
    assert plain(7) == "7"


def test_a_page_and_its_twin_say_the_same(client: Client, cats: Project) -> None:
    twin = client.json("/p/cats")
    assert twin["command"]
    assert twin["command"] in client.page("/p/cats").replace("&#39;", "'")
    assert client.get("/api/p/cats").json() == twin


def test_moments_are_told_as_the_command_line_tells_them(enter: Callable[..., Client], played: Path) -> None:
    demo = enter(played)
    table = demo.json("/p/demo/tables/pages?columns=url&columns=at&sort=url")
    listed = call(*shlex.split(table["command"])[1:], "--json").rows()
    assert table["rows"][0][1].endswith("Z")
    assert [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]] == listed[: len(table["rows"])]
    (run,) = demo.json("/p/demo")["past"]
    assert run["began"].endswith("Z")
    schemas = demo.json("/api/openapi.json")["components"]["schemas"]
    assert schemas["RunCard"]["properties"]["began"]["type"] == ["string", "number"]
    assert schemas["PageRow"]["properties"]["at"]["anyOf"][1] == {"type": "null"}
    assert schemas["ConcordanceQuestion"]["properties"]["since"]["type"] == "string"


KINDS = [("/p/nobody", 404), ("/p/cats/exclude?texts=$", 409), ("/p/cats/pending?limit=0", 400)]


@pytest.mark.parametrize(("path", "status"), KINDS)
def test_an_error_has_the_status_of_its_kind(client: Client, cats: Project, path: str, status: int) -> None:
    answer = client.get(path, headers={"Accept": "application/json"})
    assert answer.status_code == status
    error = answer.json()["error"]
    assert error["problem"]
    assert error["repair"]


def test_a_language_that_was_chosen_is_kept(client: Client, cats: Project) -> None:
    assert 'lang="es"' in client.page("/?lang=es")
    assert 'lang="es"' in client.page("/")


def test_templates_have_lines_that_people_can_read() -> None:
    long = [
        f"{path.name}:{number}"
        for path in sorted((HERE / "templates").glob("*.html"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) >= 160
    ]
    assert long == []
