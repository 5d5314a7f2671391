"""Rows are numbered, and told with how much of the archive they need."""

from __future__ import annotations

import asyncio
from pathlib import Path

from support.warc_answers import answer
from trasmallo.crawl.shared.queued_targets import Share
from trasmallo.pipeline.shared_rows import SharedRows
from trasmallo.pipeline.shared_storage import SharedFolder
from trasmallo.store.archive import Archive
from trasmallo.values.model import Fetch, Outcome


def test_rows_are_taken_once_with_the_size_that_they_need(tmp_path: Path) -> None:
    with Archive(tmp_path, software="test", prefix="trasmallo-a") as archive:
        rows = SharedRows(archive, SharedFolder(tmp_path))
        assert asyncio.run(rows.sources[0].take()) == ([], 1, "", 0, 0)
        place, digest = archive.append(answer())
        rows.put(Fetch("http://a.example/", 1.0, Outcome.FETCHED, 200, digest=digest, size=7, locator=place))
        batch = asyncio.run(rows.sources[0].take())
        assert (len(batch.rows), batch.first, batch.file, batch.received) == (1, 1, place.file, 7)
        assert batch.size == (tmp_path / place.file).stat().st_size
        assert asyncio.run(rows.sources[0].take()).first == 2


def test_rows_go_to_the_server_of_their_host(tmp_path: Path) -> None:
    share = Share(of=2)
    urls = [f"http://h{number}.example/" for number in range(9)]
    with Archive(tmp_path, software="test", prefix="trasmallo-a") as archive:
        rows = SharedRows(archive, SharedFolder(tmp_path), 2)
        for url in urls:
            rows.put(Fetch(url, 1.0, Outcome.MISSING))
        taken = [asyncio.run(source.take()) for source in rows.sources]
    assert [[row.url for row in batch.rows] for batch in taken] == [
        [url for url in urls if share.server_of(url) == number] for number in range(2)
    ]
    assert all(batch.rows for batch in taken)
