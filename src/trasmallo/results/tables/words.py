"""Words: of the corpus, of each document, of each site, by category, and how evenly they are spread; each in its language.

Tables of the whole corpus leave out the words of `frequent` (`results.frequent_words`). They are made of the words of each page
in numbers, where copies are left out.
"""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import CellLink, ConcordanceCell, Rows, word_page
from trasmallo.results.registry import FromTables, FromTokens, Layered, Table, Wording


class WordRow(msgspec.Struct, frozen=True, gc=False):
    """A word of a document in one of its languages: how often, and how often with a capital inside a sentence.

    `code` is the one it has in `words`.
    """

    document: str
    word: str
    count: int
    capitalised: int
    language: str = ""
    code: int = 0


class CorpusWordRow(msgspec.Struct, frozen=True, gc=False):
    """A word of a language, how often it has a capital inside a sentence, and in how many documents and sites it is.

    `code` is the one it has in `words_by_page`, `categories` those that it has here, the most frequent first.
    """

    word: str
    count: int
    capitalised: int
    documents: int
    sites: int
    language: str
    code: int = 0
    categories: str = ""


class SiteWordRow(msgspec.Struct, frozen=True, gc=False):
    """A word of a site in one of its languages."""

    host: str
    word: str
    count: int
    documents: int
    language: str


class CategorisedRow(msgspec.Struct, frozen=True, gc=False):
    """A word of a language in one of its categories."""

    word: str
    category: str
    count: int
    documents: int
    language: str


class DispersionRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """How evenly a word is spread: Juilland's D (None for a single document), DP of Gries, and DP as a share of its maximum."""

    word: str
    count: int
    documents: int
    juilland: float | None
    dp: float
    dp_norm: float
    language: str


_CODE = "CAST(md5_number_lower({word} || chr(10) || {language}) >> 11 AS BIGINT)"
CODE = _CODE.format(word="word", language="language")
"""The code of a word of a language: 53 bits, so that it is the same in every run and exact in every program. Of a million words
two have the same once in 20,000 collections."""

_OF_SITES = """here AS (
        SELECT w.word AS number, any_value(w.language) AS language, p.host, sum(w.count) AS count,
               sum(w.capitalised) AS capitalised, count(*) AS documents
        FROM words_by_page_numbers w JOIN words_by_page_document d ON d.number = w.document
        JOIN all_pages p ON p.document = d.text GROUP BY w.word, p.host
    )"""
_WORDS = f"""
    WITH {_OF_SITES}, totals AS (
        SELECT number, any_value(language) AS language, sum(count) AS count, sum(capitalised) AS capitalised,
               sum(documents) AS documents, count(*) AS sites
        FROM here GROUP BY number
    ), used_as AS (
        SELECT word, language, string_agg(category, ' ' ORDER BY count DESC, category) AS categories
        FROM words_by_category GROUP BY word, language
    )
    SELECT w.text AS word, CAST(count AS BIGINT) AS count, CAST(capitalised AS BIGINT) AS capitalised,
           CAST(documents AS BIGINT) AS documents, sites, l.text AS language,
           {_CODE.format(word="w.text", language="l.text")} AS code,
           coalesce(categories, '') AS categories
    FROM totals JOIN words_by_page_word w USING (number) JOIN words_by_page_language l ON l.number = totals.language
    LEFT JOIN used_as u ON u.word = w.text AND u.language = l.text
    WHERE w.text NOT IN (SELECT word FROM frequent)"""  # noqa: S608
_BY_SITE = f"""
    WITH {_OF_SITES}
    SELECT host, w.text AS word, CAST(count AS BIGINT) AS count, documents, l.text AS language
    FROM here JOIN words_by_page_word w USING (number) JOIN words_by_page_language l ON l.number = here.language
    WHERE w.text NOT IN (SELECT word FROM frequent)"""  # noqa: S608
# Juilland, Chang-Rodríguez (1964) for D, Gries (2008) and Lijffijt, Gries (2012) for DP and its normalised form.
_DISPERSION = """
    WITH parts AS (
        SELECT d.number AS document, words FROM all_pages p LEFT JOIN words_by_page_document d ON d.text = p.document
        WHERE drop = '' AND words > 0 AND p.document NOT IN (SELECT document FROM copies)
    ), corpus AS (SELECT count(*) AS n, sum(words) AS total, min(words) / sum(words) AS smallest FROM parts),
    used AS (
        SELECT word, language, count, words / total AS share, count / words AS rate
        FROM words_by_page_numbers JOIN parts USING (document), corpus
    ), totals AS (
        SELECT word, any_value(language) AS language, CAST(sum(count) AS BIGINT) AS count, count(*) AS documents,
               sum(rate) AS rates, sum(rate * rate) AS squares
        FROM used GROUP BY word
    ), apart AS (
        SELECT word, (sum(abs(u.count / t.count - u.share)) + 1 - sum(u.share)) / 2 AS dp
        FROM used u JOIN totals t USING (word) GROUP BY word
    )
    SELECT w.text AS word, count, documents,
           CASE WHEN n > 1 THEN greatest(
               1 - sqrt(greatest(squares / n - (rates / n) ** 2, 0)) / (rates / n) / sqrt(n - 1), 0) END AS juilland,
           least(dp, 1) AS dp, CASE WHEN smallest < 1 THEN least(dp / (1 - smallest), 1) ELSE 0 END AS dp_norm,
           l.text AS language
    FROM totals JOIN apart USING (word) JOIN words_by_page_word w ON w.number = word
    JOIN words_by_page_language l ON l.number = totals.language, corpus
    WHERE w.text NOT IN (SELECT word FROM frequent)"""

_TOTALS = "trasmallo.results.layers.totals"
_HITS = ConcordanceCell("$word")
WORD_LINKS: dict[str, CellLink] = {
    "word": word_page(),
    "count": _HITS,
    "documents": Rows("words_by_page", ("word=$word",), sort="-count"),
    "sites": Rows("words_by_site", ("word=$word",), sort="-count"),
}
"""What is behind a word of the corpus, its occurrences, documents and sites."""

TABLES = (
    Table(
        name="words",
        title=Wording(en="Words", es="Palabras"),
        about=Wording(
            en="Every word of the corpus in its language: occurrences, documents and sites. Copies are counted once, and "
            "a word of two languages has two rows.",
            es="Cada palabra del corpus en su idioma: apariciones, documentos y sitios. Las copias cuentan una vez, y una "
            "palabra de dos idiomas tiene dos filas.",
        ),
        order="count DESC, word, language",
        home_first=True,
        group="words",
        analyses=("words",),
        over_time={"word": "word"},
        row=CorpusWordRow,
        brief=("word", "count", "documents", "sites", "capitalised", "language", "categories"),
        made=FromTables(_WORDS, needs=("words_by_page", "words_by_category")),
        added=("code", "categories", "language"),
        computed={"code": CODE},
        layered=Layered(
            ("word", "language"), f"{_TOTALS}:of_words", after=("words_by_site", "words_by_category", "words_by_page")
        ),
        links=WORD_LINKS | {"categories": Rows("words_by_category", ("word=$word", "language=$language"))},
    ),
    Table(
        name="words_by_page",
        title=Wording(en="Words by page", es="Palabras por página"),
        about=Wording(
            en="Every word of every document. Copies are left out.", es="Cada palabra de cada documento. Sin las copias."
        ),
        order="document, count DESC, word, language",
        group="words",
        analyses=("words",),
        over_time={"word": "word"},
        row=WordRow,
        made=FromTokens("trasmallo.results.builders.counts:words_by_page", numbered=("document", "word", "language")),
        added=("code", "language"),
        computed={"code": CODE},
        layered=Layered(("document",), "trasmallo.results.layers.by_document:of_tokens"),
        links={
            "word": word_page(),
            "count": ConcordanceCell("$word", ("document=$document",)),
            "code": Rows("words", ("code=$code",)),
        },
    ),
    Table(
        name="words_by_site",
        title=Wording(en="Words by site", es="Palabras por sitio"),
        about=Wording(
            en="Every word of every site: occurrences and documents. Copies are counted once.",
            es="Cada palabra de cada sitio: apariciones y documentos. Las copias cuentan una vez.",
        ),
        order="host, count DESC, word, language",
        group="words",
        analyses=("words",),
        over_time={"word": "word"},
        row=SiteWordRow,
        made=FromTables(_BY_SITE, needs=("words_by_page",)),
        layered=Layered(("host", "word", "language"), f"{_TOTALS}:of_sites"),
        links={"word": word_page(), "count": ConcordanceCell("$word", ("host=$host",))},
    ),
    Table(
        name="words_by_category",
        title=Wording(en="Words by category", es="Palabras por categoría"),
        about=Wording(
            en="Every word in each of its categories: occurrences and documents. Copies are counted once.",
            es="Cada palabra en cada una de sus categorías: apariciones y documentos. Las copias cuentan una vez.",
        ),
        order="count DESC, word, category, language",
        home_first=True,
        group="words",
        analyses=("words",),
        over_time={"word": "word"},
        row=CategorisedRow,
        made=FromTokens("trasmallo.results.builders.counts:words_by_category"),
        layered=Layered(("word", "category", "language"), f"{_TOTALS}:of_tokens"),
        links={
            "word": word_page(),
            "count": ConcordanceCell("[word==$word%c & pos==$category]"),
            "category": ConcordanceCell("[pos==$category]"),
        },
    ),
    Table(
        name="dispersion",
        title=Wording(en="Dispersion", es="Dispersión"),
        about=Wording(
            en="How evenly each word is spread over the documents: Juilland's D, DP of Gries and its normalised form.",
            es="Cómo de repartida está cada palabra entre los documentos: D de Juilland, DP de Gries y su forma normalizada.",
        ),
        order="count DESC, word, language",
        home_first=True,
        group="words",
        analyses=("words",),
        over_time={"word": "word"},
        row=DispersionRow,
        deferred=True,
        made=FromTables(_DISPERSION, needs=("words_by_page",)),
        links={column: WORD_LINKS[column] for column in ("word", "count", "documents")},
    ),
)
