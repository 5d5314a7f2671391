from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.store import digests
from trasmallo.store.digests import NAME, damaged_files, require, seal, sealed_files, unseal, verify
from trasmallo.values.errors import StoreDamaged


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.parquet", "b.parquet"):
        (tmp_path / name).write_bytes(name.encode() * 100)
    seal(tmp_path, tmp_path.glob("*.parquet"))
    return tmp_path


def test_what_was_sealed_is_verified(folder: Path) -> None:
    assert sealed_files(folder).keys() == {"a.parquet", "b.parquet"}
    verify(folder / "a.parquet")
    require(folder)
    assert not list(damaged_files(folder))


@pytest.mark.parametrize("damage", [b"", b"b" * 900, b"x"])
def test_another_content_is_told_also_when_it_was_sound_before(folder: Path, damage: bytes) -> None:
    verify(folder / "a.parquet")
    (folder / "a.parquet").write_bytes(damage)
    with pytest.raises(StoreDamaged, match=r"a\.parquet is not what was written: .*trasmallo repair"):
        verify(folder / "a.parquet")
    assert [damage.problem for damage in damaged_files(folder)] == [f"{folder / 'a.parquet'} is not what was written"]


def test_a_lost_file_is_told(folder: Path) -> None:
    (folder / "b.parquet").unlink()
    for ask in (lambda: verify(folder / "b.parquet"), lambda: require(folder)):
        with pytest.raises(StoreDamaged, match=r"b\.parquet is missing"):
            ask()


def test_the_list_itself_is_sealed(folder: Path) -> None:
    path = folder / NAME
    path.write_bytes(path.read_bytes().replace(b"a.parquet", b"c.parquet"))
    with pytest.raises(StoreDamaged, match="digest differs"):
        verify(folder / "a.parquet")
    assert len(list(damaged_files(folder))) == 1
    unseal(folder)
    verify(folder / "a.parquet")
    with pytest.raises(StoreDamaged, match="is missing"):
        require(folder)


def test_what_nobody_sealed_is_taken_as_it_is(tmp_path: Path) -> None:
    verify(tmp_path / "never.parquet")
    assert sealed_files(tmp_path / "nowhere") == {}


def test_what_nobody_asks_for_is_forgotten(folder: Path) -> None:
    verify(folder / "a.parquet")
    remembered = len(digests._listed), len(digests._verified)
    digests.forget(folder.parent / folder.name[:-1])
    assert (len(digests._listed), len(digests._verified)) == remembered, "a folder whose name begins alike is another"
    digests.forget(folder)
    assert (len(digests._listed), len(digests._verified)) == (remembered[0] - 1, remembered[1] - 1)
    (folder / "a.parquet").write_bytes(b"x")
    with pytest.raises(StoreDamaged):
        verify(folder / "a.parquet")
