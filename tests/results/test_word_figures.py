"""What a run knows of a word, beside the tables that tell the same in other ways."""

from __future__ import annotations

import pytest

from trasmallo.project.project import Project
from trasmallo.results.database.planner import Question
from trasmallo.results.word_figures import WordFigures, WordFiguresQuestion, find_word
from trasmallo.values.errors import UsageError


def told(project: Project, word: str, **question: object) -> WordFigures:
    with project.tables() as tables:
        return find_word(tables, WordFiguresQuestion(word=word, **question))  # type: ignore[arg-type]


@pytest.mark.parametrize("word", ["red", "hizo", "mar"])
def test_words_are_measured_as_the_tables_measure_them(finished: Project, word: str) -> None:
    found = told(finished, word, unit="word", language="es", number=100)
    asked = (f"word={word}", "language=es")
    (row,) = finished.table("words", where=asked)
    assert (found.count, found.documents, found.sites) == (row["count"], row["documents"], row["sites"])
    (spread,) = finished.table("dispersion", where=asked)
    assert found.spread.juilland == pytest.approx(spread["juilland"])
    assert (found.spread.dp, found.spread.dp_norm) == pytest.approx((spread["dp"], spread["dp_norm"]))
    sites = finished.table("words_by_site", where=asked, sort="-count")
    assert {(one.site, one.count, one.documents) for one in found.by_site} == {
        (row["host"], row["count"], row["documents"]) for row in sites
    }
    pages = finished.table("words_by_page", where=asked)
    assert {(one.document, one.count) for one in found.by_document} == {(row["document"], row["count"]) for row in pages}
    assert found.trend == finished.trend(word, language="es")


def test_lemmas_come_first_and_agree_with_the_sketch(finished: Project) -> None:
    found, sketch = told(finished, "hacer"), finished.sketch("hacer")
    assert (found.unit, found.category, found.count) == ("lemma", "VERB", sketch.word.count)
    assert found.per_million == pytest.approx(sketch.word.per_million)
    assert found.categories == sketch.categories
    assert sum(one.count for one in told(finished, "hacer", number=1_000).by_document) == found.count


def test_new_words_and_names_are_told(finished: Project) -> None:
    with finished.tables() as tables:
        (kind,) = next(iter(tables.ask("neologisms", Question(where=("word=wifiesta",), columns=("kind",)))))
    assert told(finished, "wifiesta").kind == kind
    named = finished.table("entities", where=["kind=PER"], limit=1)[0]
    surname = str(named["entity"]).split()[-1].lower()
    assert str(named["entity"]) in {one.entity for one in told(finished, surname, unit="word").entities}


def test_what_is_not_there_is_told_with_what_is_near(finished: Project) -> None:
    with pytest.raises(UsageError, match="did you mean 'redes'"):
        told(finished, "redesx")
    with pytest.raises(UsageError, match="no word ''"):
        told(finished, "  ")
    with pytest.raises(UsageError, match="it is VERB"):
        told(finished, "hacer", category="NOUN")
