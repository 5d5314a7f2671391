"""The tagger of names: the same alone and in company, bounded stretches."""

from __future__ import annotations

import random

from trasmallo.study.entities.finder import names_of, shipped

SENTENCES = [
    ["Ana", "Pérez", "vive", "en", "Soria", "."],
    ["No", "hay", "nadie", "."],
    ["El", "presidente", "Juan", "Gómez", "habló", "en", "Madrid", "."],
]
TAGS = [["NOUN"] * len(sentence) for sentence in SENTENCES]


def test_sentences_do_not_touch_each_other() -> None:
    together = names_of(SENTENCES, TAGS, "es")
    assert [[one[:3] for one in names] for names in together] == [
        [one[:3] for one in names_of([words], [tags], "es")[0]] for words, tags in zip(SENTENCES, TAGS, strict=True)
    ]
    assert together[1] == []


def test_many_sentences_have_the_names_that_each_has_alone() -> None:
    chance = random.Random(7)
    known = [
        "Ana",
        "de",
        "la",
        "Madrid",
        "vive",
        "en",
        "casa",
        "García",
        "ayer",
        ",",
        "Nueva",
        "York",
        "«",
        "Río",
        "grande",
        ".",
    ]
    sentences = [chance.choices(known, k=chance.randint(1, 14)) for _ in range(60)]
    tags = [["PROPN" if word[0].isupper() else "NOUN" for word in words] for words in sentences]
    alone = [names_of([words], [of], "es")[0] for words, of in zip(sentences, tags, strict=True)]
    assert any(alone)
    assert [[one[:3] for one in names] for names in names_of(sentences, tags, "es")] == [
        [one[:3] for one in names] for names in alone
    ]


def test_a_page_of_capitals_is_cut() -> None:
    words = ["Madrid"] * 1000
    assert names_of([words], [["PROPN"] * 1000], "es")[0]


def test_a_language_without_a_model_has_no_names() -> None:
    assert shipped("fr") is None
    assert names_of([["Ana"]], [["PROPN"]], "fr") == [[]]
