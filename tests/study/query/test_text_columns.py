"""A single text as a corpus: queries find in it what they find in a corpus."""

from __future__ import annotations

from itertools import pairwise

import pytest

from trasmallo.study.morphology import tag_types
from trasmallo.study.query.evaluation import QueriedCorpus, search
from trasmallo.study.query.parsing import parse
from trasmallo.study.query.text_columns import ListedStrings, TextColumns
from trasmallo.study.sentences import cut

TEXT = "Ana come pan. El perro come carne y bebe agua."


def hits(query: str) -> list[str]:
    found = cut(TEXT, "es")
    source = QueriedCorpus(TextColumns(found, tag_types(found, "es").spread()))
    words = found.tokens.words
    return [
        " ".join(words[first : first + length])
        for some in search(parse(query), source)
        for first, length in zip(some.first.tolist(), some.length.tolist(), strict=True)
    ]


@pytest.mark.parametrize(
    ("query", "wanted"),
    [
        ('[lemma="comer"]', ["come", "come"]),
        ('[lemma="comer"] [pos="NOUN"]', ["come pan", "come carne"]),
        ('<s> []{1,2} [lemma="comer"]', ["Ana come", "El perro come"]),
        ('[word="p.*"]', ["pan", "perro"]),
        ('[lemma="nadar"]', []),
        ('[lemma="nadar"] []*', []),
    ],
)
def test_queries_find_tokens_of_the_text(query: str, wanted: list[str]) -> None:
    assert hits(query) == wanted


def test_a_text_without_tokens_has_no_hits() -> None:
    found = cut("", "es")
    assert not list(search(parse("[]"), QueriedCorpus(TextColumns(found, []))))


def test_strings_are_found_by_their_numbers_and_joined() -> None:
    strings = ListedStrings(["ñu", "", "gato"], [1, 2, 3])
    assert (len(strings), strings[2], strings.find("gato"), strings.find("perro")) == (3, "gato", 2, None)
    text, bounds = strings.joined()
    assert [text[low:high] for low, high in pairwise(bounds)] == ["ñu", "", "gato"]
