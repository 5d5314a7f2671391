"""Copies and near copies among all documents of a run that has ended: a million takes seconds.

The original is the document with the shortest address (then the first in the alphabet): the same choice in every run,
whatever the order of arrival was.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import msgspec

from trasmallo.clean.copies.signatures import unpack
from trasmallo.results.tables import CopyRow, Tables
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import disk_errors

if TYPE_CHECKING:
    from trasmallo.clean.copies.minhash import Signatures

_AT_ONCE = 10_000


def find_copies(run: Run, least: float) -> int:
    """Write `copies.jsonl` for a run: every document at least this similar to an earlier one; returns how many."""
    rows = list(_copies(run, least)) if least else []
    write_copies(run, rows)
    return len(rows)


def write_copies(run: Run, rows: Sequence[CopyRow]) -> None:
    """Put these copies in the place of those that were known."""
    path = run.folder / "copies.jsonl"
    draft = path.with_suffix(".new")
    with disk_errors(path):
        draft.write_bytes(msgspec.json.Encoder().encode_lines(rows))
        draft.replace(path)


def signed_documents(tables: Tables) -> tuple[list[tuple[str, str]], Signatures]:
    """(document, url) of every document, short addresses first, and their signatures in the same order."""
    import numpy as np

    names: list[tuple[str, str]] = []
    signed = [unpack([])]
    documents = tables.documents("signature")
    while rows := list(islice(documents, _AT_ONCE)):
        names.extend((document, url) for document, url, _ in rows)
        signed.append(unpack(signature for _, _, signature in rows))
    return names, np.concatenate(signed)


def _copies(run: Run, least: float) -> Iterator[CopyRow]:
    from trasmallo.clean.copies import discovery, minhash

    with Tables(run, frugal=True) as tables:
        names, signed = signed_documents(tables)
    original, similarity = discovery.originals(minhash.all_pairs(signed, least), len(names))
    for copy, first in enumerate(original):
        if copy != first:
            yield CopyRow(*names[copy], *names[first], similarity[copy])
