"""The tokens of a text with their readings: every one, or the one that each has in its sentence."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import msgspec

from trasmallo.study.compounds import splitter
from trasmallo.study.languages.parts import Split
from trasmallo.study.morphology import tag_text, words_of
from trasmallo.study.morphology.reading_options import AS_LISTED, ReadingOptions, split_readings, with_options
from trasmallo.study.tokenise import columns
from trasmallo.values.model import AnalysedToken, Analysis, Tagged, Token


def readings(
    text: str, language: str, split: Split | None = None, options: ReadingOptions = AS_LISTED
) -> Iterator[AnalysedToken]:
    """Every token of a text with all its readings, and its parts; `split` finds those of German words by frequencies."""
    analyse, split = with_options(words_of(language).analyse, language, options), split or splitter(language, {})
    for token in columns(text, language).tokens():
        yield _token(token, tuple(analyse(token.word)), split)


def readings_in_context(
    text: str, language: str, convention: str = "", split: Split | None = None, options: ReadingOptions = AS_LISTED
) -> Iterator[AnalysedToken]:
    """Every token of a text with the reading it has there; `by` and `tag` are those of the analysis that was chosen.

    Of the options contractions are split; the tagger knows no old Spanish. Raises UsageError at once for a convention that the
    language does not have.
    """
    tokens, tagged = columns(text, language).tokens(), tag_text(text, language, convention)
    found = _paired(tokens, tagged, words_of(language).analyse, split or splitter(language, {}))
    return (_contraction(token, language) for token in found) if options.split_contractions else found


def _contraction(token: AnalysedToken, language: str) -> AnalysedToken:
    return msgspec.structs.replace(token, analyses=tuple(split_readings(token.analyses, token.word, language)))


def _paired(
    tokens: list[Token], tagged: list[Tagged], analyse: Callable[[str], list[Analysis]], split: Split
) -> Iterator[AnalysedToken]:
    for token, one in zip(tokens, tagged, strict=True):
        same = [found for found in analyse(token.word) if found.lemma == one.lemma and found.category == one.category]
        known = same[0] if same else Analysis(one.lemma, one.category, by="guess")
        chosen = Analysis(
            lemma=one.lemma,
            category=one.category,
            features=one.features,
            prefix=known.prefix,
            clitics=one.clitics,
            by=known.by,
            tag=known.tag,
        )
        yield _token(token, (chosen,), split)


def _token(token: Token, analyses: tuple[Analysis, ...], split: Split) -> AnalysedToken:
    return AnalysedToken(
        word=token.word, start=token.start, end=token.end, kind=token.kind, analyses=analyses, parts=split(token.word)
    )
