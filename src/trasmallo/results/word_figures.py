"""What a run knows of one word or lemma: how often, how evenly spread, as which forms and categories, when, and where.

A name that is a lemma is asked for as one, any other as a word. Copies are left out.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import msgspec

from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.trends import TrendQuestion, find_trend
from trasmallo.study.tokenise import key
from trasmallo.study.trends import Trend, Unit
from trasmallo.values.errors import UsageError
from trasmallo.values.nearest import nearest


class _Source(NamedTuple):
    """The tables that a unit is counted in: of pages, and of the corpus by category."""

    pages: str
    categories: str


_SOURCES: dict[Unit, _Source] = {
    "lemma": _Source("lemmas_by_page", "lemmas"),
    "word": _Source("words_by_page", "words_by_category"),
}
_NEEDED = ("lemmas_by_page", "lemmas", "words_by_page", "words_by_category", "copies", "entities", "mentions")

_KNOWN = """
    SELECT language, category, CAST(sum(count) AS BIGINT), {unit} FROM {categories}
    WHERE {match} = $name AND ($language = '' OR language = $language) GROUP BY ALL ORDER BY 3 DESC, 1, 2, 4"""
# As in the table `dispersion`: Juilland and Chang-Rodríguez (1964) for D, Gries (2008) and Lijffijt, Gries (2012) for DP.
# The words of each page are looked through once for a word, and once for the sizes of sites, which all words share.
_PARTS = """
    CREATE TABLE IF NOT EXISTS word_parts AS SELECT document, url, title, host, words FROM all_pages
    WHERE drop = '' AND words > 0 AND document NOT IN (SELECT document FROM copies)"""
_SIZES = """
    CREATE TABLE IF NOT EXISTS {unit}_site_sizes AS
    SELECT host, s.language, sum(s.count) AS tokens FROM {pages} s JOIN all_pages p USING (document) GROUP BY ALL"""
_HERE = """
    CREATE OR REPLACE TABLE word_here AS
    SELECT p.*, u.count FROM word_parts p JOIN (
        SELECT document, sum(count) AS count FROM {pages}
        WHERE {unit} = $name AND language = $language AND {category} GROUP BY document
    ) u USING (document)"""
_SPREAD = """
    WITH corpus AS (SELECT count(*) AS n, sum(words) AS total, min(words) / sum(words) AS smallest FROM word_parts),
    sums AS (
        SELECT CAST(coalesce(sum(count), 0) AS BIGINT) AS count, count(*) AS documents, count(DISTINCT host) AS sites,
               sum(count / words) AS rates, sum((count / words) ** 2) AS squares, sum(words) AS covered FROM word_here
    ), apart AS (SELECT (sum(abs(h.count / s.count - h.words / total)) + 1 - any_value(covered) / any_value(total)) / 2 AS dp
                 FROM word_here h, sums s, corpus)
    SELECT count, documents, sites,
           CASE WHEN n > 1 THEN greatest(
               1 - sqrt(greatest(squares / n - (rates / n) ** 2, 0)) / (rates / n) / sqrt(n - 1), 0) END,
           least(dp, 1), CASE WHEN smallest < 1 THEN least(dp / (1 - smallest), 1) ELSE 0 END
    FROM sums, apart, corpus"""
_DOCUMENTS = """
    SELECT document, url, title, CAST(count AS BIGINT), words FROM word_here ORDER BY count DESC, url LIMIT $number"""
_SITES = """
    SELECT host, CAST(sum(count) AS BIGINT), count(*), 1e6 * sum(count) / any_value(tokens)
    FROM word_here JOIN {unit}_site_sizes USING (host) WHERE language = $language
    GROUP BY host ORDER BY 2 DESC, host LIMIT $number"""
_TOKENS = "SELECT CAST(sum(count) AS BIGINT) FROM {categories} WHERE language = $language"
_LIKE = "SELECT DISTINCT word FROM words_by_category WHERE word LIKE $begin || '%' ORDER BY word LIMIT 1000"
_NAMED = """
    SELECT entity, kind, CAST(count AS BIGINT) FROM entities
    WHERE list_contains(string_split(lower(entity), ' '), $name) ORDER BY count DESC, entity, kind LIMIT $number"""


class WordFiguresQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A word or lemma; `unit` "" is a lemma where the run has it. `number` sites and documents are told, the foremost."""

    word: str
    unit: Literal["", "word", "lemma"] = ""
    category: str = ""
    language: str = ""
    number: int = 10


class Spread(msgspec.Struct, frozen=True, kw_only=True):
    """How evenly a word is spread over documents: Juilland's D (None for a single document), DP of Gries, normalised DP."""

    juilland: float | None
    dp: float
    dp_norm: float


class SiteFigures(msgspec.Struct, frozen=True):
    """A word on a site, and in a million words of its language there."""

    site: str
    count: int
    documents: int
    per_million: float


class DocumentFigures(msgspec.Struct, frozen=True):
    """A word in a document of so many words."""

    document: str
    url: str
    title: str
    count: int
    words: int


class NamedEntity(msgspec.Struct, frozen=True):
    """An entity in whose name a word stands."""

    entity: str
    kind: str
    count: int


class WordFigures(msgspec.Struct, frozen=True, kw_only=True):
    """A word or lemma of a run. `per_million` is among the words of its language, `category` "" with a word.

    `trend` is None where no document has a date; `verdict` and `kind` are those of a word that nobody lists, "" of others.
    """

    word: str
    unit: Unit
    category: str
    language: str
    count: int
    documents: int
    sites: int
    per_million: float
    spread: Spread
    categories: dict[str, int]
    by_site: tuple[SiteFigures, ...]
    by_document: tuple[DocumentFigures, ...]
    trend: Trend | None
    entities: tuple[NamedEntity, ...] = ()
    kind: str = ""
    verdict: str = ""


def find_word(tables: Tables, question: WordFiguresQuestion) -> WordFigures:
    """What the run knows of a word; raises UsageError that names the nearest when it does not occur."""
    tables.prepare(*_NEEDED)
    name = key(question.word.strip())
    unit, rows = _known(tables, name, question)
    language, category, name, categories = _chosen(rows, unit, question)
    _gather(tables, unit, category, {"name": name, "language": language})
    count, documents, sites, *spread = tables.select(_SPREAD)[0]
    ((tokens,),) = tables.select(_TOKENS.format(categories=_SOURCES[unit].categories), {"language": language})
    some = {"number": question.number}
    judged = tables.ask("neologisms", Question(where=(f"word={key(name)}",), columns=("kind", "verdict")))
    kind, verdict = next(iter(judged), ("", ""))
    return WordFigures(
        word=name,
        unit=unit,
        category=category,
        language=language,
        count=count,
        documents=documents,
        sites=sites,
        per_million=1e6 * count / tokens,
        spread=_rounded(*spread),
        categories=categories,
        by_site=tuple(SiteFigures(*row) for row in tables.select(_SITES.format(unit=unit), some | {"language": language})),
        by_document=tuple(DocumentFigures(*row) for row in tables.select(_DOCUMENTS, some)),
        trend=_trend(tables, name, unit, language),
        entities=tuple(NamedEntity(*row) for row in tables.select(_NAMED, {"name": key(name), "number": question.number})),
        kind=str(kind),
        verdict=str(verdict or ""),
    )


def _rounded(juilland: float | None, dp: float | None, dp_norm: float | None) -> Spread:
    """Measures without their last digits, which differ with the order in which a database adds."""
    even = None if juilland is None else round(juilland, 9)
    return Spread(juilland=even, dp=round(dp or 0.0, 9), dp_norm=round(dp_norm or 0.0, 9))


def _known(tables: Tables, name: str, question: WordFiguresQuestion) -> tuple[Unit, list[tuple[Any, ...]]]:
    """What the name is in the run, with its languages and categories, the most frequent first; raises UsageError."""
    for unit, source in _SOURCES.items():
        if question.unit in ("", unit):
            match = "lower(lemma)" if unit == "lemma" else unit  # names are lemmas with their capitals
            sql = _KNOWN.format(categories=source.categories, unit=unit, match=match)
            if rows := tables.select(sql, {"name": name, "language": question.language}):
                return unit, rows
    alike = [str(row[0]) for row in tables.select(_LIKE, {"begin": name[:2]})] if name else []
    if alike:
        problem, repair = "the run has no word {name!r}", "did you mean {meant!r}? See all with: trasmallo list DIR words"
        raise UsageError(problem, repair, name=name[:80], meant=nearest(name, tuple(alike)))
    raise UsageError("the run has no word {name!r}", "see all with: trasmallo list DIR words", name=name[:80])


def _chosen(rows: list[tuple[Any, ...]], unit: Unit, question: WordFiguresQuestion) -> tuple[str, str, str, dict[str, int]]:
    """The language, the category ("" of a word), how it is written, all categories with their counts; raises UsageError."""
    of_category = [row for row in rows if row[1] == question.category] if question.category else rows
    if not of_category:
        raise UsageError(
            "{name!r} is no {category} in this run",
            "it is {categories}",
            name=question.word[:80],
            category=question.category[:80],
            categories=", ".join(dict.fromkeys(str(row[1]) for row in rows)),
        )
    language, category, _, name = of_category[0]
    categories = {str(row[1]): int(row[2]) for row in reversed(rows) if row[0] == language}  # of two spellings the first
    return str(language), str(category) if unit == "lemma" else "", str(name), dict(reversed(categories.items()))


def _gather(tables: Tables, unit: Unit, category: str, asked: dict[str, Any]) -> None:
    """Have the documents with a word at hand, and what is shared by all words."""
    pages = _SOURCES[unit].pages
    tables.select(_PARTS)
    tables.select(_SIZES.format(unit=unit, pages=pages))
    condition, values = ("category = $category", asked | {"category": category}) if category else ("true", asked)
    tables.select(_HERE.format(pages=pages, unit=unit, category=condition), values)


def _trend(tables: Tables, name: str, unit: Unit, language: str) -> Trend | None:
    """The curve by month, None without dates."""
    try:
        return find_trend(tables, TrendQuestion(name=name, unit=unit, language=language))
    except UsageError:
        return None
