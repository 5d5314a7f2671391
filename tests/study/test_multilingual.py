"""Texts in several languages."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.detection import LanguageSpan
from trasmallo.study.multilingual import cut_stretches
from trasmallo.study.sentences import cut
from trasmallo.study.tokenise import key

SPANISH = "La barcoteca abre de noche. El Sr. Pérez come."
ENGLISH = "The boats come back. Mr. Brown fishes gladly."


def both() -> tuple[str, list[LanguageSpan]]:
    text = f"{SPANISH}\n{ENGLISH}"
    return text, [LanguageSpan("es", 0, len(SPANISH) + 1), LanguageSpan("en", len(SPANISH) + 1, len(text))]


def test_each_piece_is_cut_and_tagged_in_its_language() -> None:
    text, stretches = both()
    mixed = cut_stretches(text, stretches, "es")
    tokens, sentences = mixed.whole
    assert [text[start:end] for start, end in zip(tokens.starts, tokens.ends, strict=True)] == tokens.words
    assert (tokens.text, tokens.language) == (text, "es")
    assert [" ".join(tokens.words[first:last]) for first, last in sentences] == [
        "La barcoteca abre de noche .",
        "El Sr. Pérez come .",
        "The boats come back .",
        "Mr. Brown fishes gladly .",
    ]
    tagged = mixed.tag().spread()
    assert [one.word for one in tagged] == tokens.words
    assert [(one.lemma, one.category) for one in tagged if one.word == "come"] == [("comer", "VERB"), ("come", "VERB")]


def test_unrecognised_words_have_their_places_in_the_whole() -> None:
    text, stretches = both()
    found = {
        word: start
        for language, starts, unlisted in cut_stretches(text, stretches, "es").unrecognised()
        if language == "es"
        for word, start in zip(unlisted.words, starts.tolist(), strict=True)
    }
    assert all(key(text[start : start + len(word)]) == word for word, start in found.items())
    assert "barcoteca" in found
    assert "boats" not in found
    assert not list(cut_stretches(SPANISH, [LanguageSpan("fi", 0, len(SPANISH))], "fi").unrecognised())


@given(st.lists(st.tuples(st.sampled_from(["es", "en", "und"]), st.text("aé. \n\u0301", max_size=9)), max_size=4))
def test_pieces_make_the_whole(drawn: list[tuple[str, str]]) -> None:
    text, stretches = "", []
    for language, line in drawn:
        stretches.append(LanguageSpan(language, len(text), len(text) + len(line) + 1))
        text += line + "\n"
    mixed = cut_stretches(text, stretches, "es")
    assert mixed.whole.tokens.words == [word for section in mixed.sections for word in section.cut.tokens.words]
    assert sum(last - first for first, last in mixed.whole.sentences) == len(mixed.whole.tokens)
    if len(set(drawn)) == 1 == len(drawn):
        alone = cut(text, drawn[0][0])
        assert (mixed.whole.tokens.tokens(), mixed.whole.sentences) == (alone.tokens.tokens(), alone.sentences)
