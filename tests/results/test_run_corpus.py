"""The tokens of a run: the same while it goes on and when it is finished."""

from __future__ import annotations

from pathlib import Path

import msgspec
import numpy as np
import pytest

from trasmallo.config import Config
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.project import Project
from trasmallo.results import run_corpus
from trasmallo.results.database.planner import Question
from trasmallo.results.rows import CopyRow
from trasmallo.results.run_corpus import compile_corpus, open_corpus
from trasmallo.store import run_folders
from trasmallo.store.parts import TOKENS, document_id, write_part
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Builder, Corpus
from trasmallo.study.sentences import cut
from trasmallo.values.errors import StoreError

URLS = ("http://a.es/", "http://b.es/", "http://c.es/")


@pytest.fixture
def run(tmp_path: Path) -> Run:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    for number, url in enumerate(URLS):
        builder = Builder()
        builder.add(document_tokens(document_id(url), *cut(f"Texto {number} de la red.", "es")))
        write_part(run.parts, str(number), {}, builder)
    copy = CopyRow(document_id(URLS[2]), URLS[2], document_id(URLS[0]), URLS[0], 0.9)
    (run.folder / "copies.jsonl").write_bytes(msgspec.json.Encoder().encode_lines([copy]))
    return run


def test_parts_and_the_compiled_file_are_the_same_corpus_without_copies(run: Run) -> None:
    live = open_corpus(run)
    compile_corpus(run)
    compiled = open_corpus(run)
    assert (run.folder / TOKENS).exists()
    for corpus in (live, compiled):
        documents = [corpus.documents.id(index) for index in range(len(corpus.documents))]
        assert documents == sorted(map(document_id, URLS[:2]))
        assert corpus.words.texts(np.asarray(corpus.word)[:2].tolist())[0] == "Texto"
    assert live.words.raws() == compiled.words.raws()


def test_parts_that_are_merged_meanwhile_are_looked_for_again(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    listed = iter([[run.parts / "gone"], run_corpus.token_files(run_corpus.finished_parts(run.parts))])
    monkeypatch.setattr(run_corpus, "token_files", lambda parts: next(listed))
    assert len(open_corpus(run).documents) == 2


def test_parts_that_never_stay_are_told(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_corpus, "token_files", lambda parts: [run.parts / "gone"])
    with pytest.raises(StoreError, match="ask again in a moment"):
        open_corpus(run)


def test_a_finished_run_has_one_file_and_no_parts(finished: Project) -> None:
    run = run_folders.latest(finished.runs)
    corpus = Corpus.open(run.folder / TOKENS)
    corpus.verify()
    with finished.tables() as tables:
        assert len(corpus.documents) == tables.number("pages", ("drop=",))
        texts = dict(tables.ask("texts", Question(columns=("document", "text"))))
    for index in range(len(corpus.documents)):
        first, last = corpus.documents.range(index)
        text = texts[corpus.documents.id(index)]
        starts, ends = corpus.places(index)
        found = [text[start:end].replace("\u00ad", "") for start, end in zip(starts.tolist(), ends.tolist(), strict=True)]
        assert found == corpus.words.texts(corpus.word[first:last].tolist())
    assert not run.parts.exists()
