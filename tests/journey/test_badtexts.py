"""Texts of strangers on their whole way: through `trasmallo words`, and through a run to its tables."""

from __future__ import annotations

import html
import unicodedata
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from support.bad_texts import NONSENSE, SAME, TEXTS
from support.command_line import Done
from support.warc_answers import answer
from trasmallo.project.project import Project
from trasmallo.results.run_corpus import open_corpus
from trasmallo.store.archive import Archive
from trasmallo.store.run_folders import latest
from trasmallo.study.tokenise import count_words

Command = Callable[..., Done]
HUGE = "http://a.es/huge"
LONG = 3_000_000
STUDIED = 2_500_000
"""Characters of a long text, and how many of them a run studies."""


def folded(text: str) -> str:
    """A stretch of text as a token of it is written."""
    return unicodedata.normalize("NFC", text.replace("\u00ad", ""))


def page_of(text: str) -> bytes:
    """With a mark of its encoding, because one with so many zeros looks like UTF-16."""
    return f"<html lang=es><body><p>{html.escape(text)}</p></body></html>".encode("utf-8-sig")


@pytest.mark.parametrize("name", sorted(TEXTS.keys() - NONSENSE))
@pytest.mark.parametrize("flags", [(), ("--in-context",)], ids=["all", "in context"])
def test_words_of_bad_texts(name: str, flags: tuple[str, ...], tmp_path: Path, trasmallo: Command) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(page_of(f"El mar. {TEXTS[name](1_000)}"))
    text = trasmallo("text", page, "--json").value()["text"]
    done = trasmallo("words", page, "--language", "es", "--json", *flags)
    assert (done.code, done.err) == (0, "")
    assert all(folded(text[row["start"] : row["end"]]) == row["word"] for row in done.rows())
    assert [row["word"] for row in done.rows()][:2] == ["El", "mar"]


@pytest.mark.parametrize("name", sorted(NONSENSE))
def test_a_text_that_is_none_is_told(name: str, tmp_path: Path, trasmallo: Command) -> None:
    page = tmp_path / "page.html"
    page.write_bytes(page_of(f"El mar. {TEXTS[name](1_000)}"))
    assert "it decodes to nonsense" in trasmallo("words", page).refusal()


def test_an_empty_text_is_told(tmp_path: Path, trasmallo: Command) -> None:
    (tmp_path / "page.txt").write_text("")
    assert "no text" in trasmallo("words", tmp_path / "page.txt").refusal()


@pytest.fixture(scope="module")
def studied(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """A project whose pages are these texts, and one line longer than a run studies."""
    folder = tmp_path_factory.mktemp("bad")
    texts = {f"http://a.es/{number}": make(3_000) for number, make in enumerate(TEXTS.values())}
    texts |= {f"http://same.es/{number}": f"La {word} se oye." for number, word in enumerate(SAME["canción"])}
    with Archive(folder / "warc", software="other/1") as out:
        for number, (url, text) in enumerate([*texts.items(), (HUGE, TEXTS["one line"](LONG))]):
            out.append(answer(number, page_of(text), url=url, headers=(("Content-Type", "text/html; charset=utf-8"),)))
    project = Project.new(folder / "project")
    project.config = msgspec.structs.replace(project.config, clean=msgspec.structs.replace(project.config.clean, copies=0.0))
    (path,) = (folder / "warc").glob("*.warc.gz")
    project.import_file(path)
    return project


def test_a_run_reads_them_all_and_offsets_are_exact(studied: Project) -> None:
    drops = {row["url"]: row["drop"] for row in studied.table("pages")}
    empty = [incident.url for incident in studied.incidents() if incident.what == "empty answer"]
    assert len(empty) == len(NONSENSE) + 1, "what has no letter is no page"
    assert len(drops) == len(TEXTS) + len(SAME["canción"]) + 1 - len(empty)
    assert not any(drops.values())
    texts = {row["document"]: row["text"] for row in studied.table("texts")}
    corpus = open_corpus(latest(studied.runs))
    assert len(corpus.documents) == len(texts)
    for number in range(len(corpus.documents)):
        text, words = (
            texts[corpus.documents.id(number)],
            corpus.words.texts(corpus.word[slice(*corpus.documents.range(number))]),
        )
        places = list(zip(*(values.tolist() for values in corpus.places(number)), strict=True))
        assert [folded(text[start:end])[:1_000] for start, end in places[:5_000]] == words[:5_000]


def test_one_word_in_several_encodings_is_one(studied: Project) -> None:
    same = ["word=canción"], ["lemma=canción", "category=NOUN"]
    (word,), (lemma,) = (studied.table(table, where=where) for table, where in zip(("words", "lemmas"), same, strict=True))
    assert word["documents"] == len(SAME["canción"]) + 2
    assert lemma["documents"] >= len(SAME["canción"])
    assert not [row["word"] for row in studied.table("words", where=["word~can"]) if folded(row["word"]) != row["word"]]
    corpus = open_corpus(latest(studied.runs))
    written = [corpus.words[number] for number in range(len(corpus.words))]
    assert [word for word in written if word.lower().startswith("canci")].count("canción") == 1


def test_a_long_line_is_studied_as_far_as_texts_are(studied: Project) -> None:
    (page,) = studied.table("pages", where=[f"url={HUGE}"])
    assert page["words"] == sum(count_words(TEXTS["one line"](STUDIED), "es").values())
