"""Words that nobody lists: each occurrence, and the words with their use (`results.database.neologisms`)."""

from __future__ import annotations

import msgspec

from trasmallo.results.cells import ConcordanceCell, InDocument, Rows, Screen
from trasmallo.results.registry import FromParts, FromTables, Layered, Table, Wording
from trasmallo.results.rows import UnknownRow
from trasmallo.results.tables.words import WORD_LINKS
from trasmallo.study.unlisted.kinds import Kind


class NeologismRow(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """An unlisted word and its use; `reference` is how often a million words have it, None without reference frequencies.

    `sources` are those that are independent of each other: authors where pages name them, else sites. `written` is how it is
    most often spelt, `language` that of most blocks it stands in. `probability` is that of the kind, `reason` why it is that
    one, `affix` the bucket of a derived word, `nearest` the word that a misspelling stands for, `known` whether free lists have
    had it for years.
    """

    word: str
    written: str
    kind: str
    probability: float
    reason: str
    count: int
    documents: int
    sites: int
    sources: int
    days: int
    score: float
    nearest: str
    affix: str
    known: bool
    first_url: str
    first_at: float | None
    reference: float | None
    language: str


# The score is that of `study.neologisms` times the probability, half of it for words that free lists have.
_NEOLOGISMS = """
    WITH counted AS (
        SELECT word, first(written ORDER BY times DESC, written DESC) AS written, CAST(sum(times) AS BIGINT) AS count
        FROM (SELECT word, written, sum(times) AS times FROM unlisted_uses GROUP BY word, written) GROUP BY word
    )
    SELECT c.word, c.written, k.kind, k.probability, k.reason, count, documents, sites, sources, days,
           k.probability * log2(1 + count) * sqrt(documents) * sources * sqrt(days) / (1 + coalesce(r.per_million, 0))
               / (1 + CAST(k.known AS INTEGER)) AS score,
           k.nearest, k.affix, k.known, first_url, first_at,
           CASE WHEN k.language IN (SELECT language FROM referred) THEN coalesce(r.per_million, 0) END AS reference,
           k.language
    FROM counted c JOIN unlisted_places USING (word) JOIN word_kinds k USING (word)
    LEFT JOIN reference r ON r.word = c.word AND r.language = k.language
    WHERE k.kind <> 'special sequence'"""
# What one source alone has comes after what rules form: most of it is never seen again, and much is misspelt.
_KINDS_IN_ORDER = ", ".join(f"'{kind}'" for kind in dict.fromkeys((Kind.CANDIDATE, Kind.FORMED, *Kind)))

_CARD = Screen("neologisms", "word")
_OCCURRENCE = InDocument(start="start", text="word")

TABLES = (
    Table(
        name="unknown",
        title=Wording(en="Unrecognised", es="No reconocidas"),
        about=Wording(
            en="Every occurrence of a word that nobody lists, with its surroundings and your verdict.",
            es="Cada aparición de una palabra que nadie recoge, con lo que la rodea y tu veredicto.",
        ),
        order="document, start",
        group="words",
        over_time={"word": "word"},
        row=UnknownRow,
        brief=("title", "written", "kind", "nearest", "start", "context", "verdict", "language"),
        made=FromParts(),
        layered=Layered(("document",), "trasmallo.results.layers.by_document:of_parts"),
        added=("written", "signs"),
        judged=True,
        said={"kind": "unknown", "verdict": "verdict"},
        links={
            "word": _CARD,
            **dict.fromkeys(("written", "start", "context"), _OCCURRENCE),
            "nearest": ConcordanceCell("$nearest"),
        },
    ),
    Table(
        name="neologisms",
        title=Wording(en="Neologisms", es="Neologismos"),
        about=Wording(
            en="Words that nobody lists, candidates for new words first: their kind with its probability and reason, how "
            "often, on how many pages, sites and days, first where, and your verdict. Copies are left out.",
            es="Palabras que nadie recoge, primero las candidatas a palabras nuevas: su clase con la probabilidad y el porqué, "
            "cuántas veces, en cuántas páginas, sitios y días, y dónde primero. Sin las copias.",
        ),
        order=f"list_position([{_KINDS_IN_ORDER}], kind), known, score DESC, count DESC, word",
        home_first=True,
        added=("written", "sources", "probability", "reason", "nearest", "affix", "known"),
        group="words",
        analyses=("neologisms",),
        over_time={"word": "word"},
        row=NeologismRow,
        made=FromTables(_NEOLOGISMS, needs=("words_by_page",), before="trasmallo.results.database.neologisms:take_evidence"),
        judged=True,
        said={"kind": "unknown", "reason": "unknown", "verdict": "verdict"},
        remark="trasmallo.results.database.neologisms:remark",
        links=WORD_LINKS
        | {
            "word": _CARD,
            "count": Rows("unknown", ("word=$word",)),
            "kind": Rows("neologisms", ("kind=$kind",)),
            "affix": Rows("neologisms", ("affix=$affix",)),
            "nearest": ConcordanceCell("$nearest"),
        },
    ),
)
