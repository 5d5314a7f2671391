"""One document of a run, seen from all sides: a page that was stored twice and changed in between."""

from __future__ import annotations

import gzip
from collections.abc import Iterator

import pytest

from support.warc_answers import answer, files_of
from trasmallo.project.project import Project
from trasmallo.results.document import WORDS, DocumentRoom
from trasmallo.store.archive import Archive
from trasmallo.store.parts import document_id
from trasmallo.values.errors import NotFound

URL = "http://a.es/"
ID = document_id(URL)
KEPT = "La primera frase, que dice lo mismo en las dos versiones de esta página de prueba."
OLD, NEW = "Una frase vieja que después se quitó del texto por completo.", "Otra frase nueva que antes no estaba en el texto."
LONG = "palabra repetida " * 1_500


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    folder = tmp_path_factory.mktemp("documents")
    project = Project.new(folder / "corpus", [URL])
    for at, text in ((1e9, OLD), (1.1e9, NEW)):
        body = f"<html lang=es><title>Prueba</title><p>{KEPT}</p><p>{text}</p><p>{LONG}</p></html>".encode()
        with Archive(folder / str(at), software="t/0") as archive:
            archive.append(answer(body=body, url=URL, at=at))
        project.import_file(files_of(folder / str(at))[0])
    return project


@pytest.fixture
def room(project: Project) -> Iterator[DocumentRoom]:
    with project.documents() as room:
        yield room


def test_the_card_tells_what_is_known(room: DocumentRoom) -> None:
    card = room.card(ID)
    assert (card.page["title"], card.page["url"], card.page["language"]) == ("Prueba", URL, "es")
    assert card.measures["document"] == ID
    assert (card.copies, card.linked_from, card.links) == ((), 0, 0)


def test_words_are_those_of_the_text(room: DocumentRoom) -> None:
    passage = room.passage(ID)
    assert (len(passage.words), passage.begin) == (WORDS, 0)
    assert passage.total > 3_000
    text = room.text(ID)
    assert "".join(word.before + word.text for word in passage.words) == text[: passage.words[-1].end]
    phrase = passage.words[2]
    assert (phrase.text, phrase.lemma, phrase.category) == ("frase", "frase", "NOUN")
    assert ("primero", "ADJ") in {(reading.lemma, reading.category) for reading in passage.words[1].readings}


def test_the_passage_around_a_character_holds_it(room: DocumentRoom) -> None:
    passage = room.passage(ID, at=len(room.text(ID)) - 1)
    assert passage.begin == WORDS
    assert passage.words[-1].end == len(room.text(ID).rstrip())
    assert room.passage(ID, begin=10**9).begin == passage.total - 1


def test_a_document_is_there_as_each_run_stored_it(room: DocumentRoom) -> None:
    assert NEW in room.stored(ID).content.decode()
    assert OLD in room.stored(ID, 1e9).content.decode()


def test_the_record_is_a_file_of_its_own(room: DocumentRoom) -> None:
    assert gzip.decompress(room.record(ID)).startswith(b"WARC/1.1")


@pytest.mark.parametrize("document", ["", "x", "0" * 16, ID.upper() + "'", "' OR true --"])
def test_what_is_not_there_is_told(room: DocumentRoom, document: str) -> None:
    with pytest.raises(NotFound, match="choose one of the table of pages"):
        room.card(document)


def test_before_the_first_version_nothing_is_stored(room: DocumentRoom) -> None:
    with pytest.raises(NotFound, match="choose another version"):
        room.stored(ID, 1.0)
