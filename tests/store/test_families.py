from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.store.families import Family
from trasmallo.store.key_value_tables import KeyValueTables
from trasmallo.values.errors import UrlError

URLS = ["http://a/", "http://a/b", "http://a/b?c", "http://ab/", "http://é/"]
CELLS = st.tuples(
    st.sampled_from(URLS),
    st.sampled_from(["", "x", "xy", "ñ"]),
    st.binary(max_size=4),
    st.none() | st.integers(0, 5).map(float),
)


def family(tables: KeyValueTables, name: str = "rank") -> Family:
    tables.create(f"family:{name}")
    return Family(tables, name)


def model_value(cells: dict[tuple[str, str, float], bytes], url: str, column: str, when: float) -> bytes | None:
    times = [at for u, c, at in cells if (u, c) == (url, column) and at <= when]
    return cells[url, column, max(times)] if times else None


@settings(max_examples=10, deadline=None)
@given(st.lists(CELLS, max_size=25))
def test_values_are_those_of_a_plain_dictionary(
    tmp_path_factory: pytest.TempPathFactory, puts: list[tuple[str, str, bytes, float | None]]
) -> None:
    tables = KeyValueTables(tmp_path_factory.mktemp("family"), [])
    rank, cells = family(tables), dict[tuple[str, str, float], bytes]()
    for url, column, value, at in puts:
        rank.put(url, column, value, at)
        cells[url, column, float("-inf") if at is None else at] = value
    newest = {(url, column): model_value(cells, url, column, float("inf")) for url, column, _ in cells}
    expected = {url: {c: value for (u, c), value in newest.items() if u == url} for url, _ in newest}
    assert dict(rank.scan()) == expected
    assert list(dict(rank.scan())) == sorted(expected, key=str.encode)
    assert list(rank.scan("http://a/b")) == sorted((u, c) for u, c in expected.items() if u.startswith("http://a/b"))
    for url in URLS:
        assert rank.row(url) == expected.get(url, {})
        for column in ("", "x", "xy", "ñ"):
            assert rank.get(url, column) == model_value(cells, url, column, float("inf"))
            assert rank.get(url, column, 2.0) == model_value(cells, url, column, 2.0)
    tables.close()


def test_many_cells_are_written_together(tmp_path: Path) -> None:
    tables = KeyValueTables(tmp_path, [])
    anchors = family(tables, "anchors")
    anchors.put_many([("http://a/", f"http://b/{number}", b"see a") for number in range(3)])
    with pytest.raises(UrlError, match="zero character"):
        anchors.put_many([("http://c/", "http://b/", b"c"), ("http://\0/", "", b"")])
    assert anchors.row("http://a/") == {f"http://b/{number}": b"see a" for number in range(3)}
    assert anchors.row("http://c/") == {}
    tables.close()
