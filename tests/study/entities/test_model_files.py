"""Files of models."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.study.entities.markov import train
from trasmallo.study.entities.model_files import load, save
from trasmallo.values.errors import DocumentError

MODEL = train([[("Ana", "B-PER"), ("vive", "O")]], language="es", made_from="a test")


def test_a_model_comes_back(tmp_path: Path) -> None:
    digest = save(MODEL, tmp_path / "m")
    assert load(tmp_path / "m") == MODEL
    assert len(digest) == 64


def test_a_damaged_model_is_refused(tmp_path: Path) -> None:
    save(MODEL, tmp_path / "m")
    content = (tmp_path / "m").read_bytes()
    greedy = b"\x28\xb5\x2f\xfd\xe0" + (1 << 62).to_bytes(8, "little") + bytes(40)  # a zstd frame larger than any memory
    for bad in (b"", b"no model", content[:-4], content[:20] + bytes([content[20] ^ 1]) + content[21:], greedy):
        (tmp_path / "m").write_bytes(bad)
        with pytest.raises(DocumentError, match="no model of entities"):
            load(tmp_path / "m")
    with pytest.raises(DocumentError, match="cannot read"):
        load(tmp_path / "none")
