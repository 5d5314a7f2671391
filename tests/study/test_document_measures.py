from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.bad_texts import TEXTS
from trasmallo.study import stop_lists
from trasmallo.study.document_measures import GrowthPart, WordOptions, count, profile, study_cut, study_document
from trasmallo.study.measures.richness import said_before
from trasmallo.study.sentences import cut
from trasmallo.values.model import Document

steady = settings(deadline=None, derandomize=True)


TEXT = "La casa de Ana. La Casa Blanca no es de Ana: es blanca.\nEL GRAN TITULAR DE HOY"


def document(text: str, language: str = "es") -> Document:
    return Document(id="d1", url="http://example.org/", at=0.0, title="", language=language, text=text)


def test_count_joins_cases_and_encodings() -> None:
    assert count("Él, él; ÉL. E\u0301l", "es") == {"él": 4}


@pytest.mark.parametrize("name", TEXTS)
def test_bad_texts_are_studied(name: str) -> None:
    studied = study_document(document(TEXTS[name](3_000)))
    words = count(TEXTS[name](3_000), "es")
    assert words.total() == studied.richness.words == sum(part.words for part in studied.profile)
    assert len(words) == studied.richness.types == sum(part.new for part in studied.profile)


def test_forms_of_a_word_are_one_in_a_bad_text() -> None:
    text = TEXTS["both forms"](4_100)
    found = study_document(document(text[: text.rindex(".")])).richness
    assert (found.types, found.words % 5) == (1, 0)


def test_profile_of_daweb() -> None:
    assert profile(said_before(np.array([0, 0, 1, 0, 2, 0, 3, 3])), 4) == (
        GrowthPart(2, 1),
        GrowthPart(2, 1),
        GrowthPart(2, 1),
        GrowthPart(2, 1),
    )
    assert profile(said_before(np.array([5, 3, 9])), 2) == (GrowthPart(1, 1), GrowthPart(2, 2))
    assert profile(np.zeros(0, np.int64), 3) == (GrowthPart(0, 0),) * 3


@steady
@given(st.lists(st.integers(0, 7)), st.integers(1, 20))
def test_profile_adds_up(words: list[int], parts: int) -> None:
    grown = profile(said_before(np.array(words, np.int64)), parts)
    assert len(grown) == parts
    assert sum(part.words for part in grown) == len(words)
    assert sum(part.new for part in grown) == len(set(words))
    sizes = [part.words for part in grown]
    assert max(sizes) - min(sizes) <= 1


def test_study_of_a_document() -> None:
    study = study_document(document(TEXT))
    assert (study.id, study.language, study.tokens, study.sentences) == ("d1", "es", 21, 3)
    assert study.richness.words == sum(part.words for part in study.profile) == 18
    assert study.readability.syllables == 26
    assert study.readability.szigriszt is not None
    assert study.richness.hapax_ratio == study.richness.hapax / study.richness.types


def test_stop_and_significant_words() -> None:
    without = study_document(document(TEXT), WordOptions(stop=stop_lists.standard("es")))
    assert without.richness.types == len({"casa", "ana", "blanca", "gran", "titular", "hoy"})
    only = study_document(document(TEXT), WordOptions(only=stop_lists.make(["casa", "ana"]), parts=2))
    assert (only.richness.types, only.richness.words) == (2, 4)
    assert only.profile == (GrowthPart(2, 2), GrowthPart(2, 0))
    assert only.tokens == 21
    assert study_document(document(TEXT), WordOptions(only=stop_lists.StopList())).richness.words == 0


def test_empty_document() -> None:
    study = study_document(document(" \n"))
    assert (study.tokens, study.sentences, study.richness.words) == (0, 0, 0)


@steady
@given(st.text(), st.sampled_from(["es", "en", ""]))
def test_study_agrees_with_count(text: str, language: str) -> None:
    study, words = study_document(document(text, language)), count(text, language)
    assert (study.richness.words, study.richness.types) == (words.total(), len(words))


def test_lists_hold_in_the_language_of_each_stretch() -> None:
    text = cut("La red de la mar\nThe son of the sea", "es")
    spanish, english = (WordOptions(stop=stop_lists.standard(code)) for code in ("es", "en"))
    both = study_cut(document("x"), text, [(spanish, 5), (english, 5)])
    assert (both.richness.words, both.richness.types) == (4, 4), "red, mar, son, sea"
    assert study_cut(document("x"), text, [(spanish, 10)]).richness.words == 5, "son and sea are Spanish function words"
