"""Unlisted words: those that occur in pages that changed are counted again, wherever they stand."""

from __future__ import annotations

from trasmallo.results.database.neologisms import take_evidence
from trasmallo.results.layers.by_document import DIFFERENT_COPIES
from trasmallo.results.layers.changes import Changes, TableChange
from trasmallo.results.registry import Table
from trasmallo.results.tables.words_unlisted import NEOLOGISMS

_SET_OFF = "name = 'emphasis' AND NOT contains(text, ' ')"
# A copy counts for where a word was first seen, and for nothing else.
_WORDS = f"""
    WITH changed AS (SELECT document FROM outdated_documents UNION {DIFFERENT_COPIES})
    SELECT word FROM base_unknown SEMI JOIN changed USING (document)
    UNION SELECT word FROM unknown SEMI JOIN changed USING (document)
    UNION SELECT lower(text) AS word FROM base_fields SEMI JOIN changed USING (document) WHERE {_SET_OFF}
    UNION SELECT lower(text) AS word FROM fields SEMI JOIN changed USING (document) WHERE {_SET_OFF}"""  # noqa: S608 - all of it is ours
_OCCURRENCES = (
    "SELECT document, word, kind, language, nearest, written, signs FROM unknown SEMI JOIN unlisted_changed USING (word)"
)


def of_neologisms(changes: Changes, _table: Table) -> TableChange:
    """Words that nobody lists, and their use."""
    changes.keep("unlisted_changed", _WORDS)
    changes.keep("unlisted_occurrences", _OCCURRENCES)
    take_evidence(changes.tables.connection, "unlisted_occurrences")
    return TableChange("SELECT word FROM unlisted_changed", NEOLOGISMS.format(unknown="unlisted_occurrences"))
