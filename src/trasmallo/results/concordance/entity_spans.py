"""The entities of a run as spans of its tokens, so that corpus queries can ask for them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from trasmallo.results.builders.key_columns import made_once
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.store.tokens import Corpus
from trasmallo.study.query.entity_columns import EntityColumns, TokenSpan

_COLUMNS = ("document", "start", "end", "kind", "entity")


Mention = tuple[int, int, str, str]
"""Where something is named in a text (start and end), its kind and its name."""


def entity_columns(corpus: Corpus, tables: Tables) -> EntityColumns:
    """The corpus with the entities of `mentions`, as decisions of the user name them; kept while both stay as they are."""
    spans = made_once(corpus, f"entities {tables.decided('mentions')}", lambda: list(entity_spans(corpus, tables)))
    return EntityColumns(corpus, spans)


def entity_spans(corpus: Corpus, tables: Tables) -> Iterator[TokenSpan]:
    """The tokens of every mention in a document that the corpus has; of two that share a token the first counts."""
    rows = tables.ask("mentions", Question(columns=_COLUMNS, sort="document"))
    for document, mentions in groupby(rows, key=lambda row: str(row[0])):
        index = corpus.documents.find(document)
        if index is not None:
            yield from spans_of_document(
                corpus, index, sorted((int(row[1]), int(row[2]), str(row[3]), str(row[4])) for row in mentions)
            )


def spans_of_document(corpus: Corpus, index: int, mentions: list[Mention]) -> Iterator[TokenSpan]:
    """The tokens of mentions in a document of the corpus, which come in order."""
    begin, _ = corpus.documents.range(index)
    starts, ends = corpus.places(index)
    lows = np.searchsorted(ends, [one[0] for one in mentions], side="right").tolist()
    highs = np.searchsorted(starts, [one[1] for one in mentions], side="left").tolist()
    free = 0
    for low, high, (_, _, kind, name) in zip(lows, highs, mentions, strict=True):
        if free <= low < high:
            yield TokenSpan(begin + low, begin + high, kind, name)
            free = high
