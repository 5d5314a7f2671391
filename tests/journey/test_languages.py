"""A corpus in several languages: each counts by itself, the project's own comes first, and those not wanted are left out."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project
from trasmallo.results.graphs import collocation_graph

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
    (made / "en.html").write_text(page("es", *ENGLISH, "All of the boats are at sea, so there are no men.", *ENGLISH))
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


@pytest.fixture(scope="module")
def project(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Project:
    """All three pages, in a project whose language is Spanish."""
    path = tmp_path_factory.mktemp("all") / "p"
    file = Project.new(path, language="es").folder / "trasmallo.toml"
    file.write_text(file.read_text().replace("collocation_frequency = 5", "collocation_frequency = 2"))
    project = Project.open(path)
    project.import_file(folder)
    return project


def languages_of(project: Project, table: str, column: str, value: str) -> set[object]:
    return {row["language"] for row in project.table(table, where=[f"{column}={value}"])}


def test_an_untranslated_paragraph_counts_in_its_own_language(project: Project) -> None:
    (mixed,) = (row["document"] for row in project.table("pages", where=["url~mixed"]))
    of_page = {str(row["word"]): row["language"] for row in project.table("words_by_page", where=[f"document={mixed}"])}
    assert (of_page["harbour"], of_page["sailors"], of_page["puerto"]) == ("en", "en", "es")
    assert languages_of(project, "words", "word", "the") == languages_of(project, "lemmas", "lemma", "sailor") == {"en"}
    assert (
        languages_of(project, "unknown", "word", "barcoteca")
        == languages_of(project, "neologisms", "word", "barcoteca")
        == {"es"}
    )
    assert languages_of(project, "neologisms", "word", "boatery") == {"en"}
    assert {row["language"] for row in project.table("regimes", where=["preposition=of"])} <= {"en"}


@pytest.mark.parametrize("table", ["words", "words_by_category", "lemmas", "segments", "collocations", "regimes", "neologisms"])
def test_the_language_of_the_project_comes_first_and_any_can_be_chosen(
    project: Project, table: str, trasmallo: Command
) -> None:
    found = [row["language"] for row in project.table(table)]
    assert found == sorted(found, key=lambda language: language != "es")
    english = trasmallo("list", project.folder, table, "--where", "language=en", "--limit", "0", "--json").rows()
    assert len(english) == found.count("en") < len(found)


def test_the_laws_of_a_language_are_those_of_its_words(project: Project) -> None:
    for language in ("es", "en"):
        words = project.table("words", where=[f"language={language}"])
        laws = project.laws(language=language)
        assert (laws.words, laws.types) == (sum(int(row["count"]) for row in words), len(words))


def test_a_word_of_two_languages_is_one_of_the_different_words(project: Project) -> None:
    words = [str(row["word"]) for row in project.table("words")]
    assert project.summary().types == len(set(words)) < len(words)


def test_the_graph_of_pairs_begins_with_the_language_of_the_project(project: Project) -> None:
    with project.tables() as tables:
        drawn = collocation_graph(tables, least=2, edges=5)
        spanish = {row["first"] for row in project.table("collocations", where=["language=es"])}
    assert drawn.edges
    assert {drawn.nodes[edge.source].name for edge in drawn.edges} <= spanish
