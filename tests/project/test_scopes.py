"""Scopes as people type them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from trasmallo.project.scopes import checked_name, checked_scope, joined_as_of, read_scope, scope_text, split_as_of
from trasmallo.store.subcorpora import Scope, save_scopes
from trasmallo.values.errors import NotFound, UrlError, UsageError

TYPED = "language=es,ca site=https://A.es/x site=.b.es start=http://c.es since=2025-01 until=2026 'title~la casa' words>100"
SCOPE = Scope(
    languages=("es", "ca"),
    sites=("a.es", ".b.es"),
    starts=("http://c.es/",),
    since="2025-01",
    until="2026",
    where=("title~la casa", "words>100"),
)


def test_conditions_become_a_scope_and_back(tmp_path: Path) -> None:
    assert read_scope(TYPED, tmp_path) == SCOPE
    assert read_scope(scope_text(SCOPE), tmp_path) == SCOPE


@pytest.mark.parametrize("text", ["language=", "language=es site=", "start=", "since=", "as-of="])
def test_a_condition_has_a_value(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="= has no value: write one"):
        read_scope(text, tmp_path)


@pytest.mark.parametrize("text", ["language=zz", "language=es,xx", "language=es language=english"])
def test_unknown_languages_are_told(text: str, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no language has the code"):
        read_scope(text, tmp_path)


def test_a_name_is_one_that_was_saved(tmp_path: Path) -> None:
    save_scopes(tmp_path, {"press": SCOPE})
    assert read_scope(" press ", tmp_path) == SCOPE
    with pytest.raises(NotFound, match="no subcorpus"):
        read_scope("prensa", tmp_path)


def test_the_moment_is_part_of_it(tmp_path: Path) -> None:
    save_scopes(tmp_path, {"press": SCOPE})
    assert read_scope("press as-of=2026-05", tmp_path) == msgspec.structs.replace(SCOPE, as_of="2026-05")
    asked = read_scope("as-of='my thesis' language=es", tmp_path)
    assert (asked.as_of, asked.languages) == ("my thesis", ("es",))
    assert read_scope(scope_text(asked), tmp_path) == asked
    for text in ("press language=es", "press as-of=", "press 'as-of'"):
        with pytest.raises(UsageError, match=r"as-of=DATE|no scope"):
            read_scope(text, tmp_path)


@pytest.mark.parametrize(
    ("typed", "rest", "as_of"),
    [
        ("", "", ""),
        ("press", "press", ""),
        ("as-of=2026", "", "2026"),
        ("language=es 'as-of=my thesis' words>9", "language=es 'words>9'", "my thesis"),
        ("'", "'", ""),
    ],
)
def test_the_moment_is_taken_out_and_put_back(typed: str, rest: str, as_of: str) -> None:
    assert split_as_of(typed) == (rest, as_of)
    assert split_as_of(joined_as_of(typed, as_of))[1] == as_of
    assert split_as_of(joined_as_of(rest, "a b/c")) == (rest, "a b/c") or rest == "'"


@pytest.mark.parametrize("text", ["", " ", "'"])
def test_nothing_is_everything_or_refused(tmp_path: Path, text: str) -> None:
    if text == "'":
        with pytest.raises(UsageError, match="no scope"):
            read_scope(text, tmp_path)
    else:
        assert not read_scope(text, tmp_path)


@pytest.mark.parametrize("text", ["language", "=es", "es fr", "since=mañana", "wordz>3", "until=2026-99", "a b=c"])
def test_what_is_none_is_told(tmp_path: Path, text: str) -> None:
    with pytest.raises((UsageError, NotFound)):
        read_scope(text, tmp_path)


def test_a_start_address_must_be_one() -> None:
    with pytest.raises(UrlError):
        checked_scope(Scope(starts=("http://[",)))


@pytest.mark.parametrize("name", ["", "a b", "../x", "-a", "a" * 81, "a/b"])
def test_names_that_cannot_be(name: str) -> None:
    with pytest.raises(UsageError, match="no name"):
        checked_name(name)
    assert checked_name("prensa-2025") == "prensa-2025"
