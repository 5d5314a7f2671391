from __future__ import annotations

import unicodedata
from itertools import count
from typing import Any, cast

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import trasmallo
from support.bad_texts import SAME, TEXTS
from trasmallo.study import morphology
from trasmallo.study.tokenise import tokenise
from trasmallo.values.errors import UsageError

TEXT = "Ayer, la casa estaba vacía. ¿Vámonos? Dándoselo todo, mi hermana se casa mañana."
MANY = [
    TEXT,
    "El Sr. Pérez llegó.",
    "Vive en EE. UU.",
    "1. Introducción\nUno.",
    "e\u0301l la\u00adgo",
    "中文 😀",
    "«¿Qué?» dijo.\n",
]


def test_every_reading_of_a_word() -> None:
    found = trasmallo.analyse("casa")
    assert {(one.lemma, one.category) for one in found} == {("casa", "NOUN"), ("casar", "VERB")}
    found.clear()
    assert trasmallo.analyse("casa"), "the list is the caller's own"


def test_words_of_a_text_in_their_context() -> None:
    found = trasmallo.tag(TEXT)
    assert [TEXT[one.start : one.end] for one in found] == [one.word for one in found]
    told = {one.word: (one.lemma, one.category, one.clitics) for one in found}
    assert told["estaba"] == ("estar", "AUX", ())
    assert told["Vámonos"][::2] == ("ir", ("nos",))
    assert told["Dándoselo"] == ("dar", "VERB", ("se", "lo"))
    assert [one.lemma for one in found if one.word == "casa"] == ["casa", "casar"]


@pytest.mark.parametrize("language", ["es", "und"])
@pytest.mark.parametrize("name", TEXTS)
def test_bad_texts_are_tagged_token_by_token(name: str, language: str) -> None:
    text = TEXTS[name](2_000)
    found, tokens = trasmallo.tag(text, language), tokenise(text, language)
    assert [(one.word, one.start, one.end) for one in found] == [(token.word, token.start, token.end) for token in tokens]
    assert all(one.lemma and one.category for one in found)


@pytest.mark.parametrize(("word", "written"), SAME.items())
def test_one_word_in_several_encodings_has_one_analysis(word: str, written: list[str]) -> None:
    assert {tuple(trasmallo.analyse(one)) for one in written} == {tuple(trasmallo.analyse(word))}
    sentences = [trasmallo.tag(f"La {one} es nueva.") for one in written]
    assert {tuple((one.word, one.lemma, one.category) for one in found) for found in sentences} == {
        (("La", "el", "DET"), (word, word, "NOUN"), ("es", "ser", "AUX"), ("nueva", "nuevo", "ADJ"), (".", ".", "PUNCT"))
    }


def test_a_list_of_words_is_one_sentence() -> None:
    found = trasmallo.tag(["La", "casa", "blanca"])
    assert [(one.lemma, one.category) for one in found] == [("el", "DET"), ("casa", "NOUN"), ("blanco", "ADJ")]
    assert {(one.start, one.end) for one in found} == {(-1, -1)}


def test_sentences_together_are_as_each_by_itself() -> None:
    sentences = [["La", "casa", "blanca"], [], ["Mi", "hermana", "se", "casa"], ["¡", "Casa", "!"]] * 40
    assert list(trasmallo.tag_many(sentences)) == [trasmallo.tag(words) for words in sentences]


@given(st.lists(st.one_of(st.text(max_size=60), st.sampled_from(MANY), st.lists(st.text(max_size=5), max_size=5)), max_size=8))
@example(["", TEXT, "a" * 100_000, "casa " * 5_000, "\0\x01\r\x85", [], ["La", ""], "Uno.\n\nDos. "])
def test_many_texts_are_tagged_as_one_by_one(texts: list[str | list[str]]) -> None:
    assert list(trasmallo.tag_many(texts)) == [trasmallo.tag(text) for text in texts]
    assert list(trasmallo.tag_many(texts, "es-MX", "gsd")) == [trasmallo.tag(text, "es", "gsd") for text in texts]
    assert list(trasmallo.tag_many(iter(texts), "und")) == [trasmallo.tag(text, "und") for text in texts]


def test_endless_texts_are_tagged_as_they_are_asked_for() -> None:
    taken = count()
    found = trasmallo.tag_many(f"La casa {number}." for number in taken)
    assert [one.word for one in next(found)] == ["La", "casa", "0", "."]
    assert next(taken) < 2_000


def test_what_is_wrong_with_many_texts_is_told_at_once() -> None:
    for texts in ("La casa.", b"La casa.", 3, None):
        with pytest.raises(UsageError, match="^`texts` is of the type .*: give several texts, as a list$"):
            trasmallo.tag_many(cast("Any", texts))
    with pytest.raises(UsageError, match="is no language whose words can be tagged"):
        trasmallo.tag_many([], "fr")
    with pytest.raises(UsageError, match="choose ancora or gsd$"):
        trasmallo.tag_many([], convention="penn")
    with pytest.raises(UsageError, match="^`text` is of the type int: give a text$"):
        list(trasmallo.tag_many(["casa", cast("Any", 3)]))


def test_conventions_are_the_users_choice() -> None:
    assert morphology.conventions("es-MX") == ("ancora", "gsd")
    assert morphology.conventions("fr") == ()
    assert trasmallo.tag(["casa"], convention="gsd")[0].lemma == "casa"
    with pytest.raises(UsageError, match="choose ancora or gsd$"):
        trasmallo.tag(["casa"], convention="penn")
    with pytest.raises(UsageError, match="choose none$"):
        morphology.tag_text(["maison"], "fr", "penn")


def test_other_languages_have_the_same_interface() -> None:
    assert {(one.lemma, one.category) for one in trasmallo.analyse("children", "en")} == {("child", "NOUN")}
    assert [one.category for one in trasmallo.tag("The children are happy.", "en")] == ["DET", "NOUN", "AUX", "ADJ", "PUNCT"]
    assert [one.category for one in trasmallo.tag("Zwölf 12.", "und")][1:] == ["NUM", "PUNCT"]


def test_a_word_is_analysed_once_for_all_documents() -> None:
    memory = morphology.words_of("es")
    trasmallo.tag(TEXT)
    missed = memory.missed
    trasmallo.tag(TEXT)
    trasmallo.analyse("vacía")
    assert memory.missed == missed
    assert morphology.words_of("es_AR") is memory


def test_one_word_in_two_encodings_is_one_word() -> None:
    for form in ("NFC", "NFD"):
        assert trasmallo.analyse(unicodedata.normalize(form, "DÁN\u00adDOSELO"))[0].lemma == "dar"


@given(st.text(max_size=80))
def test_any_text_is_tagged(text: str) -> None:
    assert all(text[one.start : one.end] for one in trasmallo.tag(text))


@pytest.mark.parametrize("text", ["a" * 1_000_000, "\0\x01" * 10_000, "l33t h4x0r " * 1000, "casa " * 50_000, "\u0301" * 1000])
def test_hostile_texts(text: str) -> None:
    for one in trasmallo.tag(text):
        assert one.category


def test_compilation_ready_twice_compiles_once() -> None:
    morphology.prepare("es")
    morphology.prepare("es", lambda *_: pytest.fail("compiled again"))


@pytest.mark.parametrize(
    ("word", "lemma", "clitic"),
    [
        ("it's", "it", "'s"),
        ("Don’t", "do", "n't"),
        ("can't", "can", "n't"),
        ("cannot", "can", "not"),
        ("won't", "will", "n't"),
        ("dog's", "dog", "'s"),
    ],
)
def test_english_contractions_are_known(word: str, lemma: str, clitic: str) -> None:
    found = trasmallo.analyse(word, "en")
    assert {one.by for one in found} == {"rule"}
    assert (lemma, (clitic,)) in {(one.lemma, one.clitics) for one in found}
    assert trasmallo.analyse("flumbo's", "en")[0].by == "guess"


@pytest.mark.parametrize("text", [b"casa", None, 3, {"casa"}, ["la", None]])
def test_what_is_no_text_is_refused(text: Any) -> None:
    with pytest.raises(UsageError, match="^`text` is of the type (bytes|NoneType|int|set): give a text$"):
        trasmallo.tag(text)
    with pytest.raises(UsageError, match="^`word` is of the type"):
        trasmallo.analyse(text)
    with pytest.raises(UsageError, match="^`language` is of the type"):
        trasmallo.analyse("casa", text)
    with pytest.raises(UsageError, match="^`text` is of the type"):
        tokenise(text)


@pytest.mark.parametrize("language", ["fr", "xx", ""])
def test_a_language_of_whose_words_nothing_is_known_is_not_tagged(language: str) -> None:
    with pytest.raises(UsageError, match=f"'{language}' is no language whose words can be tagged: choose en, es"):
        trasmallo.tag("les maisons", language)
    with pytest.raises(UsageError, match=r"choose en, es"):
        trasmallo.tag(["les", "maisons"], language)


def test_a_language_of_which_nothing_is_known_is_not_analysed() -> None:
    with pytest.raises(UsageError, match="nothing is known of the language 'xx'"):
        trasmallo.analyse("casa", "xx")
    with pytest.warns(UserWarning, match=r"no words of French \(fr\) are listed: lemmas and categories are guesses"):
        assert [found.by for found in trasmallo.analyse("maisons", "fr")] == ["guess"]
    assert trasmallo.analyse("casa", "es-MX") == trasmallo.analyse("casa", "es")
