"""Files of tables: whole, or in layers."""

from __future__ import annotations

from pathlib import Path

from trasmallo.store.layers import find_table, layer_files, link, link_table, names_of, whole_file


def test_a_table_is_one_file_or_three(tmp_path: Path) -> None:
    assert find_table(tmp_path, "words") is None
    layers = layer_files(tmp_path, "words")
    for path in layers.all[:2]:
        path.write_text("x")
    assert find_table(tmp_path, "words") is None, "its own rows are put in place last"
    layers.all[2].write_text("x")
    assert find_table(tmp_path, "words") == layers
    assert layers.layered
    whole_file(tmp_path, "words").write_text("x")
    found = find_table(tmp_path, "words")
    assert found is not None
    assert (found.all, found.layered) == ([tmp_path / "words.parquet"], False)
    assert {path.name for path in tmp_path.iterdir()} == set(names_of("words"))


def test_files_of_others_are_linked_whatever_stood_there(tmp_path: Path) -> None:
    before, now = tmp_path / "before", tmp_path / "now"
    before.mkdir()
    now.mkdir()
    whole_file(before, "words").write_text("rows")
    whole_file(now, "words").write_text("others")
    link_table(before, now, "words")
    link_table(before, now, "lemmas")
    assert [(path.name, path.read_text()) for path in now.iterdir()] == [("words.parquet", "rows")]
    whole_file(before, "words").unlink()
    assert whole_file(now, "words").read_text() == "rows"
    link(whole_file(now, "words"), layer_files(now, "words").base)
    assert layer_files(now, "words").base.samefile(whole_file(now, "words"))
