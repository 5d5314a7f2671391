from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.crawl.frontier import seen as seens
from trasmallo.crawl.frontier.seen import Seen
from trasmallo.errors import StoreDamaged
from trasmallo.model import Target


def targets(numbers: list[int]) -> list[Target]:
    return [Target(f"http://a.example/{number}", depth) for depth, number in enumerate(numbers)]


def flush(seen: Seen, name: str) -> None:
    seen.commit(seen.flush(name))


@given(batches=st.lists(st.lists(st.integers(0, 60), max_size=30), max_size=12), flushes=st.sets(st.integers(0, 11)))
def test_admits_each_url_once_wherever_it_lies(
    tmp_path_factory: pytest.TempPathFactory, batches: list[list[int]], flushes: set[int]
) -> None:
    folder = tmp_path_factory.mktemp("seen")
    seen, known = Seen(folder, warm=5), set()
    for place, batch in enumerate(batches):
        fresh = list(dict.fromkeys(number for number in batch if number not in known))
        known.update(batch)
        admitted = seen.admit(targets(batch))
        assert [target.url for target in admitted] == [f"http://a.example/{number}" for number in fresh]
        assert [target.depth for target in admitted] == [batch.index(number) for number in fresh]
        if place in flushes:
            flush(seen, f"seen-{place}")
        seen.work(lambda place=place: folder / f"merged-{place}")  # type: ignore[misc]
    assert len(seen) == len(known)


def test_runs_are_merged_so_that_they_stay_few(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seens, "_SLICE_KEYS", 50)
    seen = Seen(tmp_path)
    for step in range(64):
        assert len(seen.admit(targets(list(range(step * 10)[-40:]) + list(range(step * 10, step * 10 + 10))))) == 10
        flush(seen, f"seen-{step}")
        for _ in range(9):
            seen.work(lambda step=step: tmp_path / f"merged-{step}")  # type: ignore[misc]
    assert len(seen.runs) <= 5
    assert sum(run.count for run in seen.runs) == 640
    again = Seen(tmp_path, seen.runs)
    assert again.admit(targets(list(range(650)))) == targets(list(range(650)))[640:]


def test_a_merge_that_is_given_up_leaves_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seens, "_SLICE_KEYS", 50)
    seen = Seen(tmp_path)
    for step in range(4):
        seen.admit(targets(list(range(step * 100, step * 100 + 100))))
        flush(seen, f"seen-{step}")
    seen.work(lambda: tmp_path / "merged")
    assert seen.unfinished == ["merged"]
    seen.close()
    assert {path.name for path in tmp_path.iterdir()} == {"seen-0", "seen-1", "seen-2", "seen-3"}
    assert not seen.admit(targets(list(range(400))))


def test_flush_forgets_nothing_before_commit(tmp_path: Path) -> None:
    seen = Seen(tmp_path)
    seen.admit(targets([1]))
    seen.flush("seen-1")
    assert seen.newest == 1
    assert not seen.admit(targets([1]))


def test_damage_is_found_when_opening(tmp_path: Path) -> None:
    seen = Seen(tmp_path)
    seen.admit(targets([1, 2, 3]))
    flush(seen, "seen-1")
    path = tmp_path / "seen-1"
    data = path.read_bytes()
    path.write_bytes(data[:-1] + bytes([data[-1] ^ 1]))
    with pytest.raises(StoreDamaged, match="seen-1"):
        Seen(tmp_path, seen.runs)
    path.write_bytes(data[:-1])
    with pytest.raises(StoreDamaged, match=f"ends at byte {len(data) - 1}"):
        Seen(tmp_path, seen.runs)
