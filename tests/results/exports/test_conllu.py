"""CoNLL-U."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given

from support.export_checks import HEADER, document, hostile, laid_out, read_conllu, tokens
from support.token_documents import write_documents
from trasmallo.project.project import Project
from trasmallo.results.exports.conllu import Conllu
from trasmallo.store.tokens import Corpus
from trasmallo.values.errors import UsageError


@given(tokens, hostile)
def test_whatever_the_words_are_the_format_holds(rows: list[Any], title: str) -> None:
    found, text, page = document(rows, title)
    with TemporaryDirectory() as folder:
        corpus = Corpus.open(write_documents(Path(folder) / "tokens", [found]))
        form = Conllu(corpus, HEADER)
        written = form.document(laid_out(corpus, text, page))
    if rows:
        sentences = list(read_conllu(form.begin() + written + form.end()))
        assert sum(len(sentence) for _, sentence in sentences) == len(rows)
    else:
        assert written == b""


def test_a_sentence_of_thousands_of_words_is_numbered_to_its_end(tmp_path: Path) -> None:
    found, text, page = document([("a", "a", "NOUN", "", False, 1)] * 2_500)
    corpus = Corpus.open(write_documents(tmp_path / "tokens", [found]))
    ((_, sentence),) = read_conllu(Conllu(corpus, HEADER).document(laid_out(corpus, text, page)))
    assert len(sentence) == 2_500


def test_features_and_other_tags_have_their_columns(tmp_path: Path) -> None:
    rows = [("las", "el", "DET", "Number=Plur|Gender=Fem", True, 0), ("casas", "casa", "NOUN", "NCFP 000", False, 1)]
    found, text, page = document(rows)
    corpus = Corpus.open(write_documents(tmp_path / "tokens", [found]))
    lines = Conllu(corpus, HEADER).document(laid_out(corpus, text, page)).decode().splitlines()
    assert lines[-3:-1] == [
        "1\tlas\tel\tDET\t_\tGender=Fem|Number=Plur\t_\t_\t_\t_",
        "2\tcasas\tcasa\tNOUN\tNCFP,000\t_\t_\t_\t_\t_",
    ]


def test_the_demo_as_conllu(finished: Project, tmp_path: Path) -> None:
    kept = finished.table("pages", where=["drop=", "language=es"])
    assert finished.export("conllu", tmp_path / "es.conllu", where=["language=es"]) == len(kept)
    sentences = list(read_conllu((tmp_path / "es.conllu").read_bytes()))
    begun = [line.removeprefix("# newdoc id = ") for comments, _ in sentences for line in comments if "newdoc" in line]
    assert begun == sorted(row["document"] for row in kept)
    assert sentences[0][0][:3] == [
        "# corpus = demo",
        f"# run = {finished.summary().run}",
        "# query = --where language=es",
    ]
    assert sum(row["sentences"] for row in kept) == len(sentences)
    words = sum(token.category != "PUNCT" for _, sentence in sentences for token in sentence)
    assert words >= sum(row["words"] for row in kept)


def test_what_has_no_place_in_running_text_is_refused(finished: Project, tmp_path: Path) -> None:
    for strange in ({"table": "words"}, {"sort": "url"}, {"columns": ["url"]}):
        with pytest.raises(UsageError, match="leave out --table, --columns and --sort"):
            finished.export("conllu", tmp_path / "out", **strange)
    with pytest.raises(UsageError, match="there is no such document"):
        finished.export("conllu", tmp_path / "out", where=["language=xx"])
    with pytest.raises(UsageError, match="did you mean 'language'"):
        finished.export("conllu", tmp_path / "out", where=["langauge=xx"])
    assert list(tmp_path.iterdir()) == []
