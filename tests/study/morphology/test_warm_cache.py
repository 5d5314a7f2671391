from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.study.morphology import warm_cache
from trasmallo.study.morphology.warm_cache import WarmCache

SOME = WarmCache([("", 0), ("La", 1)], b"1", b"2", b"3", {4: ("el", "Gender=Fem", ("se",))})


def test_what_was_kept_comes_back(tmp_path: Path) -> None:
    warm_cache.save(tmp_path / "sub" / "es.words", SOME)
    assert warm_cache.load(tmp_path / "sub" / "es.words") == SOME


def test_nothing_or_damage_is_nothing(tmp_path: Path) -> None:
    assert warm_cache.load(tmp_path / "none") is None
    (tmp_path / "broken").write_bytes(b"\x93\x01")
    assert warm_cache.load(tmp_path / "broken") is None


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    warm_cache.save(tmp_path / "file" / "es.words", SOME)


def test_each_convention_and_version_has_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    first = warm_cache.path_of("es", "ancora")
    assert first != warm_cache.path_of("es", "gsd")
    monkeypatch.setattr("trasmallo.study.morphology.warm_cache.__version__", "0.0.0")
    assert warm_cache.path_of("es", "ancora") != first
