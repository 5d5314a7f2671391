"""Boosts of an index."""

from __future__ import annotations

from pathlib import Path

from trasmallo.store.index.boosts import NAME, Boost, Boosts

GREATEST = (1 << 64) - 1


def test_documents_have_their_boosts_and_others_none(tmp_path: Path) -> None:
    Boosts.of([Boost(GREATEST, 1.5, 7), Boost(3, 0.5, 8)]).write(tmp_path)
    found = Boosts.read(tmp_path)
    assert found.documents.tolist() == [3, GREATEST]
    assert found.values([GREATEST, 4, 3, 0]) == [1.5, 1.0, 0.5, 1.0]
    assert found.values([]) == []


def test_without_a_file_all_are_neutral(tmp_path: Path) -> None:
    Boosts.of([]).write(tmp_path)
    assert not (tmp_path / NAME).exists()
    assert Boosts.read(tmp_path).values([1, 2]) == [1.0, 1.0]


def test_a_linked_file_is_not_written_into(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    for folder in (before, after):
        folder.mkdir()
    Boosts.of([Boost(1, 2.0, 0)]).write(before)
    (after / NAME).hardlink_to(before / NAME)
    Boosts.of([Boost(1, 3.0, 0)]).write(after)
    assert [Boosts.read(folder).values([1]) for folder in (before, after)] == [[2.0], [3.0]]


def test_what_others_say_of_a_document_is_compared() -> None:
    before = Boosts.of([Boost(1, 1.0, 10), Boost(2, 1.0, 20), Boost(3, 1.0, 30)])
    now = Boosts.of([Boost(1, 9.0, 10), Boost(2, 1.0, 21), Boost(4, 1.0, 10)])
    assert now.told_anew(before).tolist() == [2, 4]
