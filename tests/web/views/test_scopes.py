"""The scope of the app: chosen once, kept in the address."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from trasmallo.project.project import Project
from web.conftest import Client


@pytest.fixture
def own(enter: Callable[..., Client], played: Path, tmp_path: Path) -> Client:
    shutil.copytree(played, tmp_path / "own")
    return enter(tmp_path / "own")


def test_a_scope_goes_with_every_link(client: Any, played: Path, enter: Any) -> None:
    client = enter(played)
    name = played.name
    goto = client.get(f"/p/{name}/scope?text=language%3Den&to=/p/{name}/tables/pages?sort=url").headers["location"]
    assert goto == f"/p/{name}%3A%3Alanguage%3Den/tables/pages?sort=url"
    page = client.page(goto)
    assert f'/p/{name}%3A%3Alanguage%3Den/search"' in page
    assert 'value="language=en"' in page
    rows = client.json(f"/api/p/{name}%3A%3Alanguage%3Den/tables/pages")
    assert "--scope language=en" in rows["command"]
    assert ".subcorpus('language=en')" in rows["python"]
    assert rows["number"] < client.json(f"/api/p/{name}/tables/pages")["number"]
    back = client.get(f"/p/{name}%3A%3Alanguage%3Den/scope?to=/p/{name}%3A%3Alanguage%3Den/laws").headers["location"]
    assert back == f"/p/{name}/laws"


def test_what_is_no_scope_is_told(played: Path, enter: Any) -> None:
    client = enter(played)
    answer = client.get(f"/p/{played.name}/scope?text=wordz%3E3")
    assert answer.status_code == 400
    assert "wordz" in answer.text


def test_an_address_elsewhere_is_not_gone_to(played: Path, enter: Any) -> None:
    client = enter(played)
    answer = client.get(f"/p/{played.name}/scope?text=language%3Den&to=https://evil.example/")
    assert answer.headers["location"] == f"/p/{played.name}%3A%3Alanguage%3Den"


def test_files_name_the_scope_and_the_run(played: Path, enter: Any) -> None:
    client = enter(played)
    run = next((played / "runs").iterdir()).name
    for place in ("tables/words/export?", "concordance/export?query=de&", "search/export?query=mar&"):
        head = client.get(f"/p/{played.name}%3A%3Alanguage%3Des/{place}kind=csv").text.splitlines()[0]
        assert " --scope language=es | run " in head, head
        assert run in head
        assert "trasmallo/" in head
    assert "--scope" not in client.get(f"/p/{played.name}/tables/words/export?kind=csv").text.splitlines()[0]


def test_the_own_language_is_offered(played: Path, enter: Any) -> None:
    page = enter(played).page(f"/p/{played.name}")
    assert '<option value="language=es">' in page
    assert f"/p/{played.name}/scope?text=language%3Den&amp;to=" in page


def test_the_moment_is_chosen_once_too(own: Any, tmp_path: Path) -> None:
    project = Project.open(tmp_path / "own")
    project.snapshot("thesis")
    page = own.page("/p/own")
    assert '<option value="thesis">' in page
    goto = own.get("/p/own/scope?text=language%3Des&as_of=thesis&to=/p/own/tables/pages").headers["location"]
    assert goto == "/p/own%3A%3Alanguage%3Des%20as-of%3Dthesis/tables/pages"
    page = own.page(goto)
    assert re.search(r'id="scope-text" name="text" value="language=es"', page)
    assert re.search(r'id="scope-as-of" name="as_of" value="thesis"', page)
    twin = own.json(goto)
    assert "--scope 'language=es as-of=thesis'" in twin["command"]
    assert ".subcorpus('language=es as-of=thesis')" in twin["python"]
    head = own.get(f"{goto}/export?kind=csv").text.splitlines()[0]
    assert "as-of=thesis' | run thesis," in head
    assert own.get("/p/own/scope?as_of=nothing").status_code == 404
    assert own.get("/p/own/scope?text=as-of%3Dthesis").headers["location"] == "/p/own%3A%3Aas-of%3Dthesis"


def test_of_an_earlier_run_the_earlier_results_answer(own: Any, tmp_path: Path) -> None:
    project = Project.open(tmp_path / "own")
    first = project.run_named().name
    before = project.size()
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "more.html").write_text("<html lang=es><p>" + "Un pulpo nuevo llega al puerto. " * 20)
    project.import_file(tmp_path / "more")
    assert own.json("/p/own/concordance?query=pulpo")["found"]["total"] == 20
    asked = f"/p/own%3A%3Aas-of%3D{first}"
    assert own.json(f"{asked}/concordance?query=pulpo")["found"]["total"] == 0
    assert own.json(f"{asked}/tables/words?where=word=pulpo")["rows"] == []
    then = project.subcorpus(f"as-of={first}")
    assert (then.size(), then.scope.as_of) == (before, first)


def test_a_project_begins_in_its_own_language(own: Client) -> None:
    assert 'href="/p/own/begin"' in own.page("/")
    goto = own.get("/p/own/begin").headers["location"]
    assert goto == "/p/own%3A%3Alanguage%3Des"
    assert {row[0] for row in own.json(f"/api{goto}/tables/pages?columns=language&where=drop%3D")["rows"]} == {"es"}
    assert own.get(f"{goto}/begin").headers["location"] == goto
    assert own.get("/p/own%3A%3Alanguage%3Den/begin").headers["location"] == "/p/own%3A%3Alanguage%3Den"


def test_nobody_waits_for_the_first_scope(enter: Callable[..., Client], played: Path, tmp_path: Path) -> None:
    shutil.copytree(played, tmp_path / "own")
    own = enter(tmp_path / "own", long_bytes=0)
    assert own.get("/p/own/begin").headers["location"] == "/p/own?said=scope_later"
    jobs = own.json("/p/own/jobs")["jobs"]
    assert [(state["job"]["kind"], state["job"]["scope"]) for state in jobs] == [("subcorpus", "language=es")]
    Project.open(tmp_path / "own").wait_for_job(jobs[0]["job"]["number"])
    assert own.get("/p/own/begin").headers["location"] == "/p/own%3A%3Alanguage%3Des"


def test_what_cannot_be_looked_at_begins_where_it_is_told(enter: Callable[..., Client], tmp_path: Path) -> None:
    Project.new(tmp_path / "fresh", ["http://a.example/"])
    client = enter(tmp_path / "fresh")
    assert client.get("/p/fresh/begin").headers["location"] == "/p/fresh"
    (tmp_path / "fresh" / "trasmallo.toml").write_text("[crawl")
    assert client.get("/p/fresh/begin").headers["location"] == "/p/fresh"
