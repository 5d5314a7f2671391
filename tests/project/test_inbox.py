"""Pages that a browser sent are kept as they came."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.project.inbox import LARGEST, SentPage, count, files, receive
from trasmallo.store.foreign import read_foreign
from trasmallo.values.errors import UrlError, UsageError
from trasmallo.values.model import Response


def test_pages_gather_in_one_file(tmp_path: Path) -> None:
    assert count(tmp_path) == 0
    receive(tmp_path, SentPage("http://A.test", "<p>ñ</p>", "title", "es", '{"steps":[]}'), at=1e9)
    receive(tmp_path, SentPage("http://b.test/", "<p>\ud800</p>"), at=1e9 + 1)
    (file,) = files(tmp_path)
    found = [page for page in read_foreign(file) if isinstance(page, Response)]
    assert [(page.url, page.at, page.content) for page in found] == [
        ("http://a.test/", 1e9, "<p>ñ</p>".encode()),
        ("http://b.test/", 1e9 + 1, b"<p>?</p>"),
    ]
    assert count(tmp_path) == 2


def test_what_cannot_be_taken_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UrlError):
        receive(tmp_path, SentPage("about:blank", "<p>a"))
    with pytest.raises(UsageError, match="empty"):
        receive(tmp_path, SentPage("http://a.test/", "\n"))
    with pytest.raises(UsageError, match="bytes"):
        receive(tmp_path, SentPage("http://a.test/", "x" * (LARGEST + 1)))
    assert files(tmp_path) == []
