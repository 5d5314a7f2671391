"""Questions about ranks."""

from __future__ import annotations

from pathlib import Path

import pytest

from support import linked_run as web
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.links.question import RankedDocuments, RankQuestion, rank
from trasmallo.results.links.ranks import forget_ranks
from trasmallo.results.tables.words import WordRow
from trasmallo.store.parts import document_id
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import UsageError

A, B, C, D, E = "http://a.es/", "http://a.es/mar", "http://c.es/red", "http://d.es/100%_mar", "http://e.es/"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    run = web.start(tmp_path)
    links = [web.link(A, B, place="menu"), web.link(B, A), web.link(C, D), web.link(D, C), web.link(E, D), web.link(A, C)]
    words = [WordRow(document_id(url), word, 1, 0) for url, word in ((C, "mar"), (C, "redes"), (D, "mar"), (E, "trigo"))]
    web.write(run, "1", [web.page(url, title=f"T {url}") for url in (A, B, C, D, E)], links, words)
    return run


def ask(run: Run, question: RankQuestion) -> RankedDocuments:
    with Tables(run) as tables:
        return rank(tables, run, question)


def first(run: Run, **question: object) -> list[str]:
    return [page.url for page in ask(run, RankQuestion(**question)).pages]  # type: ignore[arg-type]


def test_the_usual_question_is_answered_from_the_table(run: Run) -> None:
    found = ask(run, RankQuestion(limit=2))
    assert (found.documents, found.links, len(found.pages)) == (5, 6, 2)
    best = found.pages[0]
    assert (best.url, best.title, best.inlinks) == (C, f"T {C}", 2)
    forget_ranks(run)
    compile_tables(run)
    assert ask(run, RankQuestion(limit=2)) == found


def test_another_button_gives_other_ranks(run: Run) -> None:
    usual, rare = ask(run, RankQuestion()), ask(run, RankQuestion(surprise=0.01))
    assert sum(page.pagerank or 0 for page in rare.pages) == pytest.approx(1)
    assert rare.pages[0].pagerank != usual.pages[0].pagerank


def test_a_topic_draws_its_pages_up(run: Run) -> None:
    assert first(run, topic="trigo")[:2] != first(run)[:2]
    assert ask(run, RankQuestion(topic="Trigo")).topic == 1
    assert ask(run, RankQuestion(topic="mar")).topic == 2
    assert ask(run, RankQuestion(topic="mar redes")).topic == 1


def test_a_topic_can_be_a_part_of_addresses(run: Run) -> None:
    assert ask(run, RankQuestion(topic="a.es/")).topic == 2
    assert ask(run, RankQuestion(topic="/*%_MAR")).topic == 1


def test_hits_around_a_topic(run: Run) -> None:
    found = ask(run, RankQuestion(hits=True, topic="trigo"))
    assert {page.url for page in found.pages} == {E, D}
    assert found.pages[0].url == D
    assert found.pages[0].authority == pytest.approx(1)
    assert found.pages[0].pagerank is None


def test_hits_of_all(run: Run) -> None:
    assert first(run, hits=True)[0] in (C, D)
    assert ask(run, RankQuestion(hits=True, foreign=True)).links == 4


def test_links_can_be_left_out(run: Run) -> None:
    assert ask(run, RankQuestion(foreign=True)).links == 4
    assert ask(run, RankQuestion(without=("menu",))).links == 5


@pytest.mark.parametrize("topic", ["ballena", "z.es/", " ", "mar trigo", "(*)"])
def test_a_topic_without_documents(run: Run, topic: str) -> None:
    with pytest.raises(UsageError, match="no document is about"):
        ask(run, RankQuestion(topic=topic))


@pytest.mark.parametrize(
    "question", [RankQuestion(), RankQuestion(hits=True), RankQuestion(topic="mar"), RankQuestion(foreign=True)]
)
def test_a_run_without_documents(tmp_path: Path, question: RankQuestion) -> None:
    with pytest.raises(UsageError, match="no documents yet"):
        ask(web.start(tmp_path), question)


@pytest.mark.parametrize("surprise", [-1, 1, float("nan")])
def test_no_probability(run: Run, surprise: float) -> None:
    with pytest.raises(UsageError, match="surprise button"):
        ask(run, RankQuestion(surprise=surprise))
