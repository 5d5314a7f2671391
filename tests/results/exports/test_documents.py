"""Documents with their tokens, in order."""

from __future__ import annotations

from pathlib import Path

from support.command_line import hurried
from support.export_checks import document, laid_out, read_vertical
from support.token_documents import write_documents
from trasmallo.demo.site import Site
from trasmallo.events import Event, Studied
from trasmallo.project.project import Project
from trasmallo.results.exports.documents import documents
from trasmallo.results.run_corpus import open_corpus
from trasmallo.store import run_folders
from trasmallo.store.tokens import Corpus


def test_lines_are_paragraphs_and_touching_words_are_joined(tmp_path: Path) -> None:
    rows = [("Fin", "fin", "NOUN", "", True, 0), (".", ".", "PUNCT", "", False, 0), ("Y", "y", "CCONJ", "", True, 1)]
    found, text, page = document([*rows, ("más", "más", "ADV", "", False, 2)])
    corpus = Corpus.open(write_documents(tmp_path / "tokens", [found]))
    laid = laid_out(corpus, text, page)
    assert laid.joined.tolist() == [True, False, False, False]
    assert (laid.sentences, sorted(laid.paragraphs)) == ([0, 2, 3], [0, 3])


def test_the_texts_of_a_run_are_found_in_its_tokens(finished: Project) -> None:
    corpus = open_corpus(run_folders.latest(finished.runs))
    texts = {row["document"]: row["text"] for row in finished.table("texts")}
    with finished.tables() as tables:
        found = list(documents(tables, corpus))
    assert [one.page.document for one in found] == [corpus.documents.id(place) for place in range(len(corpus.documents))]
    for place, one in enumerate(found):
        lines = [line for line in texts[one.page.document].split("\n") if line.strip()]
        assert len(one.paragraphs) <= len(lines)
        starts, ends = corpus.places(place)
        touching = [bool(start == end) for start, end in zip(starts[1:], ends, strict=False)]
        assert one.joined[:-1].tolist() == touching


def test_a_run_that_grows_can_be_exported(site: Site, tmp_path: Path) -> None:
    unfinished = hurried(tmp_path / "project", site.seeds, pages=20)
    numbers: list[int] = []

    def export_once(event: Event) -> None:
        if isinstance(event, Studied) and not numbers:
            assert run_folders.latest(unfinished.runs).manifest.state == "running"
            numbers.append(Project.open(unfinished.folder).export("vert", tmp_path / "some.vert"))

    unfinished.bus.listen(export_once)
    documents = unfinished.run().documents
    assert 0 < numbers[0] <= documents
    _, structures = read_vertical((tmp_path / "some.vert").read_bytes())
    assert len(structures["doc"]) == numbers[0]
