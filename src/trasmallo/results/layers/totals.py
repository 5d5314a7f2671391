"""Tables of totals: what was removed is taken from the figures before, what was added is put to them; whole numbers, exact.

Only keys that occur in documents that changed are looked at. What is not a sum (sites of a word, its categories, shares) is
made again for these keys, of tables that have changed already.
"""

from __future__ import annotations

from collections.abc import Sequence

from trasmallo.results.layers.changes import Changes, TableChange
from trasmallo.results.registry import Table
from trasmallo.results.tables.words import CODE

_SUMS = ("count", "documents")
_OF_SITES = """
    SELECT p.host, {keys}, sum(t.count) AS count, count(*) AS documents
    FROM ({rows}) t JOIN {pages} p USING (document) GROUP BY p.host, {keys}"""
_REMOVED_ROWS = "SELECT * FROM base_{table} SEMI JOIN removed_documents USING (document)"


def of_tokens(changes: Changes, table: Table) -> TableChange:
    """Totals of words or lemmas in their categories, counted in the documents that changed alone."""
    added, removed = changes.built(table.name, "added"), changes.built(table.name, "removed")
    return _summed(changes, table, added, removed)


def of_sites(changes: Changes, table: Table) -> TableChange:
    """Totals of sites, from the words or lemmas of the documents that changed."""
    return _of_sites(changes, table, table.name.replace("_site", "_page"))


def _of_sites(changes: Changes, table: Table, by_page: str) -> TableChange:
    assert table.layered, "it has keys"
    keys = ", ".join(f"t.{name}" for name in table.layered.keys if name != "host")
    removed = _OF_SITES.format(keys=keys, rows=_REMOVED_ROWS.format(table=by_page), pages="base_pages")
    added = _OF_SITES.format(keys=keys, rows=changes.built(by_page, "added"), pages="all_pages")
    return _summed(changes, table, added, removed)


def _summed(changes: Changes, table: Table, added: str, removed: str) -> TableChange:
    """A table whose figures are `_SUMS`, from rows of what was added and removed."""
    assert table.layered, "it has keys"
    _keep_delta(changes, table.name, table.layered.keys, _SUMS, added, removed)
    keys = ", ".join(f"d.{name}" for name in table.layered.keys)
    figures = ", ".join(f"CAST(coalesce(b.{name}, 0) + d.{name} AS BIGINT) AS {name}" for name in _SUMS)
    joined = f"delta_{table.name} d LEFT JOIN base_{table.name} b USING ({', '.join(table.layered.keys)})"
    return TableChange(
        f"SELECT {', '.join(table.layered.keys)} FROM delta_{table.name}",  # noqa: S608 - all of it is ours
        f"SELECT {keys}, {figures} FROM {joined} WHERE coalesce(b.count, 0) + d.count > 0",  # noqa: S608 - as above
    )


def _keep_delta(changes: Changes, name: str, keys: Sequence[str], sums: Sequence[str], added: str, removed: str) -> None:
    """Have `delta_NAME`: by how much the figures of each key change, without those that stay the same."""
    listed, less = ", ".join(keys), ", ".join(f"-{one} AS {one}" for one in sums)
    summed = ", ".join(f"CAST(sum({one}) AS BIGINT) AS {one}" for one in sums)
    both = f"SELECT {listed}, {', '.join(sums)} FROM ({added}) UNION ALL SELECT {listed}, {less} FROM ({removed})"  # noqa: S608
    differs = " OR ".join(f"sum({one}) <> 0" for one in sums)
    changes.keep(f"delta_{name}", f"SELECT {listed}, {summed} FROM ({both}) GROUP BY {listed} HAVING {differs}")  # noqa: S608


# A word may only have moved from one site, or category, to another.
_WORDS_CHANGED = " UNION ".join(
    f"SELECT word, language FROM delta_{name}"  # noqa: S608 - all of it is ours
    for name in ("words", "words_by_site", "words_by_category")
)
# A word of a site that had none before has one site more.
_WORDS = f"""
    WITH changed AS ({_WORDS_CHANGED}), sites AS (
        SELECT d.word, d.language, CAST(sum(CASE WHEN b.count IS NULL THEN 1 WHEN b.count + d.count = 0 THEN -1 ELSE 0 END)
                                        AS BIGINT) AS sites
        FROM delta_words_by_site d LEFT JOIN base_words_by_site b USING (host, word, language) GROUP BY d.word, d.language
    ), used_as AS (
        SELECT word, language, string_agg(category, ' ' ORDER BY count DESC, category) AS categories
        FROM words_by_category SEMI JOIN changed USING (word, language) GROUP BY word, language
    )
    SELECT word, coalesce(b.count, 0) + coalesce(d.count, 0) AS count,
           coalesce(b.capitalised, 0) + coalesce(d.capitalised, 0) AS capitalised,
           coalesce(b.documents, 0) + coalesce(d.documents, 0) AS documents,
           coalesce(b.sites, 0) + coalesce(s.sites, 0) AS sites, language, {CODE} AS code,
           coalesce(u.categories, '') AS categories
    FROM changed LEFT JOIN base_words b USING (word, language) LEFT JOIN delta_words d USING (word, language)
    LEFT JOIN sites s USING (word, language) LEFT JOIN used_as u USING (word, language)
    WHERE coalesce(b.count, 0) + coalesce(d.count, 0) > 0"""  # noqa: S608 - all of it is ours
_COUNTED = """SELECT word, language, sum(count) AS count, sum(capitalised) AS capitalised, count(*) AS documents
              FROM ({rows}) GROUP BY word, language"""


def of_words(changes: Changes, _table: Table) -> TableChange:
    """The words of the corpus, after those of sites and of categories."""
    added = _COUNTED.format(rows=changes.built("words_by_page", "added"))
    removed = _COUNTED.format(rows=_REMOVED_ROWS.format(table="words_by_page"))
    _keep_delta(changes, "words", ("word", "language"), ("count", "capitalised", "documents"), added, removed)
    return TableChange(_WORDS_CHANGED, _WORDS)


# All categories of a site are shares of the same words.
_SITES = "SELECT DISTINCT host FROM delta_categories_by_site"
_CATEGORIES_OF_SITES = f"""
    WITH sums AS (
        SELECT host, category, sum(count) AS count, CAST(sum(documents) AS BIGINT) AS documents FROM (
            SELECT host, category, count, documents FROM base_categories_by_site SEMI JOIN ({_SITES}) USING (host)
            UNION ALL SELECT host, category, count, documents FROM delta_categories_by_site)
        GROUP BY host, category HAVING sum(count) > 0)
    SELECT host, category, CAST(count AS BIGINT) AS count, documents, count / sum(count) OVER (PARTITION BY host) AS share
    FROM sums"""  # noqa: S608 - all of it is ours


def of_categories_of_sites(changes: Changes, table: Table) -> TableChange:
    """The categories of sites, with their shares."""
    rows = {
        pages: f"SELECT p.host, t.category, sum(t.count) AS count, count(*) AS documents "  # noqa: S608 - all of it is ours
        f"FROM (SELECT * FROM {name} SEMI JOIN {which}_documents USING (document)) t JOIN {pages} p USING (document) "
        "GROUP BY p.host, t.category"
        for name, which, pages in (
            ("categories_by_page", "added", "all_pages"),
            ("base_categories_by_page", "removed", "base_pages"),
        )
    }
    _keep_delta(changes, table.name, ("host", "category"), _SUMS, rows["all_pages"], rows["base_pages"])
    return TableChange(_SITES, _CATEGORIES_OF_SITES)


_CATEGORIES = """
    WITH sums AS (
        SELECT category, sum(count) AS count, CAST(sum(documents) AS BIGINT) AS documents
        FROM categories_by_site GROUP BY category
    ), lemmas AS (SELECT category, count(DISTINCT lemma) AS lemmas FROM lemmas GROUP BY category)
    SELECT category, CAST(count AS BIGINT) AS count, documents, lemmas, count / sum(count) OVER () AS share
    FROM sums JOIN lemmas USING (category)"""


def of_categories(_changes: Changes, _table: Table) -> TableChange:
    """The categories of the corpus: all are shares of the same words, and few."""
    return TableChange("SELECT category FROM base_categories", _CATEGORIES)
