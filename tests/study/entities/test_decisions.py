"""Decisions about entities: kept in a file, undone one by one, later ones win."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.study.entities.decisions import FILE_NAME, EntityDecision, Renamed, Split, decide, load, resolved, stamp, undo
from trasmallo.values.errors import UsageError


def merge(one: str, other: str) -> EntityDecision:
    return EntityDecision("merge", "PER", one, other)


def test_they_are_kept_and_undone_in_their_order(tmp_path: Path) -> None:
    assert (load(tmp_path), stamp(tmp_path), undo(tmp_path)) == ([], (0,), None)
    decide(tmp_path, [merge("A. Pérez", "Ana Pérez")])
    path = tmp_path / FILE_NAME
    path.write_text(path.read_text("utf-8") + "# a comment\n", "utf-8")
    decide(tmp_path, [EntityDecision("block", "LOC", "Ayer"), EntityDecision("kind", "ORG", "Soria", "LOC")])
    assert [one.act for one in load(tmp_path)] == ["merge", "block", "kind"]
    assert (undone := undo(tmp_path)) is not None and undone.act == "kind"
    assert [one.act for one in load(tmp_path)] == ["merge", "block"]
    assert "# a comment" in path.read_text("utf-8")


def test_chains_are_followed_and_circles_end() -> None:
    names, _ = resolved([merge("a", "b"), merge("b", "c")])
    assert names == [Renamed("a", "PER", "c", "PER", False), Renamed("b", "PER", "c", "PER", False)]
    names, _ = resolved([merge("a", "b"), merge("b", "a")])
    assert names == [Renamed("b", "PER", "a", "PER", False)]


def test_blocks_kinds_and_splits() -> None:
    decisions = [
        merge("a", "b"),
        EntityDecision("block", "PER", "b"),
        EntityDecision("kind", "PER", "c", "LOC"),
        EntityDecision("split", "PER", "b", "x"),
    ]
    names, splits = resolved(decisions)
    assert {(one.entity, one.new_kind, one.blocked) for one in names} == {
        ("a", "PER", True), ("b", "PER", True), ("c", "LOC", False),
    }  # fmt: skip
    assert splits == [Split("b", "PER", "x")]


@given(
    st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from("abcd")).filter(lambda pair: pair[0] != pair[1]), max_size=8)
)
def test_any_merges_end_with_names_that_stay(pairs: list[tuple[str, str]]) -> None:
    names, _ = resolved([merge(*pair) for pair in pairs])
    told = {one.entity: one.name for one in names}
    assert all(told.get(name, name) == name or told[name] in told.values() for name in told.values())
    if pairs:
        assert told.get(pairs[-1][0]) is not None


@pytest.mark.parametrize(
    "line",
    ["join\tPER\ta\tb", "merge\tPER\ta", "merge\t\ta\tb", "merge\tPER\ta\ta", "block\tPER", "split\tPER\t" + "a" * 2_000],
)
def test_a_line_that_is_none_is_told(tmp_path: Path, line: str) -> None:
    (tmp_path / FILE_NAME).write_text(f"# act\n{line}\n", "utf-8")
    with pytest.raises(UsageError, match="line 2"):
        load(tmp_path)


def test_what_cannot_be_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        decide(tmp_path, [merge("a", "b"), merge("a\tb", "c")])
    assert not (tmp_path / FILE_NAME).exists()
    (tmp_path / FILE_NAME).write_bytes(b"\xff")
    with pytest.raises(UsageError, match="UTF-8"):
        load(tmp_path)
