"""Vertical text and its registry file."""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import given

from support.export_checks import HEADER, document, hostile, laid_out, read_conllu, read_vertical, tokens
from support.token_documents import write_documents
from trasmallo.project.project import Project
from trasmallo.results.exports.vertical import ATTRIBUTES, Vertical, registry
from trasmallo.store.tokens import Corpus


@given(tokens, hostile)
def test_whatever_the_words_are_the_format_holds(rows: list[Any], title: str) -> None:
    found, text, page = document(rows, title)
    with TemporaryDirectory() as folder:
        corpus = Corpus.open(write_documents(Path(folder) / "tokens", [found]))
        form = Vertical(corpus, HEADER)
        sentences, structures = read_vertical(form.begin() + form.document(laid_out(corpus, text, page)) + form.end())
    assert sum(map(len, sentences)) == len(rows)
    assert structures["doc"][0]["url"] == page.url
    assert structures["corpus"][0]["query"] == HEADER.query


def test_words_that_look_like_tags_can_be_told_from_them(tmp_path: Path) -> None:
    words = ["<", "<3", "<doc>", "&", "&lt;", "&amp;x", "a<b"]
    found, text, page = document([(word, word, "X", "", False, 1) for word in words])
    corpus = Corpus.open(write_documents(tmp_path / "tokens", [found]))
    form = Vertical(corpus, HEADER)
    written = form.document(laid_out(corpus, text, page)).decode()
    assert "\n<\t<\tX\t\n&lt;3\t<3\tX" in written
    ((sentence), _) = read_vertical(form.begin() + written.encode() + form.end())
    assert [token.word for token in sentence[0]] == words


def test_the_demo_as_vertical_text(finished: Project, tmp_path: Path) -> None:
    number = finished.export("vert", tmp_path / "demo.vert")
    finished.export("conllu", tmp_path / "demo.conllu")
    sentences, structures = read_vertical((tmp_path / "demo.vert").read_bytes())
    assert sentences == [sentence for _, sentence in read_conllu((tmp_path / "demo.conllu").read_bytes())]
    assert len(structures["doc"]) == number
    said = (tmp_path / "demo.vert.registry").read_text(encoding="utf-8")
    assert f'VERTICAL "{tmp_path / "demo.vert"}"' in said
    for name in ("corpus", "doc"):
        (block,) = re.findall(rf"STRUCTURE {name} \{{(.*?)\n\}}", said, re.DOTALL)
        assert re.findall(r"ATTRIBUTE (\w+)", block) == list(structures[name][0])
    assert all(f"ATTRIBUTE {name}\n" in said for name in ATTRIBUTES)


def test_the_registry_stands_hostile_names() -> None:
    said = registry(HEADER, Path('/tmp/a"b/c.vert'), "xx")
    assert all(line.count('"') in (0, 2) for line in said.splitlines())
    assert said.count("{") == said.count("}")
