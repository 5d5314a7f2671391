"""The sketch of a word: what it governs and is governed by, relation by relation; two words side by side; its nearest words.

All of it is asked of the tables `sketches` and `lemmas`. Two words are near that have much company in common: of the strengths
(log-dice) of all partners of both, in their relations, the share that belongs to partners of both (after Lin, 1998).
"""

from __future__ import annotations

from itertools import groupby
from typing import Any, Literal

import msgspec

from trasmallo.results.database.tables import Tables
from trasmallo.results.registry import Wording
from trasmallo.results.sql import quoted
from trasmallo.study.tokenise import key
from trasmallo.values.errors import UsageError
from trasmallo.values.nearest import nearest

Side = Literal["head", "dependent"]

TITLES: dict[tuple[str, str], Wording] = {
    ("subject", "head"): Wording(en="subjects", es="sujetos"),
    ("subject", "dependent"): Wording(en="verbs it is subject of", es="verbos de los que es sujeto"),
    ("object", "head"): Wording(en="objects", es="objetos"),
    ("object", "dependent"): Wording(en="verbs it is object of", es="verbos de los que es objeto"),
    ("complement", "head"): Wording(en="complements with", es="complementos con"),
    ("complement", "dependent"): Wording(en="words it completes with", es="palabras a las que completa con"),
    ("infinitive", "head"): Wording(en="verbs after it", es="verbos tras él"),
    ("infinitive", "dependent"): Wording(en="verbs before it", es="verbos ante él"),
    ("adverb", "head"): Wording(en="adverbs", es="adverbios"),
    ("adverb", "dependent"): Wording(en="words it modifies", es="palabras a las que modifica"),
    ("modifier", "head"): Wording(en="adjectives", es="adjetivos"),
    ("modifier", "dependent"): Wording(en="nouns it modifies", es="nombres a los que modifica"),
    ("predicate", "head"): Wording(en="is (predicates)", es="es o está (atributos)"),
    ("predicate", "dependent"): Wording(en="what is so", es="lo que es o está así"),
    ("noun", "head"): Wording(en="nouns before it", es="nombres antepuestos"),
    ("noun", "dependent"): Wording(en="nouns after it", es="nombres a los que precede"),
    ("together", "head"): Wording(en="joined by and, or", es="unidas por y, o"),
}
"""What partners of a word are called, by relation and by the side on which the word itself stands."""

_ORDER = {relation: place for place, relation in enumerate(TITLES)}

# Every pair from both sides; a relation of equals has but one.
_DIRECTED = """(
    SELECT relation, CASE relation WHEN 'together' THEN 'head' ELSE side END AS side, between, word, category, partner,
           partner_category, CAST(sum(count) AS BIGINT) AS count, max(log_dice) AS log_dice, language
    FROM (
        SELECT relation, 'head' AS side, between, head AS word, head_category AS category, dependent AS partner,
               dependent_category AS partner_category, count, log_dice, language FROM sketches {heads}
        UNION ALL
        SELECT relation, 'dependent', between, dependent, dependent_category, head, head_category, count, log_dice, language
        FROM sketches {dependents}
    ) GROUP BY ALL)"""
_OF_WORD = _DIRECTED.format(
    heads="WHERE head = $word AND head_category = $category AND language = $language",
    dependents="WHERE dependent = $word AND dependent_category = $category AND language = $language",
)
_OF_CATEGORY = _DIRECTED.format(
    heads="WHERE head_category = $category AND language = $language",
    dependents="WHERE dependent_category = $category AND language = $language",
)
_PARTNERS = f"""
    SELECT relation, side, between, partner, partner_category, count, log_dice FROM {_OF_WORD}
    WHERE count >= $least ORDER BY relation, side, between, log_dice DESC, count DESC, partner"""  # noqa: S608 - no text of users
# What all words of a category have for company is kept as long as the tables are open: it is most of the work.
_COMPANY = f"""
    CREATE TABLE IF NOT EXISTS {{company}} AS
    SELECT relation, side, between, partner, word, log_dice FROM {_OF_CATEGORY} WHERE log_dice > 0"""  # noqa: S608
_TOTALS = "CREATE TABLE IF NOT EXISTS {totals} AS SELECT word, sum(log_dice) AS total FROM {company} GROUP BY word"
_NEAR = """
    WITH mine AS (SELECT * FROM {company} WHERE word = $word), shared AS (
        SELECT s.word, sum(s.log_dice + m.log_dice) AS common, count(*) AS partners
        FROM {company} s JOIN mine m USING (relation, side, between, partner) WHERE s.word <> $word GROUP BY s.word
    )
    SELECT word, round(common / (total + (SELECT sum(log_dice) FROM mine)), 6) AS nearness, partners
    FROM shared JOIN {totals} USING (word) WHERE partners >= 2
    ORDER BY nearness DESC, partners DESC, word LIMIT $number"""
_KNOWN = """
    SELECT lemma, category, language, CAST(sum(count) AS BIGINT), CAST(sum(documents) AS BIGINT) FROM lemmas
    WHERE lower(lemma) = $word AND ($language = '' OR language = $language) GROUP BY ALL ORDER BY 4 DESC, category, language"""
_TOKENS = "SELECT CAST(sum(count) AS BIGINT) FROM lemmas WHERE language = $language"
_LIKE = "SELECT DISTINCT lemma FROM lemmas WHERE lemma LIKE $begin || '%' ORDER BY lemma LIMIT 1000"


class SketchQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A lemma, perhaps beside another; its usual category and language unless told.

    `least` is the smallest count of a pair that is told, `number` how many partners of a relation are, the strongest.
    """

    word: str
    other: str = ""
    category: str = ""
    language: str = ""
    least: int = 1
    number: int = 15
    near: int = 15


class SketchedWord(msgspec.Struct, frozen=True, kw_only=True):
    """A lemma in one of its categories: how often it occurs, in how many documents, and in a million words."""

    word: str
    category: str
    language: str
    count: int
    documents: int
    per_million: float


class Partner(msgspec.Struct, frozen=True, kw_only=True):
    """A word in a relation with the one asked for: how often, and how strongly; beside another word also with that."""

    word: str
    category: str
    count: int
    log_dice: float | None
    other_count: int = 0
    other_log_dice: float | None = None

    @property
    def strength(self) -> float:
        """The strength with whichever word it goes better with."""
        return max(value for value in (self.log_dice, self.other_log_dice) if value is not None)


class SketchedRelation(msgspec.Struct, frozen=True, kw_only=True):
    """The partners of a word in a relation, the strongest first; `count` is that of all of them, told or not.

    `side` says whether the word itself is the head or the dependent, `between` is the word that joins both, if there is one.
    """

    relation: str
    side: Side
    between: str
    count: int
    partners: tuple[Partner, ...]

    @property
    def title(self) -> Wording:
        """What the partners are to the word."""
        found = TITLES[self.relation, self.side]
        more = f" {self.between}" if self.between else ""
        return Wording(en=found.en + more, es=found.es + more)


class NearWord(msgspec.Struct, frozen=True):
    """A word with similar company: the share of both words' company that they have in common, and by how many partners."""

    word: str
    nearness: float
    partners: int


class Sketch(msgspec.Struct, frozen=True, kw_only=True):
    """The sketch of a word, perhaps beside another; `categories` are all that it has, with their counts."""

    word: SketchedWord
    other: SketchedWord | None
    categories: dict[str, int]
    relations: tuple[SketchedRelation, ...]
    near: tuple[NearWord, ...]


def find_sketch(tables: Tables, question: SketchQuestion) -> Sketch:
    """The sketch of a word; raises UsageError when the run has no such lemma."""
    tables.prepare("sketches", "lemmas")
    word, categories = _known(tables, question.word, question.category, question.language)
    other = _known(tables, question.other, word.category, word.language)[0] if question.other.strip() else None
    partners = _partners(tables, word, question.least)
    if other:
        partners = _beside(partners, _partners(tables, other, question.least))
    relations = _relations(partners, question.number)
    near = () if other or not question.near else _near(tables, word, question.near)
    return Sketch(word=word, other=other, categories=categories, relations=relations, near=near)


def _known(tables: Tables, word: str, category: str, language: str) -> tuple[SketchedWord, dict[str, int]]:
    """A lemma as the run has it, in the category that is asked for or its most frequent one; and all its categories."""
    name = key(word.strip())
    rows = tables.select(_KNOWN, {"word": name, "language": language})
    chosen = [row for row in rows if row[1] == category] if category else rows
    if not chosen:
        raise _unknown(tables, name, category, [row[1] for row in rows], language)
    _, own, spoken, count, documents = chosen[0]
    ((tokens,),) = tables.select(_TOKENS, {"language": spoken})
    found = SketchedWord(
        word=name, category=own, language=spoken, count=count, documents=documents, per_million=1e6 * count / tokens
    )
    return found, {row[1]: row[3] for row in rows if row[2] == spoken}


def _unknown(tables: Tables, name: str, category: str, categories: list[str], language: str) -> UsageError:
    if categories:
        return UsageError(
            "{name!r} is no {category} in this run",
            "it is {categories}",
            name=name[:80],
            category=category[:80],
            categories=", ".join(categories),
        )
    spoken = [row[2] for row in tables.select(_KNOWN, {"word": name, "language": ""})] if language else []
    if spoken:
        return UsageError(
            "the run has no lemma {name!r} in {language!r}",
            "it is there in {languages}",
            name=name[:80],
            language=language[:80],
            languages=", ".join(dict.fromkeys(spoken)),
        )
    alike = [str(row[0]) for row in tables.select(_LIKE, {"begin": name[:2]})] if name else []
    if alike:
        return UsageError(
            "the run has no lemma {name!r}",
            "did you mean {meant!r}? See all with: trasmallo list DIR lemmas",
            name=name[:80],
            meant=nearest(name, tuple(alike)),
        )
    return UsageError("the run has no lemma {name!r}", "see all with: trasmallo list DIR lemmas", name=name[:80])


_Key = tuple[str, str, str]
_Partners = dict[_Key, list[Partner]]


def _partners(tables: Tables, word: SketchedWord, least: int) -> _Partners:
    """The partners of a word by relation, side and word between."""
    rows = tables.select(_PARTNERS, _asked(word) | {"least": least})
    return {
        named: [Partner(word=row[3], category=row[4], count=row[5], log_dice=row[6]) for row in some]
        for named, some in groupby(rows, lambda row: (str(row[0]), str(row[1]), str(row[2])))
    }


def _beside(mine: _Partners, others: _Partners) -> _Partners:
    """The partners of two words, each with the figures of both."""
    found: _Partners = {}
    for named in mine.keys() | others.keys():
        own = {(one.word, one.category): one for one in mine.get(named, [])}
        for one in others.get(named, []):
            blank = Partner(word=one.word, category=one.category, count=0, log_dice=None)
            known = own.get((one.word, one.category), blank)
            figures = {"other_count": one.count, "other_log_dice": one.log_dice}
            own[one.word, one.category] = msgspec.structs.replace(known, **figures)
        found[named] = sorted(own.values(), key=lambda one: (-one.strength, one.word))
    return found


def _relations(partners: _Partners, number: int) -> tuple[SketchedRelation, ...]:
    """Relations in the order of `TITLES`, of one relation those with frequent words between first."""
    found = [
        SketchedRelation(
            relation=relation,
            side="head" if side == "head" else "dependent",
            between=between,
            count=sum(one.count + one.other_count for one in some),
            partners=tuple(some[:number] if number else some),
        )
        for (relation, side, between), some in partners.items()
        if (relation, side) in _ORDER
    ]
    return tuple(sorted(found, key=lambda one: (_ORDER[one.relation, one.side], -one.count, one.between)))


def _near(tables: Tables, word: SketchedWord, number: int) -> tuple[NearWord, ...]:
    kept = {name: quoted(f"{name} of {word.category} {word.language}") for name in ("company", "totals")}
    tables.select(_COMPANY.format(**kept), {"category": word.category, "language": word.language})
    tables.select(_TOTALS.format(**kept))
    rows = tables.select(_NEAR.format(**kept), {"word": word.word, "number": number})
    return tuple(NearWord(str(name), float(nearness), int(partners)) for name, nearness, partners in rows)


def _asked(word: SketchedWord) -> dict[str, Any]:
    return {"word": word.word, "category": word.category, "language": word.language}
