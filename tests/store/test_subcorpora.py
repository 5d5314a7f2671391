"""Subcorpora that are saved by name."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.store.subcorpora import EVERYTHING, FILE, Choice, Scope, find_scope, save_scopes, saved_scopes
from trasmallo.values.errors import NotFound, StoreDamaged

PRESS = Scope(languages=("es",), sites=("a.es", ".b.es"), since="2025", where=("words>100",))


def test_what_is_saved_is_found(tmp_path: Path) -> None:
    assert saved_scopes(tmp_path) == {}
    save_scopes(tmp_path, {"press": PRESS, "all": EVERYTHING})
    assert saved_scopes(tmp_path) == {"all": EVERYTHING, "press": PRESS}
    assert find_scope(tmp_path, "press") == PRESS


def test_a_scope_of_everything_is_none() -> None:
    assert not EVERYTHING
    assert PRESS
    assert Choice() == Choice(denied=frozenset(), scope=Scope())


def test_a_name_that_nobody_saved_is_told_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="save one with"):
        find_scope(tmp_path, "pres")
    save_scopes(tmp_path, {"press": PRESS})
    with pytest.raises(NotFound, match="'press'"):
        find_scope(tmp_path, "pres")


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b'{"scopes": 7}'])
def test_a_damaged_file_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / FILE).write_bytes(content)
    with pytest.raises(StoreDamaged, match="subcorpora"):
        saved_scopes(tmp_path)
