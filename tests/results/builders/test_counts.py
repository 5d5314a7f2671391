"""Words and lemmas by document and in the whole corpus."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.counted_documents import rows_of
from trasmallo.config import StudyConfig
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.results.builders.counts import (
    BuiltColumns,
    TokenSource,
    lemmas,
    lemmas_by_page,
    words_by_category,
    words_by_page,
)
from trasmallo.results.builders.key_columns import KeyColumn
from trasmallo.store.tokens import Builder, Corpus
from trasmallo.store.tokens.listing import LONGEST
from trasmallo.study.detection import LanguageSpan
from trasmallo.study.morphology import tag_types
from trasmallo.study.multilingual import cut_stretches
from trasmallo.study.sentences import Cut, cut
from trasmallo.study.tokenise import key
from trasmallo.study.word_lists import options_for

SPANISH = [
    "Las redes de pesca y la red de pesca artesanal. Yo la veo en el muelle.",
    "La red de pesca está en el muelle nuevo. Los muelles nuevos son caros.",
]
ENGLISH = "We sell fresh fish oil. They sell fresh fish oil."

Texts = Sequence[tuple[str, str]]
"""Texts with their languages."""


def name(number: int) -> str:
    return f"{number:016x}"


def source_of(folder: Path, texts: Texts, study: StudyConfig | None = None, *, tagged: bool = False) -> TokenSource:
    builder = Builder()
    for number, (text, language) in enumerate(texts):
        found = cut(text, language)
        spoken = [(language, len(found.tokens))]
        builder.add(document_tokens(name(number), *found, tag_types(found, language) if tagged else None, spoken))
    builder.write(folder / "tokens")
    return TokenSource(Corpus.open(folder / "tokens"), study or StudyConfig(), home="es")


def counted_plainly(texts: Texts, study: StudyConfig | None = None) -> list[tuple[str, str, int, int, str]]:
    """The rows of each document, word by word."""
    rows = []
    for number, (text, language) in enumerate(texts):
        found, options = cut(text, language), options_for(language, study or StudyConfig())
        counts = Counter(key(one.word) for one in found.tokens.tokens() if one.kind != "punctuation")
        names = capitalised(found)
        for word in sorted(counts, key=lambda word: (-counts[word], word)):
            stopped = options.stop is not None and word in options.stop.words
            if not stopped and (options.only is None or word in options.only.words):
                rows.append((name(number), word, counts[word], names[word], language))
    return rows


def plain(built: BuiltColumns) -> list[tuple[str, str, int, int, str]]:
    """The rows of words."""
    return [tuple(row) for row in rows_of(built)]


def capitalised(text: Cut) -> Counter[str]:
    """Words with a capital where no sentence begins; a sentence with most words in capitals is a headline and tells nothing."""
    counts: Counter[str] = Counter()
    for first, last in text.sentences:
        some = [one.word for one in text.tokens.tokens()[first:last] if one.kind in ("alphabetic", "alphanumeric")]
        names = [word for word in some[1:] if word[0].isupper()]
        counts.update(map(key, names if 2 * len(names) <= len(some) else []))
    return counts


@pytest.fixture
def source(tmp_path: Path) -> TokenSource:
    return source_of(tmp_path, [*((text, "es") for text in SPANISH), (ENGLISH, "en")], tagged=True)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.text("aAñÑ1. ,¡-日\n", max_size=30), max_size=4),
    st.sampled_from(["none", "standard"]),
    st.integers(1, 50),
)
def test_words_of_documents_are_those_counted_one_by_one(
    tmp_path_factory: pytest.TempPathFactory, drawn: list[str], stop: str, at_once: int
) -> None:
    texts, study = [(text, "es") for text in drawn], StudyConfig(stop=stop)
    source = source_of(tmp_path_factory.mktemp("drawn"), texts, study)._replace(at_once=at_once)
    assert plain(words_by_page(source)) == counted_plainly(texts, study)


def test_capitals_count_inside_sentences_that_are_no_headlines(tmp_path: Path) -> None:
    texts = [("Ayer Marta vio a Pepe. HOY MARTA VE MUCHO. ¿Y Marta? «El Faro» de Marta", "es"), ("MARTA", "es")]
    found = plain(words_by_page(source_of(tmp_path, texts)))
    assert found == counted_plainly(texts)
    assert (name(0), "marta", 4, 3, "es") in found


def test_lists_hold_in_the_language_of_each_stretch_whatever_that_of_its_document(tmp_path: Path) -> None:
    spanish, english = cut("La red de la mar", "es"), cut("The son of the sea", "en")
    whole = cut("La red de la mar\nThe son of the sea", "es")
    builder = Builder()
    builder.add(document_tokens(name(0), *whole, None, [("es", len(spanish.tokens)), ("en", len(english.tokens))]))
    builder.write(tmp_path / "tokens")
    source = TokenSource(Corpus.open(tmp_path / "tokens"), StudyConfig(stop="standard"), home="es")
    found = {(row[1], row[4]) for row in plain(words_by_page(source))}
    assert found == {("red", "es"), ("mar", "es"), ("son", "en"), ("sea", "en")}, "a Spanish stop word is none in English"
    column = KeyColumn.of(source.corpus)
    wanted = column.wanted(source.corpus, source.study)
    assert wanted is not None
    left = {(text, column.language_of(number)) for number, text in enumerate(column.texts) if wanted[number]}
    assert left == found, "segments and collocations alike"


def test_lists_hold_in_the_language_of_each_document(tmp_path: Path) -> None:
    (tmp_path / "own.txt").write_text("mer\nnet\n")
    texts = [("La mer est la mer", "fr"), ("La red de la mer", "es"), ("The net of la mer", "en-GB"), ("La net mer", "xx")]
    for study in (
        StudyConfig(stop="standard"),
        StudyConfig(stop=f"standard + {tmp_path / 'own.txt'}"),
        StudyConfig(only=str(tmp_path / "own.txt")),
        StudyConfig(stop="standard", only=str(tmp_path / "own.txt")),
    ):
        found = plain(words_by_page(source_of(tmp_path, texts, study)))
        assert found == counted_plainly(texts, study)
    assert found
    nothing = tmp_path / "nothing.txt"
    nothing.write_text("# no words\n")
    assert rows_of(words_by_page(source_of(tmp_path, texts, StudyConfig(only=str(nothing))))) == []


@pytest.mark.parametrize(
    ("study", "kept"),
    [
        (StudyConfig(stop="{own}"), lambda word, lemma: lemma != "ver" and word != "muelle"),
        (StudyConfig(only="{own}"), lambda word, lemma: lemma == "ver" or word == "muelle"),
    ],
)
def test_lists_hold_by_form_and_by_lemma_for_words_and_lemmas(
    tmp_path: Path, study: StudyConfig, kept: Callable[[str, str], bool]
) -> None:
    own = tmp_path / "own.txt"
    own.write_text("lemma:ver\nMuelle\n")
    study = StudyConfig(stop=study.stop.format(own=own), only=study.only.format(own=own))
    text = "Vimos el muelle y los muelles. Yo la veo. Ellos veían redes."
    source = source_of(tmp_path, [(text, "es")], study, tagged=True)
    tokens = tag_types(cut(text, "es"), "es").spread()
    left = [
        (key(one.word), key(one.lemma)) for one in tokens if one.category != "PUNCT" and kept(key(one.word), key(one.lemma))
    ]
    assert {word: count for _, word, count, *_ in plain(words_by_page(source))} == Counter(word for word, _ in left)
    lemmas_left: Counter[str] = Counter()
    for lemma, _, count, *_ in rows_of(lemmas(source)):
        lemmas_left[key(lemma)] += count
    assert lemmas_left == Counter(lemma for _, lemma in left)
    assert sum(row[3] for row in rows_of(lemmas_by_page(source))) == len(left)
    assert sum(row[2] for row in rows_of(words_by_category(source))) == len(left)


def test_the_most_frequent_words_are_no_lemmas_either(tmp_path: Path) -> None:
    text = "La red y la mar. La mar."
    every, fewer = (
        {lemma for lemma, *_ in rows_of(lemmas(source_of(tmp_path, [(text, "es")], StudyConfig(stop=stop), tagged=True)))}
        for stop in ("none", "frequent:2")
    )
    assert every - fewer == {"el", "mar"}


def test_a_word_that_is_too_long_for_the_store_is_shortened(tmp_path: Path) -> None:
    long = "a" * (LONGEST + 5)
    found = plain(words_by_page(source_of(tmp_path, [(f"red {long} {long}b", "es")])))
    assert found == [(name(0), long[:LONGEST], 2, 0, "es"), (name(0), "red", 1, 0, "es")]


def test_lemmas_are_counted_by_category_and_document(source: TokenSource) -> None:
    rows = {(lemma, category): figures for lemma, category, *figures in rows_of(lemmas(source))}
    assert rows["red", "NOUN"] == [3, 2, "es"]
    assert rows["nuevo", "ADJ"] == [2, 1, "es"]
    assert not [pair for pair in rows if pair[1] == "PUNCT"]


def test_lemmas_by_page_add_up_to_lemmas(source: TokenSource) -> None:
    by_page = rows_of(lemmas_by_page(source))
    for lemma, category, count, documents, language in rows_of(lemmas(source)):
        here = [row for row in by_page if (*row[1:3], row[4]) == (lemma, category, language)]
        assert (sum(row[3] for row in here), len({row[0] for row in here})) == (count, documents)
    assert sum(row[3] for row in by_page) == sum(row[2] for row in rows_of(lemmas(source)))


def test_a_word_has_a_row_for_each_category(source: TokenSource) -> None:
    rows = {(word, category): count for word, category, count, *_ in rows_of(words_by_category(source))}
    assert {pair: count for pair, count in rows.items() if pair[0] == "la"} == {("la", "DET"): 2, ("la", "PRON"): 1}


def test_rows_are_in_their_usual_order_however_many_are_counted_at_once(source: TokenSource) -> None:
    whole = [rows_of(make(source)) for make in (words_by_page, lemmas_by_page, lemmas, words_by_category)]
    assert whole[0] == sorted(whole[0], key=lambda row: (row[0], -row[2], row[1]))
    assert whole[1] == sorted(whole[1], key=lambda row: (row[0], -row[3], row[1], row[2]))
    assert whole[2:] == [sorted(rows, key=lambda row: (row[4] != "es", -row[2], row[0], row[1])) for rows in whole[2:]]
    slow = source._replace(at_once=1)
    assert [rows_of(make(slow)) for make in (words_by_page, lemmas_by_page, lemmas, words_by_category)] == whole


def test_a_word_counts_in_the_language_of_its_stretch(tmp_path: Path) -> None:
    spanish, english = cut("La red de la mar. ", "es"), cut("La red and the sea.", "en")
    whole = cut_stretches(
        "La red de la mar. \nLa red and the sea.", [LanguageSpan("es", 0, 19), LanguageSpan("en", 19, 38)], "es"
    )
    builder = Builder()
    stretches = [("es", len(spanish.tokens)), ("en", len(english.tokens))]
    builder.add(document_tokens(name(1), *whole.whole, whole.tag(), stretches))
    builder.write(tmp_path / "tokens")
    source = TokenSource(Corpus.open(tmp_path / "tokens"), StudyConfig(), home="en")

    of_pages, of_corpus = rows_of(words_by_page(source)), rows_of(words_by_category(source))

    assert [(row[2], row[4]) for row in of_pages if row[1] == "la"] == [(2, "es"), (1, "en")]
    assert [row[4] for row in of_pages if row[1] == "red"] == ["en", "es"]
    assert {row[4] for row in of_pages if row[1] in ("the", "sea", "and")} == {"en"}
    assert [row[-1] for row in of_corpus] == sorted(row[-1] for row in of_corpus), "the project's language comes first"
    assert {row[-1] for row in rows_of(lemmas(source)) if row[0] == "mar"} == {"es"}


def test_without_a_tagger_kinds_of_tokens_are_categories(tmp_path: Path) -> None:
    found = rows_of(lemmas(source_of(tmp_path, [(SPANISH[0], "es")])))
    assert {category for _, category, *_ in found} == {"alphabetic"}


@pytest.mark.parametrize("texts", [[], [""]])
@pytest.mark.parametrize("make", [words_by_page, lemmas_by_page, lemmas, words_by_category])
def test_of_nothing_there_are_no_rows(texts: list[str], make: Callable[[TokenSource], BuiltColumns], tmp_path: Path) -> None:
    assert rows_of(make(source_of(tmp_path, [(text, "es") for text in texts]))) == []
