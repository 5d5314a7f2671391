"""Saved queries and the history on disk."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.store import kept_queries
from trasmallo.store.kept_queries import FOLDER, LONGEST_HISTORY, KeptQuery
from trasmallo.values.errors import NotFound, StoreDamaged, UsageError


def test_saved_queries_are_found_by_name_until_they_are_removed(tmp_path: Path) -> None:
    first = KeptQuery(name="red", query='[lemma="red"]', options={"sort": "right", "where": ("words>9",)}, when="2026-11-19")
    kept_queries.save_query(tmp_path, first)
    kept_queries.save_query(tmp_path, KeptQuery(name="Ñandú 2", query="ñandú"))
    assert kept_queries.find_query(tmp_path, "red") == first
    assert [one.name for one in kept_queries.saved_queries(tmp_path)] == ["red", "Ñandú 2"]
    kept_queries.save_query(tmp_path, KeptQuery(name="red", query="redes"))
    assert kept_queries.find_query(tmp_path, "red").query == "redes"
    assert kept_queries.remove_query(tmp_path, "red").query == "redes"
    with pytest.raises(NotFound, match="save one with|did you mean"):
        kept_queries.remove_query(tmp_path, "red")


def test_names_are_checked(tmp_path: Path) -> None:
    for name in ("", " x", "../x", "x" * 61, "a\nb"):
        with pytest.raises(UsageError, match="begin with a letter"):
            kept_queries.save_query(tmp_path, KeptQuery(name=name, query="red"))
    kept_queries.save_query(tmp_path, KeptQuery(name="reds", query="red"))
    with pytest.raises(NotFound, match="did you mean 'reds'"):
        kept_queries.find_query(tmp_path, "red")


def test_the_history_has_each_query_once_the_latest_first(tmp_path: Path) -> None:
    assert kept_queries.query_history(tmp_path) == []
    for query, hits in (("a", 1), ("b", 2), ("a", 3)):
        kept_queries.remember_query(tmp_path, KeptQuery(query=query, hits=hits))
    kept_queries.remember_query(tmp_path, KeptQuery(query="a", options={"reverse": True}))
    assert [(one.query, one.hits) for one in kept_queries.query_history(tmp_path)] == [("a", None), ("a", 3), ("b", 2)]
    assert kept_queries.forget_history(tmp_path) == 3
    assert kept_queries.query_history(tmp_path) == []


def test_the_history_has_an_end(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    lines = "".join(f'{{"query":"q{number}"}}\n' for number in range(LONGEST_HISTORY))
    (tmp_path / FOLDER / "history.jsonl").write_text(lines)
    kept_queries.remember_query(tmp_path, KeptQuery(query="last"))
    found = kept_queries.query_history(tmp_path)
    assert (len(found), found[0].query, found[-1].query) == (LONGEST_HISTORY, "last", "q1")


def test_damage_is_told_with_the_file(tmp_path: Path) -> None:
    (tmp_path / FOLDER).mkdir()
    (tmp_path / FOLDER / "saved.jsonl").write_text('{"query":')
    with pytest.raises(StoreDamaged, match=r"saved\.jsonl is damaged.*mend that line"):
        kept_queries.saved_queries(tmp_path)


def test_a_choice_is_written_as_it_is_typed() -> None:
    options = {"sort": "right", "reverse": True, "where": ("a=1", "b=2"), "in_group": "x", "not_in": ("y",), "per_document": 1}
    told = KeptQuery(query="red", options=options).flags
    assert told == [
        *("--sort", "right", "--reverse", "--where", "a=1", "--where", "b=2"),
        *("--in", "x", "--not-in", "y", "--per-document", "1"),
    ]
