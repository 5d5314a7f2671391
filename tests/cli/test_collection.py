"""Commands about a collection over time."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.command_line import Done
from support.editable_web import EditableWeb
from trasmallo.project.project import Project
from trasmallo.results.dates import local

Command = Callable[..., Done]
OLD = "Los barcos salen del puerto al amanecer y vuelven con la red llena de sardinas."
NEW = "Los barcos se quedan hoy en el puerto porque el viento sopla con fuerza del norte."


@contextmanager
def in_new_york() -> Iterator[None]:
    """A machine whose clock is five hours behind UTC."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "America/New_York")
        time.tzset()
        yield
    time.tzset()


def test_a_collection_over_time(tmp_path: Path, trasmallo: Command) -> None:
    with EditableWeb() as web:
        web.write("/", "La portada habla del mar y de los pueblos de la costa.", "/barcos")
        web.write("/barcos", OLD)
        project = Project.new(tmp_path / "p", [web.url()], name="mar", delay=0.0, address_delay=0.0, sitemaps=False)
        project.run()
        folder = project.folder
        plan = trasmallo("revisit", folder, "--budget", "10", "--plan", "--json").rows()
        assert {row["url"] for row in plan} == {web.url(), web.url("/barcos")}
        assert "expected age" in plan[0]["reason"]
        assert "not visited again yet" in trasmallo("revisit", folder, "--budget", "10", "--plan").out
        web.write("/barcos", NEW)
        done = trasmallo("revisit", folder, "--budget", "10", "--json").value()
        assert done["state"] == "finished"
        fresh = trasmallo("fresh", folder, "--json", "--plot", tmp_path / "age.svg").value()
        assert fresh["findings"] == {"changed": 1, "new": 2, "unchanged": 1}
        assert "<svg" in (tmp_path / "age.svg").read_text()
        assert "1 changed, 2 new, 1 unchanged" in trasmallo("fresh", folder).out
        versions = trasmallo("versions", folder, web.url("/barcos"), "--json").value()
        assert len(versions["versions"]) == 2
        assert "fetched" in trasmallo("versions", folder, web.url("/barcos")).out
        shown = trasmallo("versions", folder, web.url("/barcos"), "--diff").out
        assert f"- {OLD}" in shown
        assert f"+ {NEW}" in shown
        first = versions["versions"][0]["at"]
        assert trasmallo("versions", folder, web.url("/barcos"), "--as-of", first).out.strip() == OLD
        now = trasmallo("versions", folder, web.url("/barcos"), "--as-of", "2999", "--json").value()
        assert (now["version"]["number"], now["text"].strip()) == (2, NEW)
        with in_new_york():
            diff = trasmallo("versions", folder, web.url("/barcos"), "--diff").out
            as_shown = diff.splitlines()[0].removeprefix("--- version 1, ")
            assert as_shown == local(project.versions(web.url("/barcos")).versions[0].at, seconds=True)
            assert trasmallo("versions", folder, web.url("/barcos"), "--as-of", as_shown).out.strip() == OLD
        refused = trasmallo("versions", folder, web.url("/barcos"), "--as-of", "2999", "--diff").refusal()
        assert refused == "trasmallo: --as-of shows one version, --diff compares two: leave one of them out"
        assert "choose a later date" in trasmallo("versions", folder, web.url("/barcos"), "--as-of", "1999").refusal()
        assert "no page" in trasmallo("revisit", folder, "--budget", "10/day").refusal()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--budget", "often"), "write a number of visits"),
        (("--for", "ever"), "write minutes, hours or days"),
        ((), "trasmallo run"),
        (("--plan",), "trasmallo run"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, trasmallo: Command, arguments: tuple[str, ...], said: str) -> None:
    Project.new(tmp_path / "p", ["http://a.es/"], name="p")
    assert said in trasmallo("revisit", tmp_path / "p", *arguments).refusal()


def test_a_collection_without_results_has_no_age_and_no_versions(tmp_path: Path, trasmallo: Command) -> None:
    Project.new(tmp_path / "p", ["http://a.es/"], name="p")
    assert "trasmallo run" in trasmallo("fresh", tmp_path / "p").refusal()
    assert "trasmallo run" in trasmallo("versions", tmp_path / "p", "http://a.es/").refusal()
