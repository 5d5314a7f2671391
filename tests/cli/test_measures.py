"""The command that measures a text."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.command_line import Done
from support.stored_pages import html

Command = Callable[..., Done]


def test_measures_of_a_spanish_page(tmp_path: Path, trasmallo: Command) -> None:
    (tmp_path / "a.html").write_bytes(html("La farola alumbra."))
    found = trasmallo("measures", tmp_path / "a.html", "--json").value()
    assert (found["language"], found["words"], found["sentences"]) == ("es", 54, 6)
    assert (found["type_token_ratio"], found["inflesz"]) == (found["types"] / 54, "very easy")
    assert "flesch" not in found
    lines = trasmallo("measures", tmp_path / "a.html").out.splitlines()
    assert lines[0] == "measure\tvalue"
    assert f"szigriszt\t{found['szigriszt']:.4f}" in lines


def test_measures_in_another_language(tmp_path: Path, trasmallo: Command) -> None:
    (tmp_path / "a.html").write_bytes(html("La farola alumbra."))
    found = trasmallo("measures", tmp_path / "a.html", "--language", "en", "--json").value()
    assert "flesch" in found
    assert "szigriszt" not in found
