from __future__ import annotations

import struct
from pathlib import Path

import msgspec
import numpy as np
import pytest
import xxhash
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.store.tokens.sections import Directory, Sections, Writer
from trasmallo.values.errors import StoreDamaged, StoreTooNew


def write(path: Path) -> Path:
    with Writer(path) as writer:
        writer.reserve("growing", np.uint16, 4)
        writer.add("whole", np.arange(5, dtype=np.int64))
        writer.add("empty", np.zeros(0, dtype=np.uint8))
        writer.append("growing", np.array([1, 2, 3], dtype=np.int64))
        writer.append("growing", np.array([4], dtype=np.uint16))
        writer.finish(("es", "en"))
    return path


def test_arrays_that_grow_side_by_side(tmp_path: Path) -> None:
    sections = Sections(write(tmp_path / "file"))
    sections.verify()
    assert sections.array("growing").tolist() == [1, 2, 3, 4]
    assert sections.array("whole").tolist() == [0, 1, 2, 3, 4]
    assert sections.array("empty").tolist() == []
    assert sections.languages == ("es", "en")
    assert ("whole" in sections, "other" in sections) == (True, False)


def test_arrays_live_longer_than_their_file(tmp_path: Path) -> None:
    path = write(tmp_path / "file")
    array = Sections(path).array("whole")
    path.unlink()
    assert array.sum() == 10
    with pytest.raises(ValueError, match="read-only"):
        array[0] = 1


def test_an_array_that_is_not_there_is_damage(tmp_path: Path) -> None:
    with pytest.raises(StoreDamaged, match="has no other"):
        Sections(write(tmp_path / "file")).array("other")


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_damage_anywhere_is_told(tmp_path_factory: pytest.TempPathFactory, data: st.DataObject) -> None:
    path = write(tmp_path_factory.mktemp("damage") / "file")
    body = bytearray(path.read_bytes())
    used = [*range(8), *range(64, 72), *range(128, 168), *range(192, len(body))]
    if data.draw(st.booleans()):
        body[data.draw(st.sampled_from(used))] ^= data.draw(st.integers(1, 255))
    else:
        del body[data.draw(st.integers(0, len(body) - 1)) :]
    path.write_bytes(body)
    with pytest.raises(StoreDamaged, match="trasmallo repair"):
        Sections(path).verify()


def test_an_unfinished_file_is_refused(tmp_path: Path) -> None:
    with Writer(tmp_path / "file") as writer:
        writer.add("whole", np.arange(5_000))
    with pytest.raises(StoreDamaged):
        Sections(tmp_path / "file")


def test_a_later_version_is_refused(tmp_path: Path) -> None:
    body = msgspec.msgpack.encode(Directory(2, (), {}))
    trailer = struct.pack("<QQQ8s", 8, len(body), xxhash.xxh3_64_intdigest(body), b"trasmtok")
    (tmp_path / "file").write_bytes(b"trasmtok" + body + trailer)
    with pytest.raises(StoreTooNew):
        Sections(tmp_path / "file")
