"""A worker process, asked over its pipes."""

from __future__ import annotations

import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from support.office97 import make_doc
from support.sample_documents import GOOD
from support.stored_pages import html, setup, store
from trasmallo.pipeline.analysis.items import StoredText
from trasmallo.pipeline.reading import worker
from trasmallo.pipeline.reading.messages import Batch, Began, PartDone, Said, TextBatch, decode_said
from trasmallo.pipeline.reading.worker import ReadingWorker
from trasmallo.results.rows import PageRow, TextRow
from trasmallo.store.parts import TOKENS, documents_done
from trasmallo.store.tokens import Corpus
from trasmallo.values.model import Drop, Fetch
from trasmallo.values.pipes import HEAD, Trouble, encode

URLS = {f"http://a.es/{number}": html(f"página {number}") for number in range(3)}


def answers(data: bytes) -> list[Said]:
    found: list[Said] = []
    while data:
        (length,) = HEAD.unpack(data[: HEAD.size])
        found.append(decode_said(data[HEAD.size : HEAD.size + length]))
        data = data[HEAD.size + length :]
    return found


def test_a_process_reads_a_batch_and_ends_with_its_input(tmp_path: Path) -> None:
    asked = encode(setup(tmp_path)) + encode(Batch("1", tuple(store(tmp_path, URLS))))
    done = subprocess.run([sys.executable, "-m", "trasmallo.pipeline.reading.worker"], input=asked, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    *began, last = answers(done.stdout)
    pages = [Began(index, studying=studying) for index in range(3) for studying in (False, True)]
    assert began == [*pages, Began(3)], "each page is read, then studied"
    assert isinstance(last, PartDone)
    assert [(summary.url, summary.drop) for summary in last.summaries] == [(url, "") for url in URLS]
    assert len(list(documents_done(tmp_path / "parts"))) == 3
    corpus = Corpus.open(tmp_path / "parts" / "1" / TOKENS)
    corpus.verify()
    assert len(corpus.documents) == 3


class _Deaf(io.BytesIO):
    """A pipe whose other end is gone as soon as the last page was begun."""

    def write(self, data: Any, /) -> int:
        if answers(bytes(data)) == [Began(len(URLS))]:
            raise BrokenPipeError
        return super().write(data)


def test_what_was_read_for_a_hall_that_is_no_more_does_not_count(tmp_path: Path) -> None:
    batch = Batch("1", tuple(store(tmp_path, URLS)))
    with pytest.raises(BrokenPipeError):
        ReadingWorker(setup(tmp_path), _Deaf()).read_batch(batch)
    assert list(documents_done(tmp_path / "parts")) == []
    ReadingWorker(setup(tmp_path), io.BytesIO()).read_batch(batch)
    assert len(list(documents_done(tmp_path / "parts"))) == 3


def test_texts_are_studied_again_as_they_were_read(tmp_path: Path) -> None:
    """In the language that the page shows, or else in that of the project as it is now."""
    setting = setup(tmp_path)
    ReadingWorker(setting, io.BytesIO()).read_batch(Batch("1", tuple(store(tmp_path, URLS))))
    part = tmp_path / "parts" / "1"
    pages = [msgspec.json.decode(line, type=PageRow) for line in (part / "pages.jsonl").read_bytes().splitlines()]
    texts = [msgspec.json.decode(line, type=TextRow) for line in (part / "texts.jsonl").read_bytes().splitlines()]
    stored = [StoredText(page, text) for page, text in zip(pages, texts, strict=True)]
    stored[2] = StoredText(pages[2], msgspec.structs.replace(texts[2], own_language="", text="Sol, 3."))
    english = msgspec.structs.replace(setting, language="en")
    done = ReadingWorker(english, io.BytesIO()).read_batch(TextBatch("2", tuple(stored)))
    assert [summary.words for summary in done.summaries[:2]] == [page.words for page in pages[:2]]
    again = [msgspec.json.decode(line, type=PageRow) for line in (part.parent / "2" / "pages.jsonl").read_bytes().splitlines()]
    assert (again[:2], again[2].language) == (pages[:2], "en")


def test_documents_of_other_formats_are_read_in_a_child_that_may_be_lost(tmp_path: Path) -> None:
    endless = b"*a _b " * 300_000
    bodies = {
        "a.docx": GOOD["docx"],
        "b.md": endless,
        "c.pdf": GOOD["pdf"],
        "d.doc": make_doc(flags=0x1300),
        "e.odt": GOOD["odt"],
    }
    pages = tuple(store(tmp_path, {f"http://a.es/{name}": body for name, body in bodies.items()}, "application/octet-stream"))
    asked = encode(setup(tmp_path, seconds=2.0)) + encode(Batch("1", pages))
    done = subprocess.run([sys.executable, "-m", "trasmallo.pipeline.reading.worker"], input=asked, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    last = answers(done.stdout)[-1]
    assert isinstance(last, PartDone)
    assert [(summary.drop, summary.cause) for summary in last.summaries] == [
        ("", ""),
        (Drop.TOO_SLOW, "more than 1.6 s to convert"),
        ("", ""),
        (Drop.BROKEN, "it is encrypted: save it without a password"),
        ("", ""),
    ]


def test_the_projects_misfortune_is_told(tmp_path: Path) -> None:
    store(tmp_path, URLS)
    (tmp_path / "archive" / "format").write_text("99")
    done = subprocess.run(
        [sys.executable, "-m", "trasmallo.pipeline.reading.worker"], input=encode(setup(tmp_path)), capture_output=True
    )
    (trouble,) = answers(done.stdout)
    assert isinstance(trouble, Trouble)
    assert (trouble.error, trouble.repair.code) == ("StoreTooNew", "update trasmallo")


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process of the tests holds more than a worker does."""
    monkeypatch.setattr(worker, "_held_memory", lambda: 0)


def drops(folder: Path, pages: list[Fetch]) -> list[tuple[str, str]]:
    reader = ReadingWorker(setup(folder), io.BytesIO())
    return [(summary.drop, summary.cause) for summary in reader.read_batch(Batch("1", tuple(pages))).summaries]


def test_a_record_that_is_not_there_costs_its_page_only(tmp_path: Path) -> None:
    first, second, third = store(tmp_path, URLS)
    astray = msgspec.structs.replace(second, locator=third.locator)
    beyond = msgspec.structs.replace(third, locator=third.locator and third.locator._replace(offset=10**9))
    found = drops(tmp_path, [first, astray, beyond])
    assert [drop for drop, _ in found] == ["", Drop.DAMAGED, Drop.DAMAGED]
    assert found[1][1].endswith("holds another page")
    assert "is damaged at byte 1000000000" in found[2][1]


@pytest.mark.parametrize(
    ("error", "drop", "cause"),
    [
        (RecursionError("too deep"), Drop.BROKEN, "RecursionError: too deep"),
        (MemoryError(), Drop.TOO_BIG, "more than 1000 MB"),
        (ValueError("x" * 1000), Drop.BROKEN, "ValueError: " + "x" * 188),
    ],
)
def test_whatever_a_page_brings_a_library_to_the_others_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException, drop: Drop, cause: str
) -> None:
    pages = store(tmp_path, URLS)
    read_page = worker.read_page

    def fail_at_the_second(fetch: Fetch, *arguments: object, **options: object) -> object:
        if fetch.url == pages[1].url:
            raise error
        return read_page(fetch, *arguments, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(worker, "read_page", fail_at_the_second)
    assert drops(tmp_path, pages) == [("", ""), (drop, cause), ("", "")]
