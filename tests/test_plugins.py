"""Plug-ins: ours come through the same door as everybody's."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from trasmallo.plugins import GROUPS, load, names
from trasmallo.results.exports.tabular import write_csv
from trasmallo.values.errors import UsageError


def test_our_own_exporters_are_plug_ins() -> None:
    assert set(names("trasmallo.exporters")) >= {"csv", "tsv", "jsonl", "parquet", "tei", "conllu", "vert", "warc"}
    assert load("trasmallo.exporters", "csv") is write_csv


def test_an_unknown_name_is_refused_with_the_nearest() -> None:
    with pytest.raises(UsageError, match=r"there is no 'parket' .*: use one of .*\(perhaps parquet\)$"):
        load("trasmallo.exporters", "parket")


def test_an_unknown_group_is_a_mistake_of_ours() -> None:
    assert all(GROUPS.values())
    with pytest.raises(KeyError):
        names("trasmallo.nothing")


def test_somebody_elses_package_is_loaded_only_when_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    about = tmp_path / "other-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: other\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[trasmallo.exporters]\nmine = other_exporter:write\n")
    (tmp_path / "other_exporter.py").write_text("def write(source, path, wanted):\n    return 42\n")
    monkeypatch.syspath_prepend(tmp_path)
    assert "mine" in names("trasmallo.exporters")
    assert "other_exporter" not in sys.modules
    assert load("trasmallo.exporters", "mine")(None, None, "") == 42
    monkeypatch.delitem(sys.modules, "other_exporter")
