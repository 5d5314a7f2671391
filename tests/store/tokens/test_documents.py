from __future__ import annotations

from pathlib import Path

import numpy as np

from trasmallo.store.tokens.documents import DocumentTable
from trasmallo.store.tokens.sections import Sections, Writer


def test_a_table_is_read_as_it_was_written(tmp_path: Path) -> None:
    table = DocumentTable.of([(2**64 - 1, "es"), (0, "en"), (7, "es")], [3, 0, 2])
    with Writer(tmp_path / "file") as writer:
        table.write(writer)
        writer.finish(table.languages)
    read = DocumentTable.read(Sections(tmp_path / "file"))
    assert (len(read), read.languages, read.bounds.tolist()) == (3, ("en", "es"), [0, 3, 3, 5])
    assert np.array_equal(read.ids, table.ids)
    assert [read.languages[number] for number in read.language.tolist()] == ["es", "en", "es"]
