"""Result tables: the same answers from parts and from Parquet."""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

import duckdb
import msgspec
import pytest

from support.allocated_memory import IS_TOLD, allocated
from support.counted_documents import tokens_of
from support.runs import make_run
from trasmallo.config import Config, StudyConfig
from trasmallo.pipeline.analysis.token_columns import document_tokens
from trasmallo.pipeline.staleness import start_run
from trasmallo.project.project import Project
from trasmallo.results.builders import writing
from trasmallo.results.database.connection import as_disk_errors
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.registry import all_tables
from trasmallo.results.rows import CopyRow, PageRow, ProfileRow, TextRow
from trasmallo.results.run_corpus import compile_corpus
from trasmallo.results.tables.words import WordRow
from trasmallo.store import digests, run_folders
from trasmallo.store.parts import document_id, merge_parts, write_part
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import Builder
from trasmallo.study.sentences import cut
from trasmallo.values.errors import StoreDamaged, StoreFull, UsageError, disk_errors

COUNTED = Question(columns=("word", "count", "capitalised", "documents", "sites"))
A, B, C = (document_id(f"http://{name}.es/") for name in "abc")


def page(document: str, url: str, words: int) -> PageRow:
    return PageRow(document, url, url[7:11], 1.5, "t'í\"tulo", "es", "utf-8", "text/html", 10, "sha1:X", words=words)


@pytest.fixture
def bare(tmp_path: Path) -> Run:
    """A run of two documents without their tokens."""
    run = start_run(tmp_path / "o'runs", Config(), "crawl", "trasmallo/0")
    write_part(
        run.parts,
        "1",
        {
            "pages": [page(A, "http://a.es/", 3)],
            "texts": [TextRow(A, "red mar red", "00")],
            "profiles": [ProfileRow(A, 1, 3, 2)],
            "links": [],
        },
    )
    write_part(
        run.parts,
        "2",
        {
            "pages": [page(B, "http://b.es/", 1)],
            "texts": [TextRow(B, "red", "01")],
            "profiles": [],
            "links": [],
        },
    )
    return run


@pytest.fixture
def run(bare: Run) -> Run:
    """The run with the tokens of its documents."""
    write_part(bare.parts, "3", {}, tokens_of([WordRow(A, "red", 2, 0), WordRow(A, "mar", 1, 1)]))
    write_part(bare.parts, "4", {}, tokens_of([WordRow(B, "red", 1, 0)]))
    return bare


@pytest.fixture
def told(bare: Run) -> Run:
    """The run with tokens in sentences."""
    for number, document in enumerate((A, B), 3):
        builder = Builder()
        builder.add(document_tokens(document, *cut("La red de pesca. ¡Sí!" if document == A else "Red de Pesca.", "es")))
        write_part(bare.parts, str(number), {}, builder)
    return bare


def rows(tables: Tables, name: str, question: Question | None = None) -> list[tuple[object, ...]]:
    return list(tables.ask(name, question))


def test_words_are_summed_over_documents(run: Run) -> None:
    with Tables(run) as tables:
        assert tables.ask("words").columns == (
            "word", "count", "capitalised", "documents", "sites", "language", "code", "categories",
        )  # fmt: skip
        coded = dict(rows(tables, "words_by_page", Question(columns=("word", "code"))))
        assert rows(tables, "words") == [
            ("red", 3, 0, 2, 2, "es", coded["red"], "alphabetic"),
            ("mar", 1, 1, 1, 1, "es", coded["mar"], "alphabetic"),
        ]
        assert coded == {word: _code(word, "es") for word in ("red", "mar")}, "the code of a word is the same everywhere"


def _code(word: str, language: str) -> int:
    """The code of a word: 53 bits of the MD5 of the word and its language."""
    digest = hashlib.md5(f"{word}\n{language}".encode(), usedforsecurity=False).digest()
    return int.from_bytes(digest[8:], "little") >> 11


def test_words_by_site(run: Run) -> None:
    with Tables(run) as tables:
        assert tables.ask("words_by_site").columns == ("host", "word", "count", "documents", "language")
        assert [row[:-1] for row in rows(tables, "words_by_site")] == [
            ("a.es", "red", 2, 1),
            ("a.es", "mar", 1, 1),
            ("b.es", "red", 1, 1),
        ]


def test_dispersion(run: Run) -> None:
    with Tables(run) as tables:
        found = {row[0]: row[1:-1] for row in rows(tables, "dispersion")}
    assert set(found) == {"red", "mar"}
    # Rates of red are 2/3 and 1: mean 5/6, standard deviation 1/6. The documents have 3/4 and 1/4 of all words.
    assert found["red"] == pytest.approx((3, 2, 1 - (1 / 6) / (5 / 6), (3 / 4 - 2 / 3 + 1 / 3 - 1 / 4) / 2, 1 / 12 / (3 / 4)))
    assert found["mar"] == pytest.approx((1, 1, 0.0, (1 / 4 + 1 / 4) / 2, 1 / 3))


def test_one_document_has_no_dispersion(tmp_path: Path) -> None:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    write_part(run.parts, "1", {"pages": [page(A, "http://a.es/", 3)]}, tokens_of([WordRow(A, "red", 3, 0)]))
    with Tables(run) as tables:
        assert rows(tables, "dispersion") == [("red", 3, 1, None, 0.0, 0.0, "es")]


def test_parquet_gives_the_same_answers_as_parts(run: Run) -> None:
    with Tables(run) as tables:
        before = {table: rows(tables, table) for table in all_tables()}
    compile_tables(run)
    with Tables(run) as tables:
        assert {table: rows(tables, table) for table in all_tables()} == before


def test_segments_and_collocations_are_made_of_the_tokens(told: Run) -> None:
    with Tables(told, StudyConfig(segment_frequency=2, collocation_frequency=2)) as tables:
        listed = [("red de pesca", 3, 2, 2, "words"), ("de pesca", 2, 2, 2, "words"), ("red de", 2, 2, 2, "words")]
        assert rows(tables, "segments") == [(*row, "es") for row in listed]
        assert tables.tally("segments", "segment", ("length=3",)) == {"red de pesca": 1}
        assert rows(tables, "collocations", Question(columns=("first", "second", "count"), limit=1)) == [("de", "pesca", 2)]
        assert tables.number("collocations") == 3
    assert not (told.folder / "spill").exists()
    with Tables(told, StudyConfig(segment_words=1, collocation_words=0)) as tables:
        assert (tables.number("segments"), tables.number("collocations")) == (0, 0)


def test_what_could_not_be_made_is_made_again(told: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "no space left")

    with Tables(told) as tables:
        monkeypatch.setattr(writing, "write_built", fail)
        with pytest.raises(StoreFull):
            tables.number("words")
        assert not (told.folder / "spill").exists()
        monkeypatch.undo()
        assert tables.number("words") == 5


def test_tables_that_are_made_as_columns_are_kept_in_their_usual_order(told: Run) -> None:
    compile_tables(told, StudyConfig(segment_frequency=1, collocation_frequency=1))
    with Tables(told) as tables:
        for table in ("words_by_page", "words_by_category", "lemmas", "lemmas_by_page", "collocations"):
            listed = ", ".join(tables.columns_of(table))
            assert (
                rows(tables, table) == tables.select(f"SELECT {listed} FROM {table} ORDER BY {all_tables()[table].order}") != []
            )


def test_lemmas_and_categories_by_page_and_site(told: Run) -> None:
    with Tables(told) as tables:
        assert rows(tables, "lemmas_by_site", Question(where=("host=b.es",))) == [
            ("b.es", "de", "alphabetic", 1, 1, "es"),
            ("b.es", "pesca", "alphabetic", 1, 1, "es"),
            ("b.es", "red", "alphabetic", 1, 1, "es"),
        ]
        assert rows(tables, "categories") == [("alphabetic", 8, 2, 5, 1.0)]
        assert rows(tables, "categories_by_site") == [("a.es", "alphabetic", 5, 1, 1.0), ("b.es", "alphabetic", 3, 1, 1.0)]
        assert sorted(rows(tables, "categories_by_page")) == [("alphabetic", 3, 1.0, B), ("alphabetic", 5, 1.0, A)]
        assert tables.total("lemmas_by_page", "count") == tables.total("lemmas", "count") == 8


def test_tables_of_the_tokens_can_be_made_anew(told: Run) -> None:
    study = StudyConfig(segment_frequency=2)
    compile_corpus(told)
    compile_tables(told, study)
    other = msgspec.structs.replace(study, segments_of=("categories",), segment_words=2)
    with Tables(told, other) as tables:
        assert tables.tally("segments", "of") == {"words": 3}
    with Tables(told, other, anew=True) as tables:
        assert rows(tables, "segments") == [("alphabetic alphabetic", 2, 5, 2, "categories", "es")]
        assert tables.number("words") == 5


def test_copies_are_counted_once(run: Run) -> None:
    copy = CopyRow(B, "http://b.es/", A, "http://a.es/", 0.9)
    (run.folder / "copies.jsonl").write_bytes(msgspec.json.Encoder().encode_lines([copy]))
    with Tables(run) as tables:
        assert rows(tables, "words", COUNTED) == [("red", 2, 0, 1, 1), ("mar", 1, 1, 1, 1)]
        assert rows(tables, "pages", Question(where=("url=http://b.es/",), columns=("drop", "cause"))) == [
            ("copy of another document", "http://a.es/")
        ]


@pytest.mark.parametrize(
    ("question", "urls"),
    [
        (Question(where=("words>1",)), ["http://a.es/"]),
        (Question(where=("url~B.ES",)), ["http://b.es/"]),
        (Question(where=("words>=1", "url!=http://a.es/")), ["http://b.es/"]),
        (Question(sort="words"), ["http://b.es/", "http://a.es/"]),
        (Question(sort="-words", limit=1), ["http://a.es/"]),
        (Question(limit=1, offset=1), ["http://b.es/"]),
    ],
)
def test_questions(run: Run, question: Question, urls: list[str]) -> None:
    with Tables(run) as tables:
        assert [row[0] for row in rows(tables, "pages", msgspec.structs.replace(question, columns=("url",)))] == urls


def test_a_page_without_a_title_is_named_by_its_address_elsewhere(run: Run) -> None:
    """Its own table keeps what it has; in others a reader would see an empty cell."""
    untitled = msgspec.structs.replace(page(C, "http://c.es/", 1), title="")
    write_part(run.parts, "5", {"pages": [untitled]}, tokens_of([WordRow(C, "pez", 1, 0)]))
    with Tables(run) as tables:
        named = rows(tables, "words_by_page", Question(where=("word=pez",), columns=("title", "url")))
        assert named == [("http://c.es/", "http://c.es/")]
        assert rows(tables, "words_by_page", Question(where=("title~c.es",), columns=("word",))) == [("pez",)]
        assert rows(tables, "pages", Question(where=("title=",), columns=("url",))) == [("http://c.es/",)]


@pytest.mark.parametrize(
    ("table", "question", "repair"),
    [
        ("wrods", Question(), "did you mean 'words'"),
        ("pages", Question(columns=("titel",)), "did you mean 'title'"),
        ("pages", Question(sort="-wrds"), "did you mean 'words'"),
        ("pages", Question(where=("'; DROP TABLE pages",)), "write it as column=value"),
        ("pages", Question(where=("x=1",)), "there is no column 'x'"),
    ],
)
def test_bad_questions_name_the_nearest(run: Run, table: str, question: Question, repair: str) -> None:
    with Tables(run) as tables, pytest.raises(UsageError, match=repair):
        tables.ask(table, question)


def test_an_empty_run_has_empty_tables(tmp_path: Path) -> None:
    run = start_run(tmp_path, Config(), "crawl", "trasmallo/0")
    with Tables(run) as tables:
        assert all(rows(tables, table) == [] for table in all_tables())
        assert tables.number("words") == 0


def test_sums_and_tallies(run: Run) -> None:
    with Tables(run) as tables:
        assert tables.total("words", "count") == 4
        assert tables.tally("pages", "host") == {"a.es": 1, "b.es": 1}
        assert tables.tally("pages", "host", ("words>1",)) == {"a.es": 1}


def test_a_number_compared_with_a_text_is_told(run: Run) -> None:
    with Tables(run) as tables, pytest.raises(UsageError, match="write it like words>100$"):
        tables.ask("pages", Question(where=("words>muchas",)))


def test_parts_that_are_merged_meanwhile_are_found_again(run: Run) -> None:
    with Tables(run) as tables:
        assert merge_parts(run.parts, most=1) == 2
        assert rows(tables, "words", COUNTED) == [("red", 3, 0, 2, 2), ("mar", 1, 1, 1, 1)]
        compile_tables(run)
        shutil.rmtree(run.parts)
        assert rows(tables, "words", COUNTED) == [("red", 3, 0, 2, 2), ("mar", 1, 1, 1, 1)]


@pytest.mark.parametrize(
    ("words", "kind", "told"),
    [
        ('Could not write file "x": No space left on device', StoreFull, "the disk is full"),
        ('Cannot open file "x": Permission denied', StoreFull, "no permission to write"),
        ("something else", OSError, "something else"),
    ],
)
def test_what_the_disk_refuses_duckdb_is_told(tmp_path: Path, words: str, kind: type[Exception], told: str) -> None:
    with pytest.raises(kind, match=told), disk_errors(tmp_path), as_disk_errors():
        raise duckdb.IOException(f"IO Error: {words}")


def test_a_run_that_is_made_again_just_now_is_not_damaged(finished: Project, tmp_path: Path) -> None:
    """Who opened a run before its results were forgotten finds no digests, and no fault."""
    shutil.copytree(finished.folder, tmp_path / "copy")
    opened, made_again = (run_folders.latest(tmp_path / "copy" / "runs") for _ in range(2))
    digests.unseal(made_again.folder)
    with pytest.raises(StoreDamaged, match=r"digests\.json is missing"):
        Tables(opened)
    made_again.mark("stopped")
    with Tables(opened) as tables:
        assert tables.number("pages")


@pytest.mark.skipif(not IS_TOLD, reason="GNU's C library tells what is allocated")
def test_a_page_of_rows_leaves_no_memory_behind(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    compile_tables(run)
    with Tables(run, cached=True) as tables:

        def allocated_after(questions: int) -> int:
            for _ in range(questions):
                list(tables.ask("words", Question(limit=50)))
            return allocated()

        before = allocated_after(100)
        assert (allocated_after(200) - before) / 200 < 1_500
