"""A site is taken out of the collection and put back: its pages vanish from every answer, and are there again."""

from __future__ import annotations

import json
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.command_line import Done, start, wait_for
from support.editable_web import EditableWeb
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.values.errors import NotFound

TEXTS = {
    "/": "Esta es la portada de un periódico que habla de muchas cosas distintas cada día.",
    "/gatos": "Los gatos duermen en los tejados de las casas viejas mientras llueve en la ciudad.",
}
OTHERS = {
    "/": "Compre aquí las mejores ofertas de relojes baratos y de colchones que nadie necesita.",
    "/oferta": "Los relojes se venden hoy a mitad de precio en todas las tiendas de la comarca.",
}


class Webs:
    """Two sites: hosts differ, since a site is a host."""

    def __init__(self, one: EditableWeb, other: EditableWeb) -> None:
        self.one, self.other = one, other
        self.seeds = [one.url("/"), other.url("/").replace("127.0.0.1", "localhost")]


@pytest.fixture
def webs() -> Iterator[Webs]:
    with EditableWeb() as one, EditableWeb() as other:
        for web, texts in ((one, TEXTS), (other, OTHERS)):
            for path, text in texts.items():
                web.write(path, text, *(texts if path == "/" else ()))
        yield Webs(one, other)


def make(folder: Path, seeds: list[str]) -> Project:
    project = Project.new(folder, seeds, name="diario", delay=0.0, address_delay=0.0, sitemaps=False, private=["localhost"])
    project.run()
    return project


def answers(project: Project, run: str = "") -> dict[str, object]:
    asked = project.as_of(run) if run else project
    return {
        "pages": sorted((row["url"], row["words"], row["drop"]) for row in asked.table("pages")),
        "words": sorted((row["word"], row["count"]) for row in asked.table("words")),
        "links": sorted((row["document"], row["url"]) for row in asked.table("links")),
        "found": sorted(hit.url for hit in asked.find("los relojes").hits),
        "lines": sorted((hit.document, hit.left) for hit in asked.kwic("los").hits),
    }


def test_a_site_is_taken_out_and_put_back(tmp_path: Path, webs: Webs) -> None:
    project = make(tmp_path / "p", webs.seeds)
    alone = make(tmp_path / "alone", webs.seeds[:1])
    whole, first = answers(project), run_folders.latest(project.runs).name
    assert len(project.sites()) == 2
    webs.other.visits()

    project.take_out("localhost")
    assert answers(project) == answers(alone) != whole
    assert answers(project, first) == whole
    assert [(row["cause"]) for row in project.table("gone")] == ["site taken out"] * 2
    assert [(site.host, site.pages, bool(site.taken_out)) for site in project.sites()] == [
        ("127.0.0.1", 2, False),
        ("localhost", 2, True),
    ]
    assert list(project.check()) == []
    age = project.freshness()
    assert (age.expected.pages, age.gone, [site.site for site in age.sites]) == (2, 0, ["127.0.0.1"])


def test_later_runs_leave_it_out_until_it_is_put_back(tmp_path: Path, webs: Webs) -> None:
    project = make(tmp_path / "p", webs.seeds)
    whole = answers(project)
    project.take_out("localhost")
    webs.other.visits()
    assert all("localhost" not in visit.url for visit in project.planned_visits("10"))
    project.run(new=True)
    assert webs.other.visits() == []
    assert {row["host"] for row in project.table("pages")} == {"127.0.0.1"}

    project.put_back("localhost")
    assert answers(project) == whole
    assert list(project.table("gone")) == []
    assert [site.host for site in project.sites() if site.taken_out] == []
    assert list(project.check()) == []


def test_read_again_under_other_settings_it_stays_out(tmp_path: Path, webs: Webs) -> None:
    project = make(tmp_path / "p", webs.seeds)
    project.take_out(webs.seeds[1])  # an address is as good as a host
    left = answers(project)
    project.clean()
    assert answers(project) == left


def test_hosts_that_are_none(tmp_path: Path, webs: Webs) -> None:
    project = make(tmp_path / "p", webs.seeds)
    with pytest.raises(NotFound, match="the collection has no site 'localhos'.*did you mean 'localhost'"):
        project.take_out("localhos")
    with pytest.raises(NotFound, match="was not taken out"):
        project.put_back("localhost")
    assert len(run_folders.find(project.runs)) == 1


def test_a_kill_in_between_is_made_good(tmp_path: Path, webs: Webs) -> None:
    project = make(tmp_path / "p", webs.seeds)
    alone = make(tmp_path / "alone", webs.seeds[:1])
    with start("sites", project.folder, "--take-out", "localhost", "--quiet") as process:
        wait_for(lambda: len(run_folders.find(project.runs)) == 2, process)
        process.send_signal(signal.SIGKILL)
        process.communicate()
    project.revisit("5")
    assert answers(project)["words"] == answers(alone)["words"]
    assert (project.folder / "left-out-sites.json").exists()


def test_a_killed_command_that_is_given_again_goes_on(tmp_path: Path, webs: Webs) -> None:
    project = make(tmp_path / "p", webs.seeds)
    whole = answers(project)
    alone = make(tmp_path / "alone", webs.seeds[:1])
    for option, expected in (("--take-out", answers(alone)["words"]), ("--put-back", whole["words"])):
        before = len(run_folders.find(project.runs))
        command = ("sites", project.folder, option, "localhost", "--quiet")
        with start(*command) as process:
            wait_for(lambda before=before: len(run_folders.find(project.runs)) > before, process)  # type: ignore[misc]
            process.send_signal(signal.SIGKILL)
            process.communicate()
        with start(*command) as process:
            _, errors = process.communicate()
            assert process.returncode == 0, errors
        assert answers(project)["words"] == expected


def test_the_command(tmp_path: Path, webs: Webs, trasmallo: Callable[..., Done]) -> None:
    project = make(tmp_path / "p", webs.seeds)
    assert trasmallo("sites", project.folder, "--take-out", "localhost", "--quiet").code == 0
    listed = [json.loads(line) for line in trasmallo("sites", project.folder, "--json").out.splitlines()]
    assert [(row["host"], row["taken_out"] > 0) for row in listed] == [("127.0.0.1", False), ("localhost", True)]
    assert trasmallo("sites", project.folder, "--put-back", "localhost", "--quiet").code == 0
    assert trasmallo("find", project.folder, "relojes", "--json").value()["total"] == 2
    refused = trasmallo("sites", project.folder, "--put-back", "localhost")
    assert refused.code == 2
    assert "was not taken out" in refused.err


def test_all_is_made_again_from_the_archive_as_each_run_had_it(tmp_path: Path, webs: Webs) -> None:
    project = make(tmp_path / "p", webs.seeds)
    webs.one.write("/gatos", "Ahora solo hay perros que ladran en la otra orilla del río cuando pasa el cartero.")
    project.revisit("9")
    project.take_out("localhost")
    project.put_back("localhost")
    project.take_out("127.0.0.1")
    alone = tmp_path / "alone"
    shutil.copytree(project.store / "archive", alone / "store" / "archive")
    for name in ("trasmallo.toml", "left-out-sites.json"):
        shutil.copy(project.folder / name, alone / name)
    repaired = Project.open(alone)
    repaired.repair()
    assert list(repaired.check()) == []
    for run in run_folders.find(project.runs):
        files = [*run.folder.glob("*.parquet"), run.folder / "tokens.columns"]
        assert len(files) > 20
        other = repaired.runs / run.name
        assert not [path.name for path in files if path.read_bytes() != (other / path.name).read_bytes()], run.manifest.kind
