"""Questions about many words are asked as jobs, whose answers the same page then shows."""

from __future__ import annotations

import html
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from trasmallo.project.project import Project
from trasmallo.web.long_questions import answer, ask, is_long
from web.conftest import Client


@pytest.fixture
def own(enter: Callable[..., Client], played: Path, tmp_path: Path) -> Client:
    shutil.copytree(played, tmp_path / "own")
    return enter(tmp_path / "own", long_bytes=0)


def wait(tmp_path: Path) -> None:
    project = Project.open(tmp_path / "own")
    project.wait_for_job(project.jobs()[0].job.number)


def start(client: Client, address: str) -> str:
    """Start what a page offers to start; where that leads."""
    page = client.page(address)
    form = page[page.index("/jobs/start") :]
    fields = dict(re.findall(r'name="(\w+)" value="([^"]*)"', form[: form.index("</form>")]))
    fields.pop("form_key")
    told = client.send(
        address.partition("?")[0].rsplit("/", 1)[0] + "/jobs/start", **{k: html.unescape(v) for k, v in fields.items()}
    )
    return told.headers["location"]


def test_laws_are_those_of_the_job(own: Client, tmp_path: Path) -> None:
    assert own.json("/p/own/laws?language=es")["laws"] is None
    place = start(own, "/p/own/laws?language=es")
    assert place.startswith("/p/own/jobs?number=1&to=%2Fp%2Fown%2Flaws%3Flanguage%3Des")
    wait(tmp_path)
    assert 'href="/p/own/laws?language=es"' in own.page(place)
    found = own.json("/p/own/laws?language=es")
    assert (found["laws"]["types"], found["long"]) == (Project.open(tmp_path / "own").laws(language="es").types, None)
    assert own.get("/p/own/laws/picture?which=zipf&language=es").text.startswith("<svg")
    assert own.json("/p/own/laws?language=en")["laws"] is None


def test_a_scope_is_made_ready_by_a_job(own: Client, tmp_path: Path) -> None:
    sent = own.get("/p/own/scope?text=site%3D127.0.0.1&to=/p/own/tables/pages%3Fsort%3Durl")
    waiting = own.get(sent.headers["location"])
    assert (waiting.status_code, "/jobs?number=1" in waiting.headers["location"]) == (303, True)
    assert own.get("/p/own::site=127.0.0.1/tables/pages", headers={"Accept": "application/json"}).status_code == 503
    assert own.page(waiting.headers["location"])
    wait(tmp_path)
    onward = re.search(r'class="button main" href="([^"]+)"', own.page(waiting.headers["location"]))
    assert onward
    assert {row[1] for row in own.json(html.unescape(onward[1]) + "&columns=url&columns=host")["rows"]} == {"127.0.0.1"}


def test_an_answer_is_of_the_results_as_they_are(own: Client, tmp_path: Path) -> None:
    del own
    project = Project.open(tmp_path / "own")
    project.wait_for_job(project.start_job("laws"))
    asked = ask(project, "laws", {"language": "", "site": ""})
    assert (asked.state is not None, answer(project, asked, dict) is not None) == (True, True)
    assert ask(project, "laws", {"language": "es"}).state is None
    assert ask(project.subcorpus("site=127.0.0.1"), "laws", {}).state is None
    results = project.run_named()
    assert is_long(results, 0)
    assert not is_long(results)
    results.manifest.remade += 1
    results.save()
    assert ask(Project.open(tmp_path / "own"), "laws", {}).state is None
