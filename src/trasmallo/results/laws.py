"""The laws of a run's words: DuckDB counts, within the memory of the tables at any size; the fits see some thousand numbers."""

from __future__ import annotations

from typing import Any

from trasmallo.results.database.tables import Tables
from trasmallo.study.laws import Laws, describe, shown_ranks
from trasmallo.study.laws.heaps import Growth
from trasmallo.study.laws.zipf import from_pairs
from trasmallo.values.errors import NoResults
from trasmallo.values.steps import tell_step

_POINTS_PER_E = 40
"""Points of the growth for each factor e in the number of words; a billion words give about 800."""

_STEPS = 4
"""Steps that are told: words are counted, ranked, and followed as they grow."""

# Documents in the order in which they arrived; copies are none.
_CHOSEN = """
    WITH chosen AS (
        SELECT document, row_number() OVER (ORDER BY "at" NULLS FIRST, url) AS place FROM pages
        WHERE drop = '' AND (? = '' OR host = ?)
    ), used AS (
        SELECT word, count, place FROM words_by_page AS words JOIN chosen USING (document)
        WHERE (? = '' OR words.language = ?)
    )"""

_SPECTRUM = """, totals AS (SELECT sum(count) AS frequency FROM used GROUP BY word)
    SELECT frequency, count(*) FROM totals GROUP BY frequency"""

_RANKS = """, totals AS (SELECT word, sum(count) AS frequency FROM used GROUP BY word)
    SELECT row_number() OVER (ORDER BY frequency DESC, word) AS rank, word, CAST(frequency AS BIGINT) FROM totals
    QUALIFY list_contains(?, rank) ORDER BY rank"""

_GROWTH = """, sizes AS (SELECT place, sum(count) AS words FROM used GROUP BY place),
    firsts AS (SELECT min(place) AS place FROM used GROUP BY word),
    news AS (SELECT place, count(*) AS types FROM firsts GROUP BY place),
    grown AS (
        SELECT row_number() OVER (ORDER BY place) AS documents, sum(words) OVER (ORDER BY place) AS words,
               sum(coalesce(types, 0)) OVER (ORDER BY place) AS types
        FROM sizes LEFT JOIN news USING (place)
    )
    SELECT CAST(documents AS BIGINT), CAST(words AS BIGINT), CAST(types AS BIGINT) FROM grown
    QUALIFY row_number() OVER (PARTITION BY CAST(floor(? * ln(words)) AS BIGINT) ORDER BY words DESC) = 1
    ORDER BY words"""


def compute(tables: Tables, *, language: str = "", site: str = "") -> Laws:
    """The laws of all words, or of those in a language or of a site, whatever the language of their documents.

    Raises NoResults when there are none.
    """
    tell_step(0, _STEPS)
    tables.prepare("words_by_page")
    tell_step(1, _STEPS)
    chosen = (site, site, language, language)
    found = from_pairs(_ask(tables, _SPECTRUM, *chosen))
    if not found.types:
        which = f" in {language!r}" * bool(language) + f" of {site!r}" * bool(site)
        raise NoResults("the run has no words{which}", "see its documents with: trasmallo list DIR pages", which=which)
    tell_step(2, _STEPS)
    ranked = _ask(tables, _RANKS, *chosen, shown_ranks(found.types))
    tell_step(3, _STEPS)
    growth = [Growth(*row) for row in _ask(tables, _GROWTH, *chosen, _POINTS_PER_E)]
    tell_step(_STEPS, _STEPS)
    return describe(found, [(rank, word, times) for rank, word, times in ranked], growth, growth[-1].documents)


def _ask(tables: Tables, question: str, *values: object) -> list[tuple[Any, ...]]:
    return tables.select(f"{_CHOSEN}{question}", values)
