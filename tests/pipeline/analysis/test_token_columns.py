from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from support import token_documents as tokens
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.store.tokens import CAPITAL, KIND_SHIFT, SENTENCE
from trasmallo.study.morphology import tag_types
from trasmallo.study.patterns import ALPHABETIC, NUMBER, PUNCTUATION
from trasmallo.study.sentences import cut
from trasmallo.study.tokenise import key


def test_a_document_without_an_analysis() -> None:
    found = document_tokens("a" * 16, *cut("El 3 de Mayo. Fin", "es"))
    words, lemmas, categories, features, *_ = tokens.columns(found)
    assert words == ["El", "3", "de", "Mayo", ".", "Fin"]
    assert lemmas == ["el", "3", "de", "mayo", ".", "fin"]
    assert categories == ["alphabetic", "number", "alphabetic", "alphabetic", "punctuation", "alphabetic"]
    kinds = [ALPHABETIC, NUMBER, ALPHABETIC, ALPHABETIC, PUNCTUATION, ALPHABETIC]
    told = [SENTENCE | CAPITAL, 0, 0, CAPITAL, 0, SENTENCE | CAPITAL]
    assert list(found.flags) == [flag | kind << KIND_SHIFT for flag, kind in zip(told, kinds, strict=True)]
    assert (found.document, found.language, set(features)) == ("a" * 16, "es", {""})


@given(st.text(max_size=60))
def test_every_token_has_its_row(text: str) -> None:
    cut_text, sentences = cut(text, "es")
    found = document_tokens("a" * 16, cut_text, sentences)
    assert tokens.columns(found)[:2] == (cut_text.words, [key(word) for word in cut_text.words])
    assert [place for place, flag in enumerate(found.flags) if flag & SENTENCE] == [first for first, _ in sentences]
    assert (list(found.starts), list(found.ends)) == (list(cut_text.starts), list(cut_text.ends))


def test_what_was_analysed_has_lemma_and_category() -> None:
    text = cut("Las redes, dámelas.", "es")
    found = document_tokens("a" * 16, *text, tag_types(text, "es"))

    _, lemmas, categories, *_ = tokens.columns(found)
    assert lemmas == ["el", "red", ",", "dar", "."]
    assert categories == ["DET", "NOUN", "PUNCT", "VERB", "PUNCT"]
