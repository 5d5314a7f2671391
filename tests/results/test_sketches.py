"""Sketches of words, asked of a run: relations from both sides, two words, the nearest ones."""

from __future__ import annotations

import msgspec
import pytest

from trasmallo.config import Config
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.database.tables import Tables
from trasmallo.results.rows import PageRow
from trasmallo.results.sketches import Sketch, SketchQuestion, find_sketch
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Builder
from trasmallo.study.morphology import tag_types
from trasmallo.study.sentences import cut
from trasmallo.values.errors import UsageError

TEXT = (
    "La niña lee libros viejos. El maestro lee cartas largas. El maestro escribe cartas largas. "
    "La niña escribe libros viejos. El barco lleva redes viejas. Hablan de libros y de cartas. "
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("run")
    run, builder, rows = start_run(folder / "runs", Config(), "crawl", "trasmallo/0"), Builder(), list[msgspec.Struct]()
    for number in range(4):
        url, found = f"http://s{number}.es/", cut(TEXT * 3, "es")
        builder.add(document_tokens(document_id(url), *found, tag_types(found, "es")))
        rows.append(PageRow(document_id(url), url, f"s{number}.es", 0.0, "", "es", "utf-8", "text/html", 1, "", words=90))
    write_part(run.parts, "1", {"pages": rows}, builder)
    return run


def asked(run: Run, word: str, other: str = "", **question: object) -> Sketch:
    with Tables(run) as tables:
        return find_sketch(tables, SketchQuestion(word=word, other=other, **question))  # type: ignore[arg-type]


def partners(sketch: Sketch) -> dict[tuple[str, str, str], list[str]]:
    return {(one.relation, one.side, one.between): [each.word for each in one.partners] for one in sketch.relations}


def test_a_word_from_both_sides(run: Run) -> None:
    verb, noun = asked(run, "leer"), asked(run, "Libro")
    assert set(partners(verb)["object", "head", ""]) == {"libro", "carta"}
    assert set(partners(noun)["object", "dependent", ""]) == {"leer", "escribir"}
    assert partners(noun)["modifier", "head", ""] == ["viejo"]
    assert partners(noun)["complement", "dependent", "de"] == ["hablar"]
    assert (verb.word.category, verb.word.language, verb.categories) == ("VERB", "es", {"VERB": verb.word.count})
    (pair,) = [each for one in verb.relations for each in one.partners if each.word == "libro"]
    (back,) = [each for one in noun.relations for each in one.partners if each.word == "leer"]
    assert (pair.count, pair.log_dice) == (back.count, back.log_dice)


def test_words_with_similar_company(run: Run) -> None:
    assert asked(run, "leer").near[0].word == "escribir"
    assert asked(run, "leer", near=0).near == ()
    near = asked(run, "libro").near
    assert near[0].word == "carta"
    assert 0 < near[0].nearness <= 1


def test_two_words_side_by_side(run: Run) -> None:
    found = asked(run, "leer", "llevar")
    (objects,) = [one for one in found.relations if (one.relation, one.side) == ("object", "head")]
    figures = {each.word: (each.count > 0, each.other_count > 0) for each in objects.partners}
    assert figures == {"libro": (True, False), "carta": (True, False), "red": (False, True)}
    assert [each.strength for each in objects.partners] == sorted((each.strength for each in objects.partners), reverse=True)
    assert found.other is not None
    assert found.near == ()


def test_fewer_partners(run: Run) -> None:
    assert [len(one.partners) for one in asked(run, "leer", number=1).relations] == [1] * len(asked(run, "leer").relations)
    assert asked(run, "leer", least=1_000).relations == ()


@pytest.mark.parametrize(
    ("word", "question", "said"),
    [
        ("lehr", {}, "did you mean 'leer'"),
        ("leer", {"category": "NOUN"}, "it is VERB"),
        ("", {}, "the run has no lemma"),
        ("x" * 500, {}, "the run has no lemma"),
        ("leer", {"language": "en"}, "the run has no lemma 'leer' in 'en': it is there in es"),
        ("'; DROP TABLE lemmas; --", {}, "the run has no lemma"),
    ],
)
def test_what_is_not_there_is_told(run: Run, word: str, question: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError) as raised:
        asked(run, word, **question)
    assert said in str(raised.value)
