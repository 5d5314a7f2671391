"""Pairs of words in grammatical relations, of which word sketches are made."""

from __future__ import annotations

import re
from collections.abc import Iterator

import msgspec

from trasmallo.results.cells import ConcordanceCell, Row, lemma_page, of_category, of_lemma
from trasmallo.results.registry import FromTokens, Table, Wording
from trasmallo.study.sketches import Relation, relations_of

_PIECE = re.compile(r"\s*(\([^()]*\)[?*+]?|[\w-]+[?*+]?)")
_CATEGORY = re.compile(r"[\w-]+")


class SketchRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Two lemmas in a grammatical relation: the head governs the dependent, with the word `between` in some relations."""

    relation: str
    head: str
    head_category: str
    between: str
    dependent: str
    dependent_category: str
    count: int
    log_dice: float
    log_likelihood: float
    language: str


def pair_query(row: Row) -> str:
    """The query for the lines of a pair: the patterns of its relation, with both lemmas at their ends."""
    ways = [way for relation in _relations(row) for way in _ways(relation, row)]
    return f"{ways[0] if len(ways) == 1 else '(' + ' | '.join(ways) + ')'} within s" if ways else ""


def _relations(row: Row) -> list[Relation]:
    wanted = (row["relation"], row["head_category"], row["dependent_category"])
    found = relations_of(str(row["language"]))
    return [relation for relation in found if (relation.name, relation.head, relation.dependent) == wanted]


def _ways(relation: Relation, row: Row) -> Iterator[str]:
    head, dependent, between = str(row["head"]), str(row["dependent"]), str(row["between"])
    for pattern, first, last in (
        *((pattern, head, dependent) for pattern in relation.patterns),
        *((pattern, dependent, head) for pattern in relation.reversed),
    ):
        pieces = [found[1] for found in _PIECE.finditer(pattern)]
        inner = [_token(piece, between if piece == relation.between else "") for piece in pieces[1:-1]]
        # A word between that the pattern need not have is no way to this pair, nor is one that it must have to a pair without.
        if (relation.between in pieces) == bool(between):
            yield " ".join([_token(pieces[0], first), *inner, _token(pieces[-1], last)])


def _token(piece: str, lemma: str = "") -> str:
    """A piece of a pattern of categories in the language of queries, with a lemma if one is given."""
    names = _CATEGORY.findall(piece)
    if lemma:
        both = [of_lemma(lemma, name, any_case=name == "PROPN") for name in names]  # names are lemmas with their capitals
        return both[0] if len(both) == 1 else f"({' | '.join(both)})"
    return _CATEGORY.sub(lambda name: of_category(name[0]), piece)


TABLES = (
    Table(
        name="sketches",
        title=Wording(en="Word sketches", es="Combinatoria"),
        about=Wording(
            en="Words that govern others as subject, object, modifier or complement. Copies are counted once.",
            es="Palabras que rigen a otras como sujeto, objeto, modificador o complemento. Las copias cuentan una vez.",
        ),
        order="log_dice DESC, count DESC, head, dependent, relation, head_category, between, language",
        home_first=True,
        group="together",
        analyses=("collocations",),
        over_time={"head": "lemma", "dependent": "lemma"},
        row=SketchRow,
        deferred=True,
        made=FromTokens("trasmallo.results.builders.sketches:sketch_pairs"),
        links={
            "head": lemma_page("head"),
            "dependent": lemma_page("dependent"),
            "count": ConcordanceCell(pair_query),
        },
    ),
)
