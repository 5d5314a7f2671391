"""The answer of `Project.table`."""

from __future__ import annotations

import sys

import msgspec
import pytest

from trasmallo.project.table import TableRows
from trasmallo.values.errors import UsageError


def test_rows_are_dictionaries_in_a_list() -> None:
    table = TableRows(("word", "count"), [("mar", 3), ("sal", None)])
    assert table == [{"word": "mar", "count": 3}, {"word": "sal", "count": None}]
    assert table.columns == ("word", "count")
    assert msgspec.json.encode(table) == b'[{"word":"mar","count":3},{"word":"sal","count":null}]'
    assert TableRows(("word",), []).columns == ("word",)


@pytest.mark.parametrize(("way", "package"), [("arrow", "pyarrow"), ("df", "pandas")])
def test_a_package_that_is_not_installed_is_named(way: str, package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(UsageError, match=f"{package} is not installed: install it with: pip install {package}"):
        getattr(TableRows(("word",), [("mar",)]), way)()


def test_rows_go_to_arrow() -> None:
    pytest.importorskip("pyarrow")
    table = TableRows(("word", "count"), [("mar", 3)]).arrow()
    assert table.to_pylist() == [{"word": "mar", "count": 3}]


def test_rows_go_to_a_data_frame() -> None:
    pytest.importorskip("pandas")
    assert list(TableRows(("word", "count"), []).df().columns) == ["word", "count"]


def test_a_notebook_shows_the_first_rows_and_no_markup_of_strangers() -> None:
    shown = TableRows(("word", "count", "share"), [("<b>", 1_000, 0.25), *[("mar", 1, None)] * 60])._repr_html_()
    assert "&lt;b&gt;" in shown
    assert "1,000" in shown
    assert shown.count("<tr>") == 51
    assert "50 of 61 rows" in shown
    assert "0 of 0 rows" in TableRows(("word",), [])._repr_html_()
