"""TEI P5."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given
from lxml import etree

from support.export_checks import HEADER, NAMESPACE, Token, document, hostile, laid_out, read_conllu, read_tei, tokens
from support.token_documents import write_documents
from trasmallo import __version__
from trasmallo.project.project import Project
from trasmallo.results.exports.tei import Tei
from trasmallo.store.tokens import Corpus


@given(tokens, hostile)
def test_whatever_the_words_are_the_format_holds(rows: list[Any], title: str) -> None:
    found, text, page = document(rows, title)
    with TemporaryDirectory() as folder:
        corpus = Corpus.open(write_documents(Path(folder) / "tokens", [found]))
        form = Tei(corpus, HEADER)
        sentences = read_tei(form.begin() + form.document(laid_out(corpus, text, page)) + form.end())
    assert sum(map(len, sentences)) == len(rows)


def test_the_demo_as_tei(finished: Project, tmp_path: Path) -> None:
    finished.export("tei", tmp_path / "en.xml", where=["language=en"])
    finished.export("conllu", tmp_path / "en.conllu", where=["language=en"])
    sentences = read_tei((tmp_path / "en.xml").read_bytes())
    other = [sentence for _, sentence in read_conllu((tmp_path / "en.conllu").read_bytes())]
    assert sentences == [[_without_sign_lemma(token) for token in sentence] for sentence in other]
    root = etree.parse(tmp_path / "en.xml").getroot()
    application = root.find(f".//{NAMESPACE}application")
    assert application is not None
    assert dict(application.attrib) == {"ident": "trasmallo", "version": __version__}
    urls = {idno.text for idno in root.iter(NAMESPACE + "idno")}
    assert urls == {row["url"] for row in finished.table("pages", where=["drop=", "language=en"])}
    assert "--where language=en" in etree.tostring(root, encoding="unicode")[:3_000]


def _without_sign_lemma(token: Token) -> Token:
    return token._replace(lemma=token.word) if token.category == "PUNCT" else token
