"""Lemmas and categories: of the corpus, of each document, of each site.

Those of sites and categories are made of the lemmas of each page in numbers, where copies are left out.
"""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import ConcordanceCell, Rows, lemma_page
from trasmallo.results.registry import FromTables, FromTokens, Layered, Table, Wording


class LemmaRow(msgspec.Struct, frozen=True, gc=False):
    """A lemma of a language in one of its categories."""

    lemma: str
    category: str
    count: int
    documents: int
    language: str


class PageLemmaRow(msgspec.Struct, frozen=True, gc=False):
    """A lemma of a document in one of its categories and languages."""

    document: str
    lemma: str
    category: str
    count: int
    language: str


class SiteLemmaRow(msgspec.Struct, frozen=True, gc=False):
    """A lemma of a site in one of its categories and languages."""

    host: str
    lemma: str
    category: str
    count: int
    documents: int
    language: str


class CategoryRow(msgspec.Struct, frozen=True, gc=False):
    """A category of the corpus, how many lemmas have it, and its share of all words."""

    category: str
    count: int
    documents: int
    lemmas: int
    share: float


class PageCategoryRow(msgspec.Struct, frozen=True, gc=False):
    """A category of a document and its share of the document's words."""

    document: str
    category: str
    count: int
    share: float


class SiteCategoryRow(msgspec.Struct, frozen=True, gc=False):
    """A category of a site and its share of the site's words."""

    host: str
    category: str
    count: int
    documents: int
    share: float


_LEMMAS_BY_SITE = """
    WITH here AS (
        SELECT p.host, l.lemma, l.category, l.language, sum(l.count) AS count, count(*) AS documents
        FROM lemmas_by_page_numbers l JOIN lemmas_by_page_document d ON d.number = l.document
        JOIN all_pages p ON p.document = d.text GROUP BY p.host, l.lemma, l.category, l.language
    )
    SELECT host, l.text AS lemma, c.text AS category, CAST(count AS BIGINT) AS count, documents, s.text AS language
    FROM here JOIN lemmas_by_page_lemma l ON l.number = lemma JOIN lemmas_by_page_category c ON c.number = category
    JOIN lemmas_by_page_language s ON s.number = here.language"""
_OF_PAGES = """here AS (
        SELECT document, category, sum(count) AS count FROM lemmas_by_page_numbers GROUP BY document, category
    )"""
_CATEGORIES = f"""
    WITH {_OF_PAGES}, lemmas AS (
        SELECT category, count(DISTINCT lemma) AS lemmas FROM lemmas_by_page_numbers GROUP BY category
    )
    SELECT c.text AS category, CAST(sum(count) AS BIGINT) AS count, count(*) AS documents, any_value(lemmas) AS lemmas,
           sum(count) / sum(sum(count)) OVER () AS share
    FROM here JOIN lemmas USING (category) JOIN lemmas_by_page_category c ON c.number = category
    GROUP BY c.text"""  # noqa: S608 - all of it is ours
_CATEGORIES_BY_SITE = f"""
    WITH {_OF_PAGES}
    SELECT p.host, c.text AS category, CAST(sum(count) AS BIGINT) AS count, count(*) AS documents,
           sum(count) / sum(sum(count)) OVER (PARTITION BY p.host) AS share
    FROM here JOIN lemmas_by_page_category c ON c.number = category
    JOIN lemmas_by_page_document d ON d.number = here.document JOIN all_pages p ON p.document = d.text
    GROUP BY p.host, c.text"""  # noqa: S608 - all of it is ours
_CATEGORIES_BY_PAGE = f"""
    WITH {_OF_PAGES}
    SELECT d.text AS document, c.text AS category, CAST(count AS BIGINT) AS count,
           count / sum(count) OVER (PARTITION BY here.document) AS share
    FROM here JOIN lemmas_by_page_category c ON c.number = category
    JOIN lemmas_by_page_document d ON d.number = here.document"""  # noqa: S608 - all of it is ours

_LEMMA, _CATEGORY = "[lemma==$lemma & pos==$category]", "[pos==$category]"
_OF_PAGE, _OF_SITE = ("document=$document",), ("host=$host",)
_NEEDS = ("lemmas_by_page",)
_TOTALS, _BY_DOCUMENT = "trasmallo.results.layers.totals", "trasmallo.results.layers.by_document"

TABLES = (
    Table(
        name="lemmas",
        title=Wording(en="Lemmas", es="Lemas"),
        about=Wording(
            en="Every lemma of the corpus with its category: occurrences and documents. Copies are counted once.",
            es="Cada lema del corpus con su categoría: apariciones y documentos. Las copias cuentan una vez.",
        ),
        order="count DESC, lemma, category, language",
        home_first=True,
        group="lemmas",
        analyses=("lemmas",),
        over_time={"lemma": "lemma"},
        row=LemmaRow,
        made=FromTokens("trasmallo.results.builders.counts:lemmas"),
        layered=Layered(("lemma", "category", "language"), f"{_TOTALS}:of_tokens"),
        links={
            "lemma": lemma_page(),
            "count": ConcordanceCell(_LEMMA),
            "documents": Rows("lemmas_by_page", ("lemma=$lemma", "category=$category"), sort="-count"),
            "category": Rows("lemmas", ("category=$category",)),
        },
    ),
    Table(
        name="lemmas_by_page",
        title=Wording(en="Lemmas by page", es="Lemas por página"),
        about=Wording(
            en="Every lemma of every document with its category. Copies are left out.",
            es="Cada lema de cada documento con su categoría. Sin las copias.",
        ),
        order="document, count DESC, lemma, category, language",
        group="lemmas",
        analyses=("lemmas",),
        over_time={"lemma": "lemma"},
        row=PageLemmaRow,
        made=FromTokens(
            "trasmallo.results.builders.counts:lemmas_by_page", numbered=("document", "lemma", "category", "language")
        ),
        layered=Layered(("document",), f"{_BY_DOCUMENT}:of_tokens"),
        links={"lemma": lemma_page(), "count": ConcordanceCell(_LEMMA, _OF_PAGE)},
    ),
    Table(
        name="lemmas_by_site",
        title=Wording(en="Lemmas by site", es="Lemas por sitio"),
        about=Wording(
            en="Every lemma of every site: occurrences and documents. Copies are counted once.",
            es="Cada lema de cada sitio: apariciones y documentos. Las copias cuentan una vez.",
        ),
        order="host, count DESC, lemma, category, language",
        group="lemmas",
        analyses=("lemmas",),
        over_time={"lemma": "lemma"},
        row=SiteLemmaRow,
        made=FromTables(_LEMMAS_BY_SITE, _NEEDS),
        layered=Layered(("host", "lemma", "category", "language"), f"{_TOTALS}:of_sites"),
        links={"lemma": lemma_page(), "count": ConcordanceCell(_LEMMA, _OF_SITE)},
    ),
    Table(
        name="categories",
        title=Wording(en="Categories", es="Categorías"),
        about=Wording(
            en="Every category of the corpus: occurrences, documents, lemmas, share of all words. Copies are counted once.",
            es="Cada categoría del corpus: apariciones, documentos, lemas y proporción de las palabras. "
            "Las copias cuentan una vez.",
        ),
        order="count DESC, category",
        group="lemmas",
        analyses=("lemmas",),
        row=CategoryRow,
        made=FromTables(_CATEGORIES, _NEEDS),
        layered=Layered(("category",), f"{_TOTALS}:of_categories", after=("categories_by_site", "lemmas")),
        links={
            "category": ConcordanceCell(_CATEGORY),
            "count": ConcordanceCell(_CATEGORY),
            "lemmas": Rows("lemmas", ("category=$category",)),
            "documents": Rows("categories_by_page", ("category=$category",), sort="-count"),
        },
    ),
    Table(
        name="categories_by_page",
        title=Wording(en="Categories by page", es="Categorías por página"),
        about=Wording(
            en="Every category of every document: occurrences, share of its words. Copies are left out.",
            es="Cada categoría de cada documento: apariciones y proporción de sus palabras. Sin las copias.",
        ),
        order="document, count DESC, category",
        group="lemmas",
        analyses=("lemmas",),
        row=PageCategoryRow,
        made=FromTables(_CATEGORIES_BY_PAGE, _NEEDS),
        layered=Layered(("document",), f"{_BY_DOCUMENT}:of_categories"),
        links={"category": ConcordanceCell(_CATEGORY), "count": ConcordanceCell(_CATEGORY, _OF_PAGE)},
    ),
    Table(
        name="categories_by_site",
        title=Wording(en="Categories by site", es="Categorías por sitio"),
        about=Wording(
            en="Every category of every site: occurrences, documents, share of its words. Copies are counted once.",
            es="Cada categoría de cada sitio: apariciones, documentos y proporción de sus palabras. Las "
            "copias cuentan una vez.",
        ),
        order="host, count DESC, category",
        group="lemmas",
        analyses=("lemmas",),
        row=SiteCategoryRow,
        made=FromTables(_CATEGORIES_BY_SITE, _NEEDS),
        layered=Layered(("host",), f"{_TOTALS}:of_categories_of_sites", after=("categories_by_page",)),
        links={"category": ConcordanceCell(_CATEGORY), "count": ConcordanceCell(_CATEGORY, _OF_SITE)},
    ),
)
