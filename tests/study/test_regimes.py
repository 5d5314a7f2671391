from __future__ import annotations

import numpy as np
import pytest

from trasmallo.study.phrases import patterns_of
from trasmallo.study.regimes import Regimes, Tagged, find_regimes
from trasmallo.study.sequence_bounds import Bounds

TEXT = """
pensar/VERB en/ADP casa/NOUN . pensar/VERB mucho/ADV en/ADP ello/PRON . pensar/VERB bien/ADV . pensar/VERB de/ADP él/PRON .
soñar/VERB con/ADP casa/NOUN . él/PRON soñar/VERB lo/PRON con/ADP calma/NOUN . fácil/ADJ de/ADP hacer/VERB .
casa/NOUN grande/ADJ de/ADP campo/NOUN . pensar/NOUN en/ADP voz/NOUN . pensar/VERB . en/ADP casa/NOUN
"""


def corpus() -> tuple[Tagged, list[str]]:
    sentences = [sentence.split() for sentence in TEXT.split(" .")]
    tokens = [token.split("/") for sentence in sentences for token in sentence]
    lemmas, categories = (sorted({token[place] for token in tokens}) for place in (0, 1))
    column = np.array([lemmas.index(token[0]) for token in tokens], dtype=np.uint32)
    category = np.array([categories.index(token[1]) for token in tokens], dtype=np.uint8)
    begins = np.cumsum([0, *map(len, sentences)])
    return Tagged(column, category, categories, Bounds(np.array([0, len(tokens)]), begins[:-1])), lemmas


def read(found: Regimes, lemmas: list[str]) -> dict[tuple[str, str], tuple[int, float]]:
    numbers = zip(found.governor.tolist(), found.preposition.tolist(), strict=True)
    names = [(lemmas[one], lemmas[other]) for one, other in numbers]
    return dict(zip(names, zip(found.counts.tolist(), found.share.tolist(), strict=True), strict=True))


def test_prepositions_that_verbs_nouns_and_adjectives_govern() -> None:
    made, lemmas = corpus()
    verbs, nouns, adjectives = find_regimes(made, patterns_of("es").regimes, least=1)
    assert read(verbs, lemmas) == {
        ("pensar", "en"): (2, pytest.approx(2 / 5)),
        ("soñar", "con"): (2, 1.0),
        ("pensar", "de"): (1, pytest.approx(1 / 5)),
    }
    assert read(nouns, lemmas) == {("casa", "de"): (1, 0.25), ("pensar", "en"): (1, 1.0)}
    assert read(adjectives, lemmas) == {("fácil", "de"): (1, 1.0), ("grande", "de"): (1, 1.0)}
    assert verbs.counts.tolist() == [2, 2, 1]


def test_examples_are_places_of_the_governor() -> None:
    made, lemmas = corpus()
    verbs, *_ = find_regimes(made, {"VERB": patterns_of("es").regimes["VERB"]}, least=2, examples=3)
    for governor, places in zip(verbs.governor.tolist(), verbs.examples.tolist(), strict=True):
        assert [lemmas[made.lemma[np.array([place])][0]] for place in places[:2]] == [lemmas[governor]] * 2
        assert places[2] == -1
    assert np.all(verbs.measures.delta_p > 0)


def test_only_some_tokens_are_looked_at() -> None:
    made, lemmas = corpus()
    first = np.arange(len(made.category)) < int(made.bounds.sentences[3])  # type: ignore[index]
    whole, *halves = (
        read(next(find_regimes(made._replace(among=among), {"VERB": "VERB ADP"}, least=1)), lemmas)
        for among in (first | ~first, first, ~first)
    )
    assert {pair: sum(half.get(pair, (0, 0.0))[0] for half in halves) for pair in whole} == {
        pair: count for pair, (count, _) in whole.items()
    }
    assert all(halves)


def test_a_category_that_the_corpus_does_not_have() -> None:
    made, _ = corpus()
    (found,) = find_regimes(made, {"PROPN": "PROPN ADP"})
    assert (len(found.governor), found.examples.shape) == (0, (0, 3))
