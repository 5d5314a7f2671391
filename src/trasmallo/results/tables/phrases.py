"""Sequences that are frequent, and noun phrases."""

from __future__ import annotations

from collections.abc import Callable

import msgspec

from trasmallo.results.cells import ConcordanceCell, Row, Rows, of_category, of_form, of_lemma
from trasmallo.results.registry import FromTokens, Layered, Table, Wording

_MOST_TOKENS = 20
"""Tokens of the longest sequence that is looked up in the concordance. Judgement: a longer query cannot be read."""


class SegmentRow(msgspec.Struct, frozen=True, gc=False):
    """A sequence that is frequent in a language: its length, and its documents; `of` says what it is a sequence of."""

    segment: str
    length: int
    count: int
    documents: int
    of: str = "words"
    language: str = ""


class PageSegmentRow(msgspec.Struct, frozen=True, gc=False):
    """A segment of the corpus in a document: its length, and how often the document has it."""

    document: str
    segment: str
    length: int
    count: int
    of: str = "words"
    language: str = ""


class PhraseRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A noun phrase as it is first written, counted by its lemmas; `pattern` are the categories of its words."""

    phrase: str
    lemmas: str
    pattern: str
    length: int
    count: int
    documents: int
    language: str
    example: str


def segment_query(row: Row) -> str:
    """The query for a sequence of words, lemmas or categories; "" for one of characters, or too many tokens."""
    tokens, of = str(row["segment"]).split(" "), str(row["of"])
    if len(tokens) > _MOST_TOKENS or of == "characters":
        return ""
    if of == "words" and all(token.isalnum() for token in tokens):
        return " ".join(tokens)
    writers: dict[str, Callable[[str], str]] = {"words": of_form, "lemmas": of_lemma, "categories": of_category}
    write = writers.get(of)
    return " ".join(map(write, tokens)) if write else ""


def phrase_query(row: Row) -> str:
    """The query for the lemmas of a phrase in their categories."""
    lemmas, categories = str(row["lemmas"]).split(" "), str(row["pattern"]).split(" ")
    return " ".join(map(of_lemma, lemmas, categories)) if len(lemmas) == len(categories) else ""


TABLES = (
    Table(
        name="segments",
        title=Wording(en="Segments", es="Segmentos"),
        about=Wording(
            en="Sequences of words, lemmas, categories or characters that are frequent. Copies are counted once.",
            es="Secuencias frecuentes de palabras, lemas, categorías o caracteres. Las copias cuentan una vez.",
        ),
        order='count DESC, length DESC, segment, "of", language',
        home_first=True,
        group="together",
        analyses=("segments",),
        row=SegmentRow,
        made=FromTokens("trasmallo.results.builders.sequences:segment_rows"),
        layered=Layered(("segment", "of", "language"), "trasmallo.results.layers.segments:of_segments"),
        links={
            **dict.fromkeys(("segment", "count"), ConcordanceCell(segment_query)),
            "documents": Rows("segments_by_page", ("segment=$segment", "of=$of", "language=$language"), sort="-count"),
        },
    ),
    Table(
        name="segments_by_page",
        title=Wording(en="Segments by page", es="Segmentos por página"),
        about=Wording(
            en="The segments of every document: which of those of the corpus it has, and how often. Copies are left out.",
            es="Los segmentos de cada documento: cuáles de los del corpus tiene y cuántas veces. Sin las copias.",
        ),
        order='document, "of", count DESC, length DESC, segment, language',
        group="together",
        analyses=("segments",),
        row=PageSegmentRow,
        made=FromTokens("trasmallo.results.builders.page_segments:segments_by_page", beside="segments"),
        layered=Layered(
            ("document", "segment", "of", "language"), "trasmallo.results.layers.segments:of_pages", after=("segments",)
        ),
        links={
            "segment": ConcordanceCell(segment_query),
            "count": ConcordanceCell(segment_query, ("document=$document",)),
        },
    ),
    Table(
        name="phrases",
        title=Wording(en="Phrases", es="Sintagmas"),
        about=Wording(
            en="Noun phrases, counted by their lemmas, with categories and an example. Copies are counted once.",
            es="Sintagmas nominales, contados por sus lemas, con categorías y un ejemplo. Las copias cuentan una vez.",
        ),
        order="count DESC, length DESC, phrase, lemmas, language",
        home_first=True,
        group="together",
        analyses=("lemmas",),
        row=PhraseRow,
        deferred=True,
        made=FromTokens("trasmallo.results.builders.categories:phrase_rows"),
        links=dict.fromkeys(("phrase", "count"), ConcordanceCell(phrase_query)),
    ),
)
