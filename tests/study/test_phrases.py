from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.study import languages
from trasmallo.study.category_patterns import Spans, compile_pattern
from trasmallo.study.phrases import count_phrases, patterns_of
from trasmallo.study.segments import content
from trasmallo.study.sequence_bounds import Bounds

RULED = sorted({languages.choose(language.code) for language in languages.known()})
"""The languages with rules of their own, and und."""

columns = st.lists(st.integers(0, 2), min_size=6, max_size=40)
spans = st.sets(st.tuples(st.integers(0, 36), st.integers(1, 4)))
UPOS = [
    "ADJ",
    "ADP",
    "ADV",
    "AUX",
    "CCONJ",
    "DET",
    "INTJ",
    "NOUN",
    "NUM",
    "PART",
    "PRON",
    "PROPN",
    "PUNCT",
    "SCONJ",
    "VERB",
    "X",
]


@pytest.mark.parametrize("code", RULED)
def test_the_patterns_of_every_language_are_patterns_of_real_categories(code: str) -> None:
    patterns = patterns_of(code)
    for pattern in [patterns.noun_phrase, *patterns.regimes.values(), *patterns.collocations.values()]:
        compile_pattern(pattern, UPOS)
        names = "".join(sign if sign.isalpha() else " " for sign in pattern).split()
        assert set(names) <= set(UPOS)
    assert all(pattern.startswith(category) and pattern.endswith("ADP") for category, pattern in patterns.regimes.items())


@pytest.mark.parametrize(
    ("language", "tagged", "phrase"),
    [
        ("es", "el/DET agente/NOUN de/ADP la/DET red/NOUN municipal/ADJ duerme/VERB", "agente de la red municipal"),
        ("es", "vive/VERB en/ADP Nueva/PROPN York/PROPN ./PUNCT", "Nueva York"),
        ("en", "the/DET small/ADJ fishing/NOUN boats/NOUN of/ADP Cadiz/PROPN sail/VERB", "small fishing boats of Cadiz"),
        ("qq", "uma/DET rede/NOUN velha/ADJ", "rede velha"),
    ],
)
def test_noun_phrases(language: str, tagged: str, phrase: str) -> None:
    words, categories = zip(*(pair.split("/") for pair in tagged.split()), strict=True)
    column = np.array([UPOS.index(category) for category in categories], dtype=np.uint8)
    (spans,) = compile_pattern(patterns_of(language).noun_phrase, UPOS).find(column, Bounds(np.array([0, len(words)])))
    found = [" ".join(words[first : first + length]) for first, length in zip(*map(np.ndarray.tolist, spans), strict=True)]
    assert found == [phrase]


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 2), min_size=6, max_size=40),
    st.sets(st.tuples(st.integers(0, 36), st.integers(1, 4))),
    st.integers(1, 3),
    st.integers(0, 5),
)
def test_phrases_are_counted_by_what_they_hold(drawn: list[int], chosen: set[tuple[int, int]], least: int, cut: int) -> None:
    column = np.array(drawn, dtype=np.uint32)
    inside = sorted((first, length) for first, length in chosen if first + length <= len(drawn))
    counts = Counter(tuple(drawn[first : first + length]) for first, length in inside)
    first, length = np.array(inside, dtype=np.int64).reshape(-1, 2).T
    bounds = Bounds(np.array([0, 3, len(drawn)]))
    documents = {(tuple(drawn[first : first + length]), first >= 3) for first, length in inside}
    found = {}
    parted = [Spans(first[:cut], length[:cut]), Spans(first[cut:], length[cut:])]
    results = count_phrases(column, parted, bounds, least, together=10)
    for result in results:
        assert result.counts.tolist() == sorted(result.counts.tolist(), reverse=True)
        rows = map(tuple, content(column, result).tolist())
        found |= dict(zip(rows, zip(result.counts.tolist(), result.documents.tolist(), strict=True), strict=True))
    assert found == {
        phrase: (count, len({pair for pair in documents if pair[0] == phrase}))
        for phrase, count in counts.items()
        if count >= least
    }
