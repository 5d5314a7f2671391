from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.values.arguments import check_texts, check_type, checked_path, checked_text
from trasmallo.values.errors import UsageError


def test_what_is_of_a_wrong_type_is_told() -> None:
    check_type("html", b"", (str, bytes), "a text or bytes")
    with pytest.raises(UsageError, match="^`html` is of the type NoneType: give a text or bytes$"):
        check_type("html", None, (str, bytes), "a text or bytes")


def test_texts_by_their_names() -> None:
    check_texts(media="", name="a")
    with pytest.raises(UsageError, match="^`name` is of the type bytes: give a text$"):
        check_texts(media="", name=b"a")


def test_a_text_that_is_one() -> None:
    assert checked_text("mar", "query") == "mar"
    with pytest.raises(UsageError, match="^`query` is of the type bytes: give a text$"):
        checked_text(b"mar", "query")


def test_a_path_as_a_text_or_as_one() -> None:
    assert checked_path("a/b", "folder") == checked_path(Path("a/b"), "folder") == Path("a/b")
    with pytest.raises(UsageError, match="^`folder` is of the type int: give a text$"):
        checked_path(3, "folder")
