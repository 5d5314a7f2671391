from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from trasmallo.crawl.focus_report import FocusReport
from trasmallo.pipeline.topics import read_topics
from trasmallo.project.project import Project
from trasmallo.values.errors import NoResults, UsageError


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project.new(tmp_path / "p", ["https://example.org/"])


def test_a_topic_by_words_and_documents_is_shown_with_its_terms(project: Project, tmp_path: Path) -> None:
    page = tmp_path / "velas.html"
    text = "La vela latina y el casco de los barcos de pesca en el puerto. " * 5
    page.write_text(f"<title>Velas</title><main><h1>Velas</h1><p>{text}</p></main>", encoding="utf-8")
    shown = project.topic("vela", "de", like=[str(page)], name="velas")
    assert shown.terms[0] == "vela"
    assert {"latina", "barcos"} <= set(shown.terms)
    assert "de" not in shown.terms
    assert shown.examples == (str(page),)
    assert project.topics() == [shown]
    project.topic("banco", name="bancos")
    assert [topic.name for topic in project.topics()] == ["velas", "bancos"]
    project.remove_topic("velas")
    assert [topic.name for topic in project.topics()] == ["bancos"]


def test_one_word_and_words_that_say_nothing_are_told(project: Project) -> None:
    assert "several things" in project.topic("vela").notes[0]
    assert "function words" in project.topic("de", "la").notes[0]


def test_a_topic_by_a_search_has_the_best_hits_as_documents(finished: Project, tmp_path: Path) -> None:
    project = Project.open(shutil.copytree(finished.folder, tmp_path / "demo"))
    hits = project.find("mar pesca", limit=10).hits
    shown = project.topic(search="mar pesca", name="found")
    assert shown.examples == tuple(hit.url for hit in hits)
    (kept,) = read_topics(project.folder)
    assert [example.title for example in kept.examples] == [hit.title for hit in hits]
    assert all(example.text for example in kept.examples)
    assert {"mar", "pesca"} & set(shown.terms)
    with pytest.raises(UsageError, match="finds nothing in the collection"):
        project.topic(search="xyzzyplugh", name="found")
    assert project.topics() == [shown], "the one before stays"


def test_a_search_needs_a_collection(project: Project) -> None:
    with pytest.raises(NoResults):
        project.topic(search="mar")


@pytest.mark.parametrize("call", [lambda p: p.topic(), lambda p: p.topic(*["x"] * 300), lambda p: p.remove_topic("no")])
def test_what_is_no_topic_is_refused(project: Project, call: object) -> None:
    with pytest.raises(UsageError):
        call(project)  # type: ignore[operator]


def test_what_is_no_address_is_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="not a web address"):
        project.mark("not an address", True)


def test_before_the_first_crawl_there_is_nothing_to_report(project: Project) -> None:
    assert project.focus() == FocusReport()
