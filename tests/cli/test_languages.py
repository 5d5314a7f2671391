"""The command that tells languages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from support.command_line import Done

Command = Callable[..., Done]

SPANISH = (
    "La red se cala al anochecer y se recoge de madrugada, cuando el viento ha calmado y vuelven los barcos al puerto. " * 2
)
ENGLISH = (
    "The net is cast at dusk and hauled in before dawn, when the wind has dropped and the boats come back to the port. " * 2
)


def test_a_page_in_two_languages(tmp_path: Path, trasmallo: Command) -> None:
    page = f"<html lang=es><title>Redes</title><body><p>{SPANISH}</p><p>{ENGLISH}</p><p>{SPANISH}</p></body></html>"
    (tmp_path / "a.html").write_text(page, encoding="utf-8")
    found = trasmallo("languages", tmp_path / "a.html", "--json").rows()
    assert [(block["language"], block["text"]) for block in found] == [
        ("es", SPANISH.strip()),
        ("en", ENGLISH.strip()),
        ("es", SPANISH.strip()),
    ]
    lines = trasmallo("languages", tmp_path / "a.html").out.splitlines()
    assert [line.partition("\t")[0] for line in lines] == ["language", "es", "en", "es"]
