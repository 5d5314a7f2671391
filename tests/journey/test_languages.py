"""A corpus in several languages: each counts by itself, the project's own comes first, and those not wanted are left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project

Command = Callable[..., Done]

SPANISH = (
    "La barca vuelve al puerto cuando el viento calma y los marineros recogen las redes sobre la cubierta.",
    "En la lonja de la barcoteca se vende el pescado de la noche, y todo el pueblo baja a la playa para verlo.",
)
ENGLISH = (
    "The boat comes back to the harbour when the wind drops and the sailors haul in all of the nets on the deck.",
    "In the market of the boatery they sell the fish of the night, and the whole town goes to the beach to see the nets.",
)


def page(language: str, *paragraphs: str) -> str:
    body = "".join(f"<p>{text}</p>" for text in paragraphs)
    return f"<html lang={language}><title>{paragraphs[0][:20]}</title><body>{body}</body></html>"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three pages: one in Spanish, one in English, one in Spanish with a paragraph that nobody translated."""
    made = tmp_path_factory.mktemp("pages")
    (made / "es.html").write_text(page("es", *SPANISH, "Los barcos salen al mar y las redes quedan en el puerto.", *SPANISH))
    (made / "en.html").write_text(page("es", *ENGLISH, "All of the boats are at sea, and so are the men.", *ENGLISH))
    (made / "mixed.html").write_text(page("es", *SPANISH[::-1], "Esta parte no la tradujo nadie.", ENGLISH[0], *SPANISH))
    return made


def test_documents_in_languages_that_are_not_wanted_are_left_out_and_counted(
    folder: Path, tmp_path: Path, trasmallo: Command
) -> None:
    assert trasmallo("new", tmp_path / "p", "--languages", "es").code == 0
    project = Project.open(tmp_path / "p")

    summary = project.import_file(folder)

    assert (summary.documents, summary.languages) == (2, {"es": 2})
    assert (summary.left_out, summary.dropped) == ({"en": 1}, {"in another language": 1})
    assert [row["language"] for row in project.table("pages", where=["drop=in another language"])] == ["en"]
    assert [(one.what, one.cause) for one in project.incidents()] == [("in another language", "en")]
