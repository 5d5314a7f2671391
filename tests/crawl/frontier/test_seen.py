from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.frontier import seen as seens
from trasmallo.crawl.frontier.seen import DigestTable, Seen, SeenInfo
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Target

NEW = SeenInfo("seen", 0)


def targets(numbers: list[int]) -> list[Target]:
    return [Target(f"http://a.example/{number}", depth) for depth, number in enumerate(numbers)]


def flush(seen: Seen) -> None:
    seen.commit(seen.flush())


@given(batches=st.lists(st.lists(st.integers(0, 60), max_size=30), max_size=12), flushes=st.sets(st.integers(0, 11)))
def test_admits_each_url_once_wherever_it_lies(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[int]], flushes: set[int]
) -> None:
    folder = tmp_path_factory.mktemp("seen")
    seen, known = Seen(folder, NEW, warm=5), set()
    for place, batch in enumerate(batches):
        fresh = list(dict.fromkeys(number for number in batch if number not in known))
        known.update(batch)
        admitted = seen.admit(targets(batch))
        assert [target.url for target in admitted] == [f"http://a.example/{number}" for number in fresh]
        assert [target.depth for target in admitted] == [batch.index(number) for number in fresh]
        if place in flushes:
            flush(seen)
            seen = Seen(folder, seen.info, warm=5)
    assert len(seen) == len(known)


def test_tables_grow_and_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seens, "_SORTED", 7000)
    seen = Seen(tmp_path, NEW, warm=100)
    for start in range(0, 60_000, 3000):
        assert len(seen.admit(targets(list(range(max(start - 500, 0), start + 3000))))) == 3000
        flush(seen)
    again = Seen(tmp_path, seen.info)
    assert len(again) == 60_000
    assert again.admit(targets(list(range(60_010)))) == targets(list(range(60_010)))[60_000:]


def test_a_table_whose_digests_all_have_one_home_still_holds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Seen(tmp_path, NEW)
    digests = iter([(number * seen._tables[7].homes * 997 << 8) + 7 for number in range(1, 400)])
    chosen = {f"http://a.example/{number}".encode(): next(digests) for number in range(399)}
    monkeypatch.setattr(xxhash, "xxh3_64_intdigest", chosen.__getitem__)
    assert len(seen.admit(targets(list(range(399))))) == 399
    seen._warm.clear()
    assert seen.admit(targets(list(range(399)))) == []


def test_the_digest_that_marks_a_free_slot_is_known_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen = Seen(tmp_path, NEW, warm=0)
    monkeypatch.setattr(xxhash, "xxh3_64_intdigest", lambda url: 0)
    assert len(seen.admit(targets([1]))) == 1
    seen._older.clear()
    assert seen.admit(targets([1])) == []


def test_a_table_holds_what_it_was_made_of() -> None:
    keys = np.random.default_rng(5).integers(1, 1 << 63, 1000, np.uint64)
    table = DigestTable(keys, 1400)
    assert sorted(table.keys().tolist()) == sorted(keys.tolist())
    assert list(table.slots[-2:]) == [0, 0]


def test_what_was_flushed_and_not_committed_is_flushed_again(tmp_path: Path) -> None:
    seen = Seen(tmp_path, NEW)
    seen.admit(targets([1]))
    seen.flush()
    seen.admit(targets([2]))
    assert seen.newest == 2
    flush(seen)
    assert seen.newest == 0
    assert len(Seen(tmp_path, seen.info)) == 2


def test_what_comes_after_the_last_checkpoint_is_not_looked_at(tmp_path: Path) -> None:
    seen = Seen(tmp_path, NEW)
    seen.admit(targets([1]))
    flush(seen)
    with (tmp_path / "seen").open("ab") as file:
        file.write(b"torn")
    again = Seen(tmp_path, seen.info)
    assert len(again) == 1
    again.admit(targets([2]))
    flush(again)
    assert len(Seen(tmp_path, again.info)) == 2


def test_damage_is_found_when_opening(tmp_path: Path) -> None:
    seen = Seen(tmp_path, NEW)
    for batch in ([1, 2, 3], [4, 5]):
        seen.admit(targets(batch))
        flush(seen)
    path = tmp_path / "seen"
    data = path.read_bytes()
    path.write_bytes(data[:40] + bytes([data[40] ^ 1]) + data[41:])
    with pytest.raises(StoreDamaged, match="seen is damaged at byte 16"):
        Seen(tmp_path, seen.info)
    path.write_bytes(data[:-1])
    with pytest.raises(StoreDamaged, match=f"instead of {len(data)}"):
        Seen(tmp_path, seen.info)
    path.unlink()
    with pytest.raises(StoreDamaged, match="byte 16 instead of"):
        Seen(tmp_path, seen.info)
