"""Grammatical relations found by patterns of categories, counted by hand and by a naive search."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.sequence_bounds import Bounds
from trasmallo.study.sketches import Relation, SketchedTokens, find_pairs, relations_of

NAMES = ["VERB", "DET", "NOUN", "ADP", "ADJ", "PUNCT"]
OBJECT = Relation(name="object", head="VERB", dependent="NOUN", patterns=("VERB DET? NOUN",))
COMPLEMENT = Relation(name="complement", head="VERB", dependent="NOUN", patterns=("VERB ADP DET? NOUN",), between="ADP")
SUBJECT = Relation(name="subject", head="VERB", dependent="NOUN", reversed=("NOUN VERB",), not_after=("ADP",))


def tokens(*sentences: str) -> tuple[SketchedTokens, list[str]]:
    """Sentences of word/CATEGORY as one document; words by number in alphabetical order from 1 on."""
    rows = [token.split("/") for sentence in sentences for token in sentence.split()]
    known = ["", *sorted({word for word, _ in rows})]
    begins = np.cumsum([0, *(len(sentence.split()) for sentence in sentences)])
    words = np.array([known.index(word) for word, _ in rows], dtype=np.uint32)
    categories = np.array([NAMES.index(category) for _, category in rows], dtype=np.uint8)
    bounds = Bounds(np.array([0, len(rows)]), begins[:-1])
    return SketchedTokens(words, categories, NAMES, bounds, len(known)), known


def pairs(relation: Relation, *sentences: str, least: int = 1) -> dict[tuple[str, str, str], tuple[int, int, int]]:
    given_tokens, known = tokens(*sentences)
    found = find_pairs(given_tokens, relation, least)
    named = zip(found.head.tolist(), found.between.tolist(), found.dependent.tolist(), strict=True)
    figures = zip(found.table.joint.tolist(), found.table.first.tolist(), found.table.second.tolist(), strict=True)
    return dict(zip([tuple(known[one] for one in row) for row in named], figures, strict=True))  # type: ignore[misc]


def test_pairs_with_their_totals() -> None:
    found = pairs(OBJECT, "ve/VERB la/DET red/NOUN", "ve/VERB red/NOUN", "echa/VERB la/DET red/NOUN ve/VERB el/DET mar/NOUN")
    assert found == {("ve", "", "red"): (2, 3, 3), ("ve", "", "mar"): (1, 3, 1), ("echa", "", "red"): (1, 1, 3)}
    assert pairs(OBJECT, "ve/VERB la/DET", "red/NOUN") == {}, "not over the end of a sentence"


def test_a_relation_is_divided_by_the_word_between() -> None:
    found = pairs(COMPLEMENT, "va/VERB a/ADP la/DET mar/NOUN", "va/VERB en/ADP barca/NOUN", "va/VERB a/ADP barca/NOUN")
    assert found[("va", "a", "barca")] == (1, 2, 1)
    assert found[("va", "en", "barca")] == (1, 1, 1)


def test_a_noun_that_a_preposition_introduces_is_no_subject() -> None:
    assert pairs(SUBJECT, "la/DET red/NOUN cae/VERB") == {("cae", "", "red"): (1, 1, 1)}
    assert pairs(SUBJECT, "con/ADP la/DET gran/ADJ red/NOUN cae/VERB") == {}
    assert pairs(SUBJECT, "con/ADP", "red/NOUN cae/VERB") != {}, "the preposition is in another sentence"


def test_chains_lose_no_link() -> None:
    chain = Relation(name="complement", head="NOUN", dependent="NOUN", patterns=("NOUN ADP NOUN",), between="ADP")
    found = pairs(chain, "red/NOUN de/ADP barco/NOUN de/ADP pesca/NOUN")
    assert set(found) == {("red", "de", "barco"), ("barco", "de", "pesca")}


@given(st.lists(st.lists(st.sampled_from(["a/VERB", "b/VERB", "c/DET", "d/NOUN", "e/NOUN", "f/ADP"]), min_size=1), min_size=1),
       st.integers(1, 3))  # fmt: skip
def test_objects_are_those_of_a_naive_search(sentences: list[list[str]], least: int) -> None:
    naive: Counter[tuple[str, str, str]] = Counter()
    for sentence in sentences:
        for place, token in enumerate(sentence):
            rest = sentence[place + 1 : place + 3]
            rest = rest[1:] if rest and rest[0].endswith("DET") else rest[:1]
            if token.endswith("VERB") and rest and rest[0].endswith("NOUN"):
                naive[token[0], "", rest[0][0]] += 1
    found = pairs(OBJECT, *map(" ".join, sentences), least=least)
    assert {named: row[0] for named, row in found.items()} == {named: n for named, n in naive.items() if n >= least}


@pytest.mark.parametrize("language", ["es", "en"])
def test_every_pattern_of_a_language_ends_in_its_categories(language: str) -> None:
    for relation in relations_of(language):
        assert relation.patterns or relation.reversed
        ends = [(one.split()[0], one.split()[-1]) for one in relation.patterns]
        ends += [(one.rsplit("(", 1)[-1] if one.endswith(")") else one.split()[-1], one) for one in relation.reversed]
        assert all(relation.head in first for first, _ in ends), relation


def test_a_language_without_relations_has_none() -> None:
    assert relations_of("ja") == ()
