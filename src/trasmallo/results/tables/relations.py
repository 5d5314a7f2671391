"""Words and categories that go together, and how strongly they attract (`study.association`)."""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import ConcordanceCell, Row, lemma_page, of_category, word_page
from trasmallo.results.registry import FromTokens, Table, Wording


class CollocationRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Two words of a language that stand near each other, in this order, and how strongly they attract."""

    first: str
    second: str
    count: int
    log_likelihood: float
    mi: float
    mi3: float
    t: float
    log_dice: float
    delta_p: float
    delta_p_back: float
    language: str


class PatternRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Two lemmas at the ends of what a pattern of categories matches, and how strongly they attract; with an example."""

    pattern: str
    first: str
    second: str
    language: str
    example: str
    count: int
    log_likelihood: float
    mi: float
    mi3: float
    t: float
    log_dice: float
    delta_p: float
    delta_p_back: float


class CategoryPairRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A category that stands so many tokens after another in a sentence; `sentences` have both, wherever they stand."""

    first: str
    second: str
    distance: int
    count: int
    sentences: int
    log_likelihood: float
    mi: float
    mi3: float
    t: float
    log_dice: float
    delta_p: float
    delta_p_back: float


class RegimeRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A preposition that a word governs: how often, in which share of the word's occurrences, how strongly, and an example."""

    word: str
    category: str
    preposition: str
    count: int
    share: float
    log_likelihood: float
    example: str
    language: str


def category_pair_query(row: Row) -> str:
    """The query for two categories at their distance."""
    distance = int(row["distance"] or 1)
    between = f" []{{{distance - 1}}}" if distance > 1 else ""
    return f"{of_category(str(row['first']))}{between} {of_category(str(row['second']))} within s"


TABLES = (
    Table(
        name="collocations",
        title=Wording(en="Collocations", es="Colocaciones"),
        about=Wording(
            en="Words that stand near each other, and how strongly they attract. Copies are counted once.",
            es="Palabras que aparecen cerca y la fuerza con que se atraen. Las copias cuentan una vez.",
        ),
        order="log_dice DESC, count DESC, first, second, language",
        home_first=True,
        group="together",
        analyses=("collocations",),
        over_time={"first": "word", "second": "word"},
        row=CollocationRow,
        brief=("first", "second", "count", "log_dice", "log_likelihood", "mi", "t", "delta_p", "delta_p_back", "language"),
        deferred=True,
        made=FromTokens("trasmallo.results.builders.sequences:collocations_of"),
        links={
            "first": word_page("first"),
            "second": word_page("second"),
            "count": ConcordanceCell("[word==$first%c] []{0,4} [word==$second%c] within s"),
        },
    ),
    Table(
        name="collocations_by_pattern",
        title=Wording(en="Pairs by pattern", es="Parejas por patrón"),
        about=Wording(
            en="Lemmas at the ends of patterns such as noun and adjective. Copies are counted once.",
            es="Lemas en los extremos de patrones como nombre y adjetivo. Las copias cuentan una vez.",
        ),
        order="log_dice DESC, count DESC, first, second, pattern, language",
        home_first=True,
        group="together",
        analyses=("collocations",),
        over_time={"first": "lemma", "second": "lemma"},
        row=PatternRow,
        deferred=True,
        made=FromTokens("trasmallo.results.builders.categories:pattern_rows"),
        links={
            "first": lemma_page("first"),
            "second": lemma_page("second"),
            "count": ConcordanceCell("[lemma==$first] []{0,4} [lemma==$second] within s"),
        },
    ),
    Table(
        name="category_pairs",
        title=Wording(en="Category pairs", es="Parejas de categorías"),
        about=Wording(
            en="Which categories follow which at what distance, and share sentences. Copies are counted once.",
            es="Qué categorías siguen a cuáles, a qué distancia, y comparten oración. Las copias cuentan una vez.",
        ),
        order="count DESC, distance, first, second",
        group="together",
        analyses=("lemmas",),
        row=CategoryPairRow,
        deferred=True,
        made=FromTokens("trasmallo.results.builders.categories:category_pair_rows"),
        links={
            "first": ConcordanceCell("[pos==$first]"),
            "second": ConcordanceCell("[pos==$second]"),
            "count": ConcordanceCell(category_pair_query),
        },
    ),
    Table(
        name="regimes",
        title=Wording(en="Regimes", es="Regímenes"),
        about=Wording(
            en="Which prepositions verbs, nouns and adjectives govern. Copies are counted once.",
            es="Qué preposiciones rigen verbos, nombres y adjetivos. Las copias cuentan una vez.",
        ),
        order="log_likelihood DESC, count DESC, word, preposition, language",
        home_first=True,
        group="together",
        analyses=("lemmas",),
        over_time={"word": "lemma"},
        row=RegimeRow,
        deferred=True,
        made=FromTokens("trasmallo.results.builders.sequences:regime_rows"),
        links={
            "word": lemma_page("word"),
            "count": ConcordanceCell("[lemma==$word & pos==$category] []{0,3} [lemma==$preposition] within s"),
        },
    ),
)
