from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from support.concordance_run import TEXTS, make_run
from trasmallo.config import Config
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.project import Project
from trasmallo.results.concordance import concordance as module
from trasmallo.results.concordance.concordance import Concordance, Options
from trasmallo.results.concordance.counts import CollocateWindow
from trasmallo.results.concordance.lines import Hit, written
from trasmallo.results.database.tables import compile_tables
from trasmallo.results.run_corpus import compile_corpus
from trasmallo.store.parts import document_id
from trasmallo.study.query.query_errors import QueryError
from trasmallo.values.errors import StoreError, UsageError


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("concordance")


@pytest.fixture(scope="module", params=["growing", "finished"])
def concordance(folder: Path, request: pytest.FixtureRequest) -> Iterator[Concordance]:
    run = make_run(folder / request.param)
    if request.param == "finished":
        compile_corpus(run)
        compile_tables(run)
    with Concordance(run, "es") as found:
        yield found


def shown(hits: tuple[Hit, ...]) -> list[str]:
    return [f"{written(hit.left)} <{written(hit.hit)}> {written(hit.right)}".strip() for hit in hits]


def test_a_word_is_found_in_any_case_and_counted_exactly(concordance: Concordance) -> None:
    found = concordance.find("CASA", Options(limit=2, context="2"))
    assert (found.total, found.documents, len(found.hits)) == (5, 3, 2)
    assert found.query == '[word=="CASA"%c]'
    everything = shown(concordance.find("casa", Options(limit=0, context="1")).hits)
    assert sorted(everything) == sorted(
        ["La <casa> blanca", "Una <casa> es", "una <casa> .", "la <casa> ?", "en <casa> ."]
    )  # fmt: skip


def test_copies_are_left_out(concordance: Concordance) -> None:
    assert concordance.find("frío").total == 1


def test_hits_know_where_they_stand(concordance: Concordance) -> None:
    (hit,) = concordance.find('[lemma="hacer" & word="hizo"]').hits
    text = TEXTS[hit.url]
    assert (hit.document, hit.url, hit.title, hit.site) == (document_id(hit.url), "http://b.es/tres", "Tres", "b.es")
    assert text[hit.start : hit.end] == "hizo"
    assert hit.position == 3
    assert (hit.hit[0].lemma, hit.hit[0].pos) == ("hacer", "VERB")
    assert "Tense=Past" in hit.hit[0].tag


def test_contexts_of_tokens_characters_and_sentences(concordance: Concordance) -> None:
    def only(context: str) -> str:
        return shown(concordance.find('"blanca"', Options(context=context)).hits)[0]

    assert only("0") == "<blanca>"
    assert only("1") == "casa <blanca> está"
    assert only("6c") == "casa <blanca> está"
    assert only("s") == "La casa <blanca> está en la costa."
    with pytest.raises(UsageError, match="no size of a context"):
        only("x")


def test_phrases_stars_and_documents(concordance: Concordance) -> None:
    assert concordance.find("la casa").total == 2
    assert concordance.find("cas*").total == 6
    assert concordance.find("casa", Options(where=("site=a.es",))).total == 4
    assert concordance.find("casa", Options(where=("date>=2026-02",))).total == 4
    assert concordance.find("casa", Options(where=("date=2026-01", "language=es"))).total == 1
    assert concordance.find('"casa" within <doc site="b.es"/>').total == 1
    assert concordance.find('"casa" !within <doc date<"2026-02-01"/>').total == 4
    for condition, said in (
        ("date>=", "no condition on a date"),
        ("date=x", "no date"),
        ("date=2026-13", "no date"),
        ("nope=1", "no column"),
    ):
        with pytest.raises(UsageError, match=said):
            concordance.find("casa", Options(where=(condition,)))


def test_an_empty_or_broken_query_is_told(concordance: Concordance) -> None:
    for nothing in ("  ", '""', "' '"):
        with pytest.raises(QueryError, match="empty"):
            concordance.find(nothing)
    with pytest.raises(QueryError, match="never closed"):
        concordance.find('"casa')
    with pytest.raises(QueryError, match="no token has the label '2'"):
        concordance.find('1:"casa" & 1.lemma = 2.lemma')


def test_hits_are_sorted_by_what_stands_around(concordance: Concordance) -> None:
    right = [written(hit.right) for hit in concordance.find("casa", Options(sort="right", context="1")).hits]
    assert right == [".", ".", "?", "blanca", "es"]
    left = [written(hit.left) for hit in concordance.find("casa", Options(sort="word/-1", context="1", reverse=True)).hits]
    assert [word.lower() for word in left] == ["una", "una", "la", "la", "en"]
    page = concordance.find("casa", Options(sort="right", context="1", limit=2, offset=3))
    assert [written(hit.right) for hit in page.hits] == ["blanca", "es"]
    with pytest.raises(UsageError, match="names no token"):
        concordance.find("casa", Options(sort="nope/1"))


def test_pages_and_samples(concordance: Concordance) -> None:
    everything = concordance.find("casa", Options(limit=0)).hits
    assert concordance.find("casa", Options(limit=2, offset=2)).hits == everything[2:4]
    assert tuple(concordance.lines("casa", Options(limit=2, offset=2))) == everything[2:4]
    sample = concordance.find("casa", Options(sample=3, seed=7))
    assert sample.total == 5
    assert len(sample.hits) == 3
    assert sample.hits == concordance.find("casa", Options(sample=3, seed=7)).hits
    assert all(hit in everything for hit in sample.hits)
    assert tuple(concordance.lines("casa", Options(sample=3, seed=7, limit=0))) == sample.hits
    drawn = {tuple(hit.start for hit in concordance.find("casa", Options(sample=1, seed=seed)).hits) for seed in range(30)}
    assert len(drawn) > 1


@pytest.mark.parametrize("options", [Options(), Options(sort="word/1,word/-1"), Options(sample=7), Options(per_document=2)])
@pytest.mark.parametrize("kept", [True, False])
def test_who_scrolls_sees_every_line_once(
    concordance: Concordance, monkeypatch: pytest.MonkeyPatch, options: Options, kept: bool
) -> None:
    if not kept:
        monkeypatch.setattr(module, "MOST_KEPT", 0)
    whole = concordance.find("[]", msgspec.structs.replace(options, limit=0))
    number = len(whole.hits)
    assert number == (min(options.sample, whole.total) or whole.total)
    pages = [concordance.find("[]", msgspec.structs.replace(options, limit=3, offset=at)) for at in range(0, number + 3, 3)]
    assert [hit for page in pages for hit in page.hits] == list(whole.hits)
    assert {(page.total, page.documents) for page in pages} == {(whole.total, whole.documents)}


def test_another_question_is_answered_anew(concordance: Concordance) -> None:
    for query in ("casa", "una", "casa"):
        found = concordance.find(query, Options(limit=1))
        assert written(found.hits[0].hit).lower() == query
    assert concordance.find("casa", Options(limit=2, where=("site=b.es",))).total < found.total


def test_lines_by_their_places(concordance: Concordance) -> None:
    hits = concordance.find("casa", Options(limit=0)).hits
    places = [(hit.document, hit.start, hit.end) for hit in hits[1:3]]
    assert list(concordance.lines_at("casa", places)) == list(hits[1:3])
    assert list(concordance.lines_at("una", places)) == []
    assert list(concordance.lines_at("casa", [("0" * 16, 0, 4)])) == []


def test_many_hits_are_not_held_at_once(concordance: Concordance, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_HELD", 3)
    monkeypatch.setattr(module, "MOST_SORTED", 4)
    assert len(concordance.find("casa", Options(limit=3)).hits) == 3
    assert len(list(concordance.lines("casa", Options(limit=0)))) == 5
    with pytest.raises(UsageError, match="more than 3 hits cannot be held at once"):
        concordance.find("casa", Options(limit=0))
    with pytest.raises(UsageError, match="more than 4 hits cannot be sorted: take a --sample"):
        concordance.find("casa", Options(sort="right"))


def test_breakdowns(concordance: Concordance) -> None:
    counted = concordance.breakdown('[lemma="casa"]', "word,pos/-1")
    assert counted.points == ("word/hit", "pos/-1")
    assert (counted.rows[0].values, counted.rows[0].count) == (("casa", "DET"), 4)
    assert sum(row.count for row in counted.rows) == 6
    assert sum(row.share for row in counted.rows) == pytest.approx(1)
    labelled = concordance.breakdown('1:[pos="DET"] 2:[lemma="casa"]', "lemma/@2,lemma/@1")
    assert {row.values for row in labelled.rows} == {("casa", "el"), ("casa", "uno")}
    whole = concordance.breakdown('[pos="DET"] [lemma="casa"]', "word/hit")
    assert ("La casa",) in {row.values for row in whole.rows}
    with pytest.raises(UsageError, match="no label '3'"):
        concordance.breakdown("casa", "word/@3")


def test_collocates(concordance: Concordance) -> None:
    found = {row.value: row for row in concordance.collocates("casa", "lemma", CollocateWindow(1, 1, 1))}
    assert (found["uno"].count, found["uno"].total) == (2, 2)
    assert "." not in found
    assert set(found) == {"el", "blanco", "uno", "ser", "en"}
    assert next(row.value for row in concordance.collocates("casa", "pos", CollocateWindow(1, 0, 1, "t"))) == "DET"
    with pytest.raises(UsageError, match="no measure"):
        concordance.collocates("casa", "lemma", CollocateWindow(measure="nope"))


def test_collocates_without_function_words(concordance: Concordance) -> None:
    """A lemma is one when most of its forms are listed; what is told of the others stays the same."""
    everything = concordance.collocates("casa", "lemma", CollocateWindow(1, 1, 1))
    content = concordance.collocates("casa", "lemma", CollocateWindow(1, 1, 1, content=True))
    assert [row.value for row in content] == ["blanco"]
    assert content == concordance.content_words(everything) == [row for row in everything if row.value == "blanco"]
    assert {row.value for row in concordance.collocates("casa", "word", CollocateWindow(1, 1, 1, content=True))} <= {
        "blanca",
        "Blanca",
    }
    assert concordance.collocates("casa", "pos", CollocateWindow(1, 0, 1, content=True))[0].value == "DET"


def test_distribution(concordance: Concordance) -> None:
    sites = concordance.distribution("casa", "site")
    assert [(row.part, row.count, row.documents) for row in sites] == [("a.es", 4, 2), ("b.es", 1, 1)]
    assert sum(row.tokens for row in sites) == len(concordance.corpus)
    months = concordance.distribution("frío", "month")
    assert [(row.part, row.count) for row in months] == [("2026-01", 0), ("2026-02", 0), ("2026-05", 1)]
    assert [row.part for row in concordance.distribution("frío", "document")] == ["http://b.es/tres"]
    assert [row.part for row in concordance.distribution("casa", "year", Options(where=("site=b.es",), sample=2))] == ["2026"]


def test_labels_are_told(concordance: Concordance) -> None:
    (hit,) = concordance.find('1:"Una" 2:"casa"').hits
    assert hit.labels == {"1": hit.position, "2": hit.position + 1}


def test_a_corpus_that_is_deleted_meanwhile(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    compile_corpus(run)
    compile_tables(run)
    with Concordance(run, "es") as concordance:
        shutil.rmtree(run.folder)
        assert concordance.breakdown("casa", "word").rows[0].count == 5
        with pytest.raises(StoreError, match="was removed or replaced while it was read"):
            concordance.find("casa")


def test_a_project_answers(finished: Project) -> None:
    found = finished.kwic('[pos="DET"] [lemma="red"]', limit=3, context="2")
    assert found.total >= len(found.hits) == 3
    with finished.concordance() as concordance:
        texts = {row["document"]: row["text"] for row in finished.table("texts")}
        for hit in concordance.lines('[pos="DET"] [lemma="red"] within s', Options(limit=0)):
            assert texts[hit.document][hit.start : hit.end] == written(hit.hit)


def test_a_run_without_documents_has_no_hits(tmp_path: Path) -> None:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    with Concordance(run, "es") as concordance:
        for text in ("casa", '[pos="NOUN"] []{0,3} "a"', '[pos="NOUN"] [pos="ADJ"] within s'):
            found = concordance.find(text)
            assert (found.total, found.documents, found.tokens, found.hits) == (0, 0, 0, ())
        assert concordance.breakdown("casa", "word").rows == ()
        assert concordance.collocates("casa") == []
        assert concordance.distribution("casa") == []


def test_hits_by_date(concordance: Concordance) -> None:
    found = concordance.find("casa", Options(sort="date", limit=0)).hits
    assert [hit.date for hit in found] == ["2026-01-01", "2026-02-01", "2026-02-01", "2026-02-01", "2026-05-01"]
    assert {hit.date_origin for hit in found} == {"first visit"}
    backwards = concordance.find("casa", Options(sort="date", reverse=True, limit=2)).hits
    assert [hit.date for hit in backwards] == ["2026-05-01", "2026-02-01"]
    assert concordance.find("casa", Options(since="2026-02", until="2026-04")).total == 3
    assert concordance.find("casa", Options(until="2026-01-01")).total == 1
    weeks = concordance.distribution("casa", "week")
    assert [(part.part, part.count) for part in weeks] == [("2025-12-29", 1), ("2026-01-26", 3), ("2026-04-27", 1)]
    assert [part.part for part in concordance.distribution("casa", "year")] == ["2026"]
    with pytest.raises(UsageError, match="'soon' is no date"):
        concordance.find("casa", Options(since="soon"))
