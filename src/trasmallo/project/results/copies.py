"""Copies and near copies among the documents of a run, found when the run ends.

The original is the document with the shortest address (then the first in the alphabet): the same choice in every run,
whatever the order of arrival was.
"""

from __future__ import annotations

import msgspec

from trasmallo.clean.duplicates import NearCopies, groups
from trasmallo.errors import disk_errors
from trasmallo.project.reading.signatures import unpack
from trasmallo.project.results.tables import CopyRow, Tables
from trasmallo.project.runs import Run


def find_copies(run: Run, least: float) -> int:
    """Write `copies.jsonl` for a run: every document at least this similar to an earlier one; returns how many."""
    path = run.folder / "copies.jsonl"
    rows = _copies(run, least) if least else []
    draft = path.with_suffix(".new")
    with disk_errors(path):
        draft.write_bytes(msgspec.json.Encoder().encode_lines(rows))
        draft.replace(path)
    return len(rows)


def _copies(run: Run, least: float) -> list[CopyRow]:
    with Tables(run) as tables:
        documents = list(tables.documents())
    copies: NearCopies[int] = NearCopies(least)
    pairs = [
        (earlier, number, alike)
        for number, (_, _, signature) in enumerate(documents)
        for earlier, alike in copies.add_signature(number, unpack(signature))
    ]
    similarity = {(first, second): alike for first, second, alike in pairs}
    return [
        _row(documents[copy], documents[members[0]], similarity.get((members[0], copy), least))
        for members in groups(pairs)
        for copy in members[1:]
    ]


def _row(copy: tuple[str, str, str], original: tuple[str, str, str], similarity: float) -> CopyRow:
    return CopyRow(copy[0], copy[1], original[0], original[1], similarity)
