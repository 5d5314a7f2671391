"""One collection: each run adds to the results before it, and what is the same is neither sent nor studied again."""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from support.command_line import Done
from support.editable_web import NEWSPAPER as TEXTS
from support.editable_web import EditableWeb, written_web
from trasmallo.project.project import Project
from trasmallo.store import run_folders
from trasmallo.values.errors import NotFound, UsageError

pytestmark = pytest.mark.timeout(600)
"""Seconds: some of these make three runs and a repair. On a machine that left them a fifth of a core one took 182."""


@pytest.fixture
def web() -> Iterator[EditableWeb]:
    with written_web(TEXTS) as web:
        yield web


def make(folder: Path, web: EditableWeb, *paths: str, gone_after: float = 24.0) -> Project:
    seeds = [web.url(path) for path in paths or ("/",)]
    return Project.new(folder, seeds, name="diario", delay=0.0, address_delay=0.0, sitemaps=False, gone_after=gone_after)


def rows(project: Project, table: str, *columns: str, run: str = "") -> list[tuple[object, ...]]:
    return sorted(tuple(row[name] for name in columns) for row in project.table(table, columns=list(columns), run=run))


def answers(project: Project) -> dict[str, list[tuple[object, ...]]]:
    """What tables, search and concordance say, without times and ways."""
    return {
        "pages": rows(project, "pages", "url", "title", "words", "digest", "drop"),
        "texts": rows(project, "texts", "document", "text"),
        "words": rows(project, "words", "word", "count", "language"),
        "lemmas": rows(project, "lemmas", "lemma", "count"),
        "segments": rows(project, "segments", "segment", "count"),
        "copies": rows(project, "copies", "url", "original"),
        "links": rows(project, "links", "document", "url", "anchor"),
        "found": sorted((hit.url,) for hit in project.find("los").hits),
        "lines": sorted((hit.document, hit.left, hit.right) for hit in project.kwic("los").hits),
    }


def test_what_is_the_same_is_neither_sent_nor_read_again(tmp_path: Path, web: EditableWeb) -> None:
    project = make(tmp_path / "p", web)
    project.run()
    before, _ = answers(project), web.visits()
    project.run(new=True)
    visits = web.visits()
    assert {visit.path for visit in visits} == set(TEXTS)
    assert {visit.status for visit in visits} == {304}
    assert answers(project) == before
    runs = run_folders.find(project.runs)
    assert [run.manifest.base for run in runs] == ["", runs[0].name]
    assert not runs[1].carried.exists()
    assert list(project.check()) == []


def test_a_change_gives_the_results_of_a_project_made_new(tmp_path: Path, web: EditableWeb) -> None:
    project = make(tmp_path / "p", web)
    project.run()
    web.write("/gatos", "Los gatos pequeños juegan ahora con un ovillo azul sobre la alfombra nueva.", "/peces")
    web.write("/peces", "Los peces del acuario nadan despacio entre las algas verdes y las piedras.")
    project.run(new=True)
    new = make(tmp_path / "n", web)
    new.run()
    assert answers(project) == answers(new)
    assert ("ovillo", 1) in [row[:2] for row in answers(project)["words"]]
    first = run_folders.find(project.runs)[0].name
    assert ("tejados", 1) in rows(project, "words", "word", "count", run=first)


def test_a_page_that_nobody_links_to_any_more_stays(tmp_path: Path, web: EditableWeb) -> None:
    project = make(tmp_path / "p", web)
    project.run()
    web.write("/", TEXTS["/"], "/gatos", "/perros")
    project.run(new=True)
    assert len(rows(project, "pages", "url")) == len(TEXTS)


def test_a_page_is_gone_when_two_runs_did_not_find_it_and_comes_back(tmp_path: Path, web: EditableWeb) -> None:
    project = make(tmp_path / "p", web, gone_after=0.0)
    project.run()
    body = web.pages.pop("/trenes")
    project.run(new=True)
    assert (web.url("/trenes"),) in rows(project, "pages", "url")
    assert rows(project, "gone", "url") == []
    project.run(new=True)
    assert (web.url("/trenes"),) not in rows(project, "pages", "url")
    assert rows(project, "gone", "url") == [(web.url("/trenes"),)]
    assert "tren" not in [row[0] for row in rows(project, "words", "word")]
    assert not project.find("tren").hits
    project.run(new=True)
    assert rows(project, "gone", "url") == [(web.url("/trenes"),)]
    web.pages["/trenes"] = body
    project.run(new=True)
    assert rows(project, "gone", "url") == []
    assert (web.url("/trenes"),) in rows(project, "pages", "url")
    assert "tren" in [row[0] for row in rows(project, "words", "word")]


def test_a_copy_whose_original_changed_is_a_document(tmp_path: Path, web: EditableWeb) -> None:
    web.write("/gatos-otra-vez", TEXTS["/gatos"])
    web.write("/", TEXTS["/"], *TEXTS, "/gatos-otra-vez")
    project = make(tmp_path / "p", web)
    project.run()
    assert rows(project, "copies", "url") == [(web.url("/gatos-otra-vez"),)]
    web.write("/gatos", "Los gatos grandes cazan de noche en los campos abiertos del sur de la comarca.")
    project.run(new=True)
    new = make(tmp_path / "n", web)
    new.run()
    assert answers(project) == answers(new)
    assert rows(project, "copies", "url") == []


def test_other_settings_have_the_whole_collection_read_again(tmp_path: Path, web: EditableWeb) -> None:
    project = make(tmp_path / "p", web)
    project.run()
    path = tmp_path / "p" / "trasmallo.toml"
    path.write_text(re.sub(r"(?m)^copies = .*$", "copies = 0.5", path.read_text()))
    web.write("/", TEXTS["/"], "/gatos", "/perros")
    project = Project.open(tmp_path / "p")
    project.run(new=True)
    assert len(rows(project, "texts", "document")) == len(TEXTS)
    before = answers(project)
    project.clean()
    assert answers(project) == before


def test_a_second_import_adds_to_the_first(tmp_path: Path, web: EditableWeb) -> None:
    texts = {"uno": "El primer texto habla de montañas y de ríos.", "dos": "El segundo texto habla de ciudades y de plazas."}
    project = Project.new(tmp_path / "p", [], name="dos")
    for name, text in texts.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.txt").write_text(text)
        project.import_file(tmp_path / name)
    assert len(rows(project, "pages", "url")) == 2
    assert {"montañas", "plazas"} <= {str(row[0]) for row in rows(project, "words", "word")}


def test_the_archive_alone_tells_the_whole_collection(tmp_path: Path, web: EditableWeb) -> None:
    project = make(tmp_path / "p", web, gone_after=0.0)
    project.run()
    web.write("/perros", "Los perros viejos descansan al sol delante de la puerta de la casa del pueblo.")
    web.pages.pop("/trenes")
    project.run(new=True)
    project.run(new=True)
    before = answers(project)
    shutil.rmtree(project.runs)
    shutil.rmtree(project.store / "catalog")
    project.repair()
    assert answers(project) == before
    assert rows(project, "gone", "url") == [(web.url("/trenes"),)]


def test_a_revisit_asks_for_what_is_known_and_follows_what_is_new(tmp_path: Path, web: EditableWeb) -> None:
    project = make(tmp_path / "p", web)
    project.run()
    web.visits()
    plan = project.planned_visits("100")
    assert {visit.url for visit in plan} == {web.url(path) for path in TEXTS}
    assert all(str(visit.reason).startswith("not visited again yet") for visit in plan)
    web.write("/gatos", "Los gatos pequeños juegan ahora con un ovillo azul sobre la alfombra nueva.", "/peces")
    web.write("/peces", "Los peces del acuario nadan despacio entre las algas verdes y las piedras.", "/", "/perros")
    summary = project.revisit("100")
    visits = web.visits()
    assert sorted(visit.path for visit in visits) == sorted([*TEXTS, "/peces"])
    assert {visit.path for visit in visits if visit.status == 200} == {"/gatos", "/peces"}
    assert summary.state == "finished"
    new = make(tmp_path / "n", web)
    new.run()
    assert answers(project) == answers(new)
    history = project.versions(web.url("/gatos"))
    assert [version.visits for version in history.versions] == [1, 1]
    changed = project.compare_versions(web.url("/gatos"))
    assert {change.kind for change in changed.changes} == {"removed", "added"}
    found = project.freshness()
    assert found.findings == {"new": 6, "changed": 1, "unchanged": 4}
    assert found.measured.fresh == pytest.approx(0.8)
    assert found.traffic.unchanged == 4
    assert found.traffic.saved > 0


def test_a_revisit_that_finds_nothing_new_costs_nothing_but_its_requests(tmp_path: Path, web: EditableWeb) -> None:
    web.statuses["/viejo"] = (301, web.url("/gatos"))
    web.write("/", TEXTS["/"], *TEXTS, "/viejo")
    project = make(tmp_path / "p", web)
    project.run()
    before = answers(project)
    project.revisit("100")
    first, second = run_folders.find(project.runs)
    for table in first.folder.glob("*.parquet"):
        assert (second.folder / table.name).samefile(table)
    assert answers(project) == before
    assert list(project.check()) == []
    assert [visit.status for visit in web.visits() if visit.conditions] == [304] * len(TEXTS)
    shutil.rmtree(first.folder)
    assert answers(project) == before


def test_pages_that_change_in_their_frame_alone_have_not_changed(tmp_path: Path, web: EditableWeb) -> None:
    project = make(tmp_path / "p", web)
    project.run()
    for number in range(2):
        web.write("/perros", TEXTS["/perros"], frame=f"<script>visits = {number}</script>")
        project.revisit("100")
    assert project.freshness().findings == {"new": 5, "unchanged": 10}
    assert len(project.versions(web.url("/perros")).versions) == 3
    shutil.rmtree(project.store / "catalog")
    project.repair()
    assert project.freshness().findings == {"new": 5, "unchanged": 10}


@pytest.mark.parametrize("validators", ["none", "same", "new"])
def test_validators_that_lie_lose_nothing(tmp_path: Path, web: EditableWeb, validators: str) -> None:
    web.validators = validators
    project = make(tmp_path / "p", web)
    project.run()
    before = answers(project)
    project.revisit("100")
    assert answers(project) == before
    assert project.freshness().findings == {"new": 5, "unchanged": 5}


def long_text(path: str) -> str:
    """A page that is worth a HEAD."""
    return "\n".join(f"{TEXTS[path]} Párrafo número {number} de esta página tan larga." for number in range(400))


def revisit_of_long_pages(folder: Path, web: EditableWeb, *, heads: int, validators: str) -> tuple[Project, list[str]]:
    """A revisit of long pages, and how each was asked for."""
    for path in TEXTS:
        web.write(path, long_text(path), *(TEXTS if path == "/" else ()))
    web.heads, web.validators = heads, validators
    project = make(folder, web)
    project.run()
    web.visits()
    project.revisit("100")
    return project, [f"{visit.method} {visit.status}" for visit in web.visits()]


def test_large_pages_without_validators_are_asked_for_by_head(tmp_path: Path, web: EditableWeb) -> None:
    project, asked = revisit_of_long_pages(tmp_path / "p", web, heads=200, validators="none")
    assert len(asked) == len(TEXTS), "one request a page"
    assert asked.count("HEAD 200") >= 1
    assert project.status().outcomes.get("unchanged", 0) == asked.count("HEAD 200")
    assert list(project.check()) == []
    web.write("/gatos", long_text("/gatos") + "\nY una novedad.")
    project.revisit("100")
    assert len(project.versions(web.url("/gatos")).versions) == 2


def test_a_host_that_refuses_head_is_asked_so_once(tmp_path: Path, web: EditableWeb) -> None:
    _, asked = revisit_of_long_pages(tmp_path / "p", web, heads=405, validators="none")
    assert asked.count("HEAD 405") <= 1
    assert asked.count("GET 200") == len(TEXTS)


def test_a_host_that_hears_no_conditions_is_asked_by_head_after_two_answers(tmp_path: Path, web: EditableWeb) -> None:
    _, asked = revisit_of_long_pages(tmp_path / "p", web, heads=200, validators="deaf")
    assert asked[:2] == ["GET 200", "GET 200"]
    assert asked.count("GET 200") + asked.count("HEAD 200") == len(TEXTS)
    assert asked.count("HEAD 200") >= 1


def test_heads_in_the_archive_tell_the_whole_collection(tmp_path: Path, web: EditableWeb) -> None:
    project, _ = revisit_of_long_pages(tmp_path / "p", web, heads=200, validators="none")
    before = rows(project, "pages", "url", "digest")
    history = [visit.outcome for visit in project.versions(web.url("/gatos")).visits]
    shutil.rmtree(project.store / "catalog")
    project.repair()
    assert rows(project, "pages", "url", "digest") == before
    assert [visit.outcome for visit in project.versions(web.url("/gatos")).visits] == history


def test_questions_are_answered_as_of_a_run_or_a_date(tmp_path: Path, web: EditableWeb, trasmallo: Callable[..., Done]) -> None:
    project = make(tmp_path / "p", web)
    project.run()
    first = run_folders.find(project.runs)[0]
    first.manifest.began -= 3 * 86_400
    first.save()
    web.write("/gatos", "Los gatos pequeños juegan ahora con un ovillo azul sobre la alfombra nueva.")
    project.revisit("100")
    before = time.strftime("%Y-%m-%d", time.gmtime(time.time() - 2 * 86_400))
    for asked in (before, first.name):
        then = project.as_of(asked)
        assert "tejados" in [row[0] for row in rows(then, "words", "word")]
        assert not then.find("ovillo").hits
        option = ("--as-of", asked) if asked == before else ("--run", asked)
        assert trasmallo("kwic", project.folder, "tejados", "--json", *option).value()["total"] == 1
        assert trasmallo("find", project.folder, "ovillo", "--json", *option).value()["hits"] == []
    assert project.find("ovillo").hits
    for command in ("find", "kwic"):
        said = trasmallo(command, project.folder, "ovillo", "--as-of", "2026-02-31").refusal()
        assert said == "trasmallo: '2026-02-31' is no date: write it like 2026, 2026-05 or 2026-05-31"
        said = trasmallo(command, project.folder, "ovillo", "--as-of", "nonsense").refusal()
        assert said.startswith("trasmallo: there is no run 'nonsense': choose one of diario-")
    with pytest.raises(UsageError, match="is no date"):
        project.as_of("2026-02-31")
    with pytest.raises(NotFound, match="no results on 1999"):
        project.as_of("1999")
