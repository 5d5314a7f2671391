"""The rows of a run's result tables: what a worker writes for each page, a struct a table.

A table is born as JSON lines in parts and ends as Parquet; its columns are the fields of its struct. Rows hold texts and
numbers only, so the garbage collector need not look at them: there are many.
"""

from __future__ import annotations

from typing import get_type_hints

import msgspec


class PageRow(msgspec.Struct, frozen=True, gc=False):
    """One obtained page. `drop` says why it gave no document ("" when it did); times are seconds since 1970."""

    document: str
    url: str
    host: str
    at: float
    title: str
    language: str
    charset: str
    media: str
    size: int
    digest: str
    words: int = 0
    types: int = 0
    hapax: int = 0
    sentences: int = 0
    drop: str = ""
    cause: str = ""


class TextRow(msgspec.Struct, frozen=True, gc=False):
    """The main text of a document and the fingerprint that finds its copies (MinHash in hex).

    `own_language` is "" when the page did not show its language, so that the project's was taken.
    """

    document: str
    text: str
    signature: str
    own_language: str = ""


class WordRow(msgspec.Struct, frozen=True, gc=False):
    """A word of a document: how often, and how often with a capital inside a sentence."""

    document: str
    word: str
    count: int
    capitalised: int


class ProfileRow(msgspec.Struct, frozen=True, gc=False):
    """A part of a document, how many words it has, and how many of them are new there."""

    document: str
    part: int
    words: int
    new: int


class MeasureRow(msgspec.Struct, frozen=True, gc=False):
    """How rich and how readable a document is; empty where a measure is not made for its language or size."""

    document: str
    type_token_ratio: float
    guiraud: float
    herdan: float
    yule: float
    hapax_ratio: float
    mattr: float
    mtld: float | None
    syllables: int | None
    fernandez_huerta: float | None
    szigriszt: float | None
    gutierrez: float | None
    flesch: float | None
    kincaid: float | None


class LanguageRow(msgspec.Struct, frozen=True, gc=False):
    """What a document has in a language: blocks with text, words, characters."""

    document: str
    language: str
    blocks: int
    words: int
    characters: int


class LinkRow(msgspec.Struct, frozen=True, gc=False):
    """A link of a document. `site` is the registered domain it leads to, `own` whether that is the document's own.

    `place` is where it stands (`crawl.discover.places`), `aside` why it counts neither for ranks nor for anchors: nofollow,
    comments, trackback or unseen; "" when it counts.
    """

    document: str
    url: str
    anchor: str
    rel: str
    site: str = ""
    own: bool = False
    place: str = ""
    aside: str = ""


class AnchorRow(msgspec.Struct, frozen=True, gc=False):
    """What links say of an address: so many links from so many sites, of its own site and of others.

    `document` is "" when the address gave none.
    """

    url: str
    anchor: str
    links: int
    sites: int
    own: int
    foreign: int
    document: str


class RankRow(msgspec.Struct, frozen=True, gc=False):
    """How a document stands among the others: pages that link to it from its own site and others, and its ranks.

    `outlinks` are documents it links to, `dangling` its links that lead to none. PageRank, hubs and authorities add up to 1.
    """

    url: str
    pagerank: float
    inlinks_own: int
    inlinks_foreign: int
    outlinks: int
    dangling: int
    hub: float
    authority: float
    document: str


class FarmRow(msgspec.Struct, frozen=True, gc=False):
    """A member of a group whose links look arranged (`study.graph.farms`): sites, or two pages in a cycle.

    `links` are those inside the group, or those that most of it have; `density` is the share of its pairs that link both ways,
    `inside` the share of its links that stay in it.
    """

    farm: int
    kind: str
    member: str
    members: int
    links: int
    density: float
    inside: float


class SegmentRow(msgspec.Struct, frozen=True, gc=False):
    """A sequence that is frequent: its length, and in how many documents it is; `of` says what it is a sequence of."""

    segment: str
    length: int
    count: int
    documents: int
    of: str = "words"


class PhraseRow(msgspec.Struct, frozen=True, gc=False):
    """A noun phrase as it is first written, counted by its lemmas; `pattern` are the categories of its words."""

    phrase: str
    lemmas: str
    pattern: str
    length: int
    count: int
    documents: int
    language: str
    example: str


class CollocationRow(msgspec.Struct, frozen=True, gc=False):
    """Two words that stand near each other, in this order, and how strongly they attract; see `study.association`."""

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


class PatternRow(msgspec.Struct, frozen=True, gc=False):
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


class CategoryPairRow(msgspec.Struct, frozen=True, gc=False):
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


class RegimeRow(msgspec.Struct, frozen=True, gc=False):
    """A preposition that a word governs: how often, in which share of the word's occurrences, how strongly, and an example."""

    word: str
    category: str
    preposition: str
    count: int
    share: float
    log_likelihood: float
    example: str
    language: str


class LemmaRow(msgspec.Struct, frozen=True, gc=False):
    """A lemma in one of its categories."""

    lemma: str
    category: str
    count: int
    documents: int


class CategorisedRow(msgspec.Struct, frozen=True, gc=False):
    """A word in one of its categories."""

    word: str
    category: str
    count: int
    documents: int


class PageLemmaRow(msgspec.Struct, frozen=True, gc=False):
    """A lemma of a document in one of its categories."""

    document: str
    lemma: str
    category: str
    count: int


class FieldRow(msgspec.Struct, frozen=True, gc=False):
    """A named part of a page: title, heading, emphasis, address (its words), depth, day, comments, or a meta element's name."""

    document: str
    name: str
    text: str


class UnknownRow(msgspec.Struct, frozen=True, gc=False):
    """An occurrence of a word that nobody lists: its kind, the word that a misspelling stands for, and its surroundings."""

    document: str
    word: str
    kind: str
    nearest: str
    start: int
    context: str


TABLES: dict[str, type[msgspec.Struct]] = {
    "pages": PageRow,
    "texts": TextRow,
    "profiles": ProfileRow,
    "measures": MeasureRow,
    "languages": LanguageRow,
    "links": LinkRow,
    "fields": FieldRow,
    "unknown": UnknownRow,
}
"""What a part holds, a file a table."""

COMPUTED: dict[str, type[msgspec.Struct]] = {
    "lemmas": LemmaRow,
    "lemmas_by_page": PageLemmaRow,
    "words_by_page": WordRow,
    "words_by_category": CategorisedRow,
    "segments": SegmentRow,
    "phrases": PhraseRow,
    "collocations": CollocationRow,
    "collocations_by_pattern": PatternRow,
    "category_pairs": CategoryPairRow,
    "regimes": RegimeRow,
}
"""What is made of the tokens of all documents together."""

LINKED: dict[str, type[msgspec.Struct]] = {"anchors": AnchorRow, "ranks": RankRow, "farms": FarmRow}
"""What is made of the links of all documents together."""

_SQL: dict[object, str] = {str: "VARCHAR", int: "BIGINT", float: "DOUBLE", bool: "BOOLEAN"}
_SQL |= {int | None: "BIGINT", float | None: "DOUBLE"}


def columns(table: str) -> dict[str, str]:
    """Names and SQL types of a table's columns."""
    return {name: _SQL[kind] for name, kind in get_type_hints((TABLES | COMPUTED | LINKED)[table]).items()}
