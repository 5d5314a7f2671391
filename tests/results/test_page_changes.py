"""The table of changes: every version that differs, ranked by how much, nothing hidden."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from support.command_line import Done
from support.editable_web import EditableWeb
from trasmallo.project.project import Project
from trasmallo.results import page_changes
from trasmallo.store import run_folders
from trasmallo.store.catalog import Catalog

TEXT = "Los barcos salen del puerto al amanecer y vuelven con la red llena de sardinas frescas."
PATHS = ("/grande", "/chico", "/reloj", "/marco", "/igual")


@pytest.fixture(scope="module")
def web() -> Iterator[EditableWeb]:
    with EditableWeb() as web:
        yield web


@pytest.fixture(scope="module")
def project(web: EditableWeb, tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("changes")
    web.write("/", f"{TEXT} Portada del diario.", *PATHS)
    for path in PATHS:
        web.write(path, f"{TEXT} Página {path}.\nPublicado hace 2 días. Leído por 17 visitas.")
    options = {"delay": 0.0, "address_delay": 0.0, "sitemaps": False}
    project = Project.new(folder / "p", [web.url("/")], name="diario", **options)
    project.run()
    web.write("/grande", "Una historia completamente distinta ocupa hoy esta página, que habla de montañas y de nieve.")
    web.write("/chico", f"{TEXT} Página /chico corregida.\nPublicado hace 3 días. Leído por 17 visitas.")
    web.write("/reloj", f"{TEXT} Página /reloj.\nPublicado hace 5 días. Leído por 99 visitas.")
    web.write("/marco", f"{TEXT} Página /marco.\nPublicado hace 2 días. Leído por 17 visitas.", frame="<i id=n2></i>")
    project.run(new=True)
    return project


def test_changes_are_ranked_and_none_is_hidden(project: Project, web: EditableWeb) -> None:
    rows = list(project.table("changes"))
    assert [row["url"].removeprefix(web.url("")) for row in rows[:2]] == ["/grande", "/chico"]
    found = {row["url"].removeprefix(web.url("")): row for row in rows}
    assert {path: row["kind"] for path, row in found.items()} == {
        "/grande": "text",
        "/chico": "text",
        "/reloj": "noise",
        "/marco": "frame",
    }
    assert found["/grande"]["score"] > 0.5 > found["/chico"]["score"] > 0
    assert found["/reloj"]["score"] == found["/marco"]["score"] == 0
    assert (found["/chico"]["added"], found["/chico"]["removed"]) == (1, 0)
    assert found["/chico"]["noise"] == "relative dates"
    assert found["/reloj"]["noise"] == "relative dates, counters"
    assert found["/grande"]["excerpt"].startswith("Una historia")
    assert all((row["before"], row["after"]) == (1, 2) for row in rows)


def test_earlier_runs_know_only_their_changes(project: Project) -> None:
    first = run_folders.find(project.runs)[0].name
    assert list(project.table("changes", run=first)) == []


def test_what_was_found_out_is_kept(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    before = page_changes.change_rows(run_folders.latest(project.runs))
    monkeypatch.setattr(page_changes, "extract", None)  # a version that is read again would fail
    assert page_changes.change_rows(run_folders.latest(project.runs)) == before


def test_numbers_of_versions_are_those_of_the_history(project: Project, web: EditableWeb) -> None:
    assert [version.number for version in project.versions(web.url("/grande")).versions] == [1, 2]
    assert project.compare_versions(web.url("/grande"), 1, 2).changes[0].kind == "removed"


def test_pairs_follow_each_other(project: Project) -> None:
    with Catalog(project.store / "catalog", read_only=True) as catalog:
        pairs = list(page_changes.version_pairs(catalog, float("inf")))
        assert {pair.url for pair in pairs} == {row["url"] for row in project.table("changes")}
        assert all(pair.before_at < pair.at for pair in pairs)
        assert list(page_changes.version_pairs(catalog, 0.0)) == []


def test_the_command_lists_them(project: Project, trasmallo: Callable[..., Done]) -> None:
    done = trasmallo("list", project.folder, "changes", "--where", "kind=text", "--format", "csv", "--columns", "score,url")
    assert done.code == 0
    assert [line.rpartition("/")[2] for line in done.out.splitlines()[1:]] == ["grande", "chico"]


def test_the_address_stands_first(project: Project, trasmallo: Callable[..., Done]) -> None:
    lines = trasmallo("list", project.folder, "changes", "--limit", "1").out.splitlines()
    assert any(re.match(r"│ (…|http://)\S*/grande ", line) for line in lines), "however narrow the window is"
