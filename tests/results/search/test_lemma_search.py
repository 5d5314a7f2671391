"""Search by lemma in context: what the tagger said of each token decides, not how it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.project.project import Project
from trasmallo.results.run_corpus import open_corpus
from trasmallo.results.search.lemma_search import LemmaSearch
from trasmallo.store import run_folders
from trasmallo.values.errors import UsageError

TEXTS = {
    "verbo": "Mi hermano no vino a la fiesta. Llegó a casa de noche y no contó nada a nadie.",
    "nombre": "Bebimos un vino tinto de la Rioja. Aquel vino estaba muy bueno, y la comida también.",
    "ambos": "Los vinos blancos se sirven fríos. Mañana vendrán los invitados a probarlos en la bodega.",
    "ninguno": "La casa está vacía y nadie quiere vivir en ella desde el último invierno.",
}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder: Path = tmp_path_factory.mktemp("lemmas")
    (folder / "pages").mkdir()
    for name, text in TEXTS.items():
        page = f"<html lang=es><title>{name}</title><body><p>{text}</p></body></html>"
        (folder / "pages" / f"{name}.html").write_text(page, encoding="utf-8")
    project = Project.new(folder / "project", [])
    project.import_file(folder / "pages")
    return project


def titles(project: Project, query: str) -> set[str]:
    found = project.find(query)
    assert found.total == len(found.hits)
    return {hit.title for hit in found.hits}


def test_a_word_is_found_as_the_lemma_that_it_is(project: Project) -> None:
    assert titles(project, "lemma:venir") == {"verbo", "ambos"}
    assert titles(project, "lemma:vino") == {"nombre", "ambos"}
    assert titles(project, "vino") == {"verbo", "nombre", "ambos"}


def test_only_words_that_are_of_the_lemma_are_marked(project: Project) -> None:
    def marked(query: str, title: str) -> list[str]:
        hit = next(hit for hit in project.find(query).hits if hit.title == title)
        return [piece.text for piece in hit.snippet.pieces if piece.hit]

    assert marked("lemma:vino", "ambos") == ["vinos"]
    assert marked("lemma:venir", "ambos") == ["vendrán"]
    assert marked("lemma:venir casa", "verbo") == ["vino", "casa"]


def test_capitals_and_accents_do_not_count_unless_it_is_quoted(project: Project) -> None:
    assert titles(project, "lemma:VENIR") == titles(project, "lemma:venír") == titles(project, "lemma:venir")
    assert titles(project, 'lemma:"Venir"') == set()
    assert titles(project, 'lemma:"venir"') == {"verbo", "ambos"}


def test_a_category_may_be_told(project: Project) -> None:
    assert titles(project, "lemma:vino/NOUN") == titles(project, "lemma:vino/noun") == {"nombre", "ambos"}
    assert titles(project, "lemma:vino/VERB") == titles(project, "lemma:vino/NOTHING") == set()


def test_lemmas_stand_beside_everything_else(project: Project) -> None:
    assert titles(project, "+lemma:venir +casa") == {"verbo"}
    assert titles(project, "casa -lemma:venir") == {"ninguno"}
    assert titles(project, "(lemma:beber lemma:vivir)") == {"nombre", "ninguno"}


def test_a_form_in_the_place_of_a_lemma_is_corrected(project: Project) -> None:
    assert project.find("lemma:vendrán").suggestion == "lemma:venir"
    assert project.find("lemma:venir").suggestion == ""
    assert project.find("lemma:xyzzy").suggestion == ""


def test_a_part_of_a_lemma_is_refused(project: Project) -> None:
    with pytest.raises(UsageError, match="a lemma is given whole"):
        project.find("lemma:ven*")
    with pytest.raises(UsageError, match="a lemma is given whole"):
        project.find("lemma:venir~1")


def test_all_hits_and_estimates_know_lemmas(project: Project) -> None:
    assert {hit.title for hit in project.find_every("lemma:vino")} == {"nombre", "ambos"}
    assert project.estimate("lemma:vino lemma:venir").counted == 1


def test_search_and_concordance_agree_for_every_lemma(finished: Project) -> None:
    corpus = open_corpus(run_folders.latest(finished.runs))
    lemmas = LemmaSearch(corpus)
    for lemma in [lemma for lemma in corpus.lemmas.all_texts() if lemma.isalpha()][::97]:
        by_query = {hit.document for hit in finished.kwic(f'[lemma=="{lemma}"]', limit=100_000).hits}
        assert set(lemmas.use(lemma, exact=True).documents) == by_query, lemma


def test_documents_that_are_told_anew_are_left_out(finished: Project) -> None:
    corpus = open_corpus(run_folders.latest(finished.runs))
    documents = LemmaSearch(corpus).use("red").documents
    assert len(documents) > 2
    assert LemmaSearch(corpus, told_anew=documents[:1]).use("red").documents == documents[1:]


def test_a_form_counts_as_often_as_it_is_of_the_lemma(project: Project) -> None:
    lemmas = LemmaSearch(open_corpus(run_folders.latest(project.runs)))
    assert lemmas.use("venir").forms == {"vino": pytest.approx(1 / 3), "vendran": 1.0}
    assert lemmas.lemma_of("VINOS") == "vino"
    assert lemmas.lemma_of("xyzzy") == ""
