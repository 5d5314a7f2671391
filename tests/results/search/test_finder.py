"""Search in a run as `Project` offers it."""

from __future__ import annotations

import gc
import shutil
from pathlib import Path
from types import FunctionType

import pytest

from trasmallo.events import Event, Indexing
from trasmallo.project.project import Project
from trasmallo.results.search.finder import Results, stem_mates
from trasmallo.results.search.indexing import FINISHED, LIVE
from trasmallo.store import run_folders
from trasmallo.store.index.folder import Stamp, write_stamp
from trasmallo.store.index.words import hidden
from trasmallo.store.run_cache import cache_of
from trasmallo.values.errors import StoreError, UsageError


@pytest.fixture
def project(finished: Project, tmp_path: Path) -> Project:
    """A copy of the finished sample project that may be damaged."""
    folder = tmp_path / "copy"
    shutil.copytree(finished.folder, folder, ignore=shutil.ignore_patterns("store"))
    return Project.open(folder)


def index_of(project: Project) -> Path:
    return run_folders.latest(project.runs).folder / FINISHED


def told_while(project: Project, query: str) -> tuple[Results, list[Event]]:
    told: list[Event] = []
    project.bus.listen(told.append)
    return project.find(query), told


def test_a_finished_run_is_searched(finished: Project) -> None:
    found = finished.find("trasmallo", facets=("site", "language"))
    assert found.total > 3
    assert "trasmallo" in found.hits[0].title.lower()
    assert sum(found.facets["site"].values()) == found.total
    texts = {row["document"]: row["text"] for row in finished.table("texts")}
    for hit in found.hits:
        assert hit.snippet.text == texts[hit.document][hit.snippet.start : hit.snippet.end]


def test_words_find_their_other_forms_unless_they_are_quoted(finished: Project) -> None:
    assert finished.find("pescadores").total > finished.find('"pescadores"').total


def test_a_misspelt_word_is_corrected(finished: Project) -> None:
    assert finished.find("trasmalo puerto").suggestion == "trasmallo puerto"
    assert finished.find("trasmallo").suggestion == ""


def test_a_word_that_is_there_in_another_form_is_not_corrected(finished: Project) -> None:
    assert finished.find('"murmurómetros"').total == 0
    found = finished.find("murmurómetros")
    assert (found.total > 0, found.suggestion) == (True, "")


def test_documents_are_those_that_could_be_found(finished: Project) -> None:
    """Near copies are folded, so they are not counted either."""
    copies = len(finished.table("copies"))
    assert copies > 0
    folded, everything = finished.find("mar"), finished.find("mar", copies=True)
    assert folded.documents == everything.documents - copies == finished.summary().documents
    assert finished.finder().documents() == folded.documents


def test_copies_are_folded(finished: Project) -> None:
    everything = {hit.url for hit in finished.find_every("mar puerto palabra", copies=True)}
    folded = {hit.url for hit in finished.find_every("mar puerto palabra")}
    copies = {row["url"] for row in finished.table("copies")}
    assert everything - folded
    assert everything - folded <= copies


def test_every_title_brings_its_page(finished: Project) -> None:
    pages = [row for row in finished.table("pages", where=["drop="]) if row["title"]]
    titles = [row["title"] for row in pages]
    known = [row for row in pages if titles.count(row["title"]) == 1]
    first = [finished.find(row["title"].replace('"', " "), limit=1).hits[0].url == row["url"] for row in known]
    assert sum(first) >= 0.9 * len(first)


def test_the_stored_text_of_a_hit_can_be_had(finished: Project) -> None:
    (hit,) = finished.find("trasmallo", limit=1).hits
    assert finished.finder().cached(hit.document).url == hit.url
    with pytest.raises(UsageError, match="no document"):
        finished.finder().cached("0123456789abcdef")


@pytest.mark.parametrize("way", ["older", "cut", "gone", "garbled"])
def test_an_index_that_cannot_be_used_is_built_again_with_progress(project: Project, way: str) -> None:
    before = project.find("trasmallo").total
    index = index_of(project)
    if way == "older":
        write_stamp(index, Stamp(version=0))
    elif way == "cut":
        file = next(index.glob("*.pos"))
        file.write_bytes(file.read_bytes()[:-10])
    elif way == "gone":
        shutil.rmtree(index)
    else:
        (index / "meta.json").write_bytes(b"\0" * (index / "meta.json").stat().st_size)
    found, told = told_while(project, "trasmallo")
    assert found.total == before
    last = [event for event in told if isinstance(event, Indexing)][-1]
    assert last.done == last.total
    assert last.cause


def test_a_run_that_is_removed_is_told(project: Project) -> None:
    finder = project.finder()
    assert finder.find("mar").total
    hits = finder.every("mar puerto")
    next(hits)
    shutil.rmtree(run_folders.latest(project.runs).folder)
    assert list(hits)
    with pytest.raises(StoreError, match="was removed"):
        finder.find("mar")


def test_a_run_that_is_not_finished_is_searched_too(site: object, unfinished: Project) -> None:
    with pytest.raises(UsageError, match="no results yet"):
        unfinished.find("mar")
    unfinished.run()
    run = run_folders.latest(unfinished.runs)
    shutil.rmtree(run.folder / FINISHED)
    run.mark("stopped")
    with pytest.raises(UsageError, match="no documents yet"):
        unfinished.find("mar")
    assert not (cache_of(run) / LIVE).exists()


def test_languages_of_which_nothing_is_known_are_told(finished: Project) -> None:
    assert finished.find("casa", language="fr").total
    french = finished.find("casa language:fr")
    assert (french.total, french.absent) == (0, "fr")
    assert sum(french.languages.values()) == french.documents
    assert "es" in french.languages
    nothing = finished.find("xyzzyq language:es")
    assert (nothing.total, nothing.absent, nothing.languages) == (0, "", {}), "there are documents in Spanish, only not these"
    for ask in (lambda: finished.find("casa", language="xx"), lambda: finished.find("casa language:xx")):
        with pytest.raises(UsageError, match="nothing is known of the language 'xx'"):
            ask()


def test_estimates_stand_beside_the_count(finished: Project) -> None:
    found = finished.estimate("mar puerto")
    assert found.cooccurrence == found.counted > 0
    assert found.documents == finished.find("mar").documents
    assert found.collection == pytest.approx(found.documents, rel=0.05)
    for query in (
        "mar",
        '"del puerto"',
        "mar puerto",
        "mar puerto language:es",
        "mar +puerto -barco",
        'mar "del puerto"',
        "la mar puert*",
    ):
        told = finished.estimate(query)
        assert told.counted == finished.find(query, all_words=True).total
        assert told.any_word == finished.find(query).total
    assert finished.estimate("mar puerto", share=1).share == found.counted
    with pytest.raises(UsageError, match="different words"):
        finished.estimate("language:es")


def test_mates_share_the_stem() -> None:
    mates = stem_mates("es-MX")
    assert mates is not None
    listed = {"organiz": [("organizacion", 4), ("organizaciones", 2), ("organizar", 1)], hidden("españ"): []}
    found = mates("organizacion", lambda beginning, _most: listed[beginning])
    assert "organizaciones" in found
    assert list(mates("2024", lambda _beginning, _most: [("2024", 1)])) == []
    assert stem_mates("xx") is None


def test_questions_leave_nothing_behind(finished: Project) -> None:
    finder = finished.finder()

    def functions() -> int:
        gc.collect()
        return sum(isinstance(each, FunctionType) for each in gc.get_objects())

    for _ in range(3):
        assert finder.find("puertos").total
    before = functions()
    for _ in range(20):
        finder.find("puertos")
    assert functions() - before < 5, "who knows the other forms of a word is the same for all questions"
