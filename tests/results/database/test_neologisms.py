"""Unlisted words of a run: ranked as study ranks them, joined with verdicts and with what other runs saw first."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from trasmallo.config import Config
from trasmallo.pipeline.staleness import start_run
from trasmallo.results.database import neologisms
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables, compile_tables
from trasmallo.results.rows import CopyRow, FieldRow, PageRow, TextRow, UnknownRow
from trasmallo.store.parts import document_id, write_part
from trasmallo.store.run_folders import Run
from trasmallo.study.neologisms import Kind, Occurrence, rank
from trasmallo.study.unlisted.corpus import Reason
from trasmallo.study.unlisted.signs import Sign
from trasmallo.study.verdicts import FILE_NAME, judge
from trasmallo.values.errors import UsageError

DAY = 86_400.0
USES = [
    ("http://a.es/1", 3 * DAY, ("barcoteca", "barcoteca", "covid")),
    ("http://a.es/2", 4 * DAY, ("barcoteca",)),
    ("http://b.es/1", 4 * DAY, ("barcoteca", "covid")),
]


def page(url: str, at: float) -> PageRow:
    return PageRow(document_id(url), url, url[7:11], at, "t", "es", "utf-8", "text/html", 1, "sha1:X")


def make(folder: Path, uses: list[tuple[str, float, tuple[str, ...]]]) -> Run:
    run = start_run(folder / "runs", Config(), "crawl", "trasmallo/0")
    pages = [page(url, at) for url, at, _ in uses]
    unknown = [UnknownRow(document_id(url), word, Kind.CANDIDATE, "", 0, word) for url, _, words in uses for word in words]
    unknown.append(UnknownRow(document_id(uses[0][0]), "a@b.es", Kind.SEQUENCE, "", 9, ""))
    write_part(run.parts, "1", {"pages": pages, "unknown": unknown})
    return run


def words(run: Run, *where: str) -> dict[str, dict[str, Any]]:
    with Tables(run) as tables:
        answer = tables.ask("neologisms", Question(where=where))
        return {row[0]: dict(zip(answer.columns, row, strict=True)) for row in answer}


def sources(folder: Path, uses: list[tuple[str, float, tuple[str, ...]]], **listed: list[Any]) -> dict[str, tuple[str, int]]:
    """The kind and the number of sources of each word."""
    run = make(folder, uses)
    write_part(run.parts, "2", {"pages": [], "unknown": [], **listed})
    return {word: (row["kind"], row["sources"]) for word, row in words(run).items()}


def test_a_candidate_waits_for_a_second_source(tmp_path: Path) -> None:
    uses = [("http://a.es/1", DAY, ("barcoteca",)), ("http://a.es/2", DAY, ("barcoteca",)), ("http://b.es/1", DAY, ("red",))]
    assert sources(tmp_path / "one", uses)["barcoteca"] == (Kind.WAITING, 1)
    uses[2] = ("http://b.es/1", DAY, ("barcoteca",))
    assert sources(tmp_path / "two", uses)["barcoteca"] == (Kind.CANDIDATE, 2)


def test_authors_are_sources_and_copies_are_none(tmp_path: Path) -> None:
    uses = [
        ("http://a.es/1", DAY, ("barcoteca",)),
        ("http://a.es/2", DAY, ("barcoteca",)),
        ("http://b.es/1", DAY, ("barcoteca",)),
    ]
    one, two, three = (document_id(url) for url, _, _ in uses)
    authors = [FieldRow(one, "author", "Ana Gil"), FieldRow(two, "author", "Luis Mar"), FieldRow(three, "author", " ana gil")]
    assert sources(tmp_path / "authors", uses, fields=authors)["barcoteca"] == (Kind.CANDIDATE, 2)
    uses.append(("http://c.es/1", DAY, ("red",)))
    run = make(tmp_path / "copies", uses)
    copy = CopyRow(three, "http://b.es/1", one, "http://a.es/1", 0.9)
    (run.folder / "copies.jsonl").write_bytes(msgspec.json.encode(copy) + b"\n")
    found = words(run)["barcoteca"]
    assert (found["kind"], found["sources"]) == (Kind.WAITING, 1)


def test_what_stands_in_code_more_often_is_no_candidate(tmp_path: Path) -> None:
    texts = [TextRow(document_id(url), "hay barcoteca", "00", code="4-13") for url, _, _ in USES]
    assert sources(tmp_path / "no", USES, texts=texts)["barcoteca"][0] == Kind.CANDIDATE
    more = [("http://c.es/1", DAY, ("red",)), ("http://d.es/1", DAY, ("red",))]
    texts += [TextRow(document_id(url), "BARCOTECA=1", "00", code="0-11") for url, _, _ in more]
    assert sources(tmp_path / "yes", [*USES, *more], texts=texts)["barcoteca"][0] == Kind.NAME


@pytest.fixture
def frequencies(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, float]]:
    """What the reference tells of Spanish, per million."""
    told = {"covid": 20.0, "casa": 300.0}
    monkeypatch.setattr(neologisms, "frequencies_of", lambda language: told if language == "es" else None)
    return told


@pytest.mark.parametrize("compiled", [False, True])
def test_words_are_ranked_as_study_ranks_them(tmp_path: Path, frequencies: dict[str, float], compiled: bool) -> None:
    run = make(tmp_path, USES)
    if compiled:
        compile_tables(run)
    occurrences = [Occurrence(word, Kind.CANDIDATE, url, url[7:11], at) for url, at, used in USES for word in used]
    found = words(run)
    assert list(found) == ["barcoteca", "covid"]
    assert found["barcoteca"]["kind"] == Kind.CANDIDATE
    assert 0.5 < found["barcoteca"]["probability"] <= 1
    assert found["barcoteca"]["reason"] == Reason.NATIVE
    for one in rank(occurrences, frequencies):
        row = found[one.word]
        assert (row["count"], row["documents"], row["sites"], row["days"]) == (
            one.frequency,
            one.documents,
            one.sites,
            one.days,
        )
        assert (row["first_url"], row["first_at"]) == (one.first_url, one.first_at)
        assert row["score"] == pytest.approx(one.score * row["probability"] / (1 + row["known"]))
        assert row["reference"] == frequencies.get(one.word, 0.0)


def test_without_a_reference_that_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(neologisms, "frequencies_of", lambda _: None)
    run = make(tmp_path, USES)
    assert {row["reference"] for row in words(run).values()} == {None}
    with Tables(run) as tables:
        assert "; ranked without reference frequencies: install them" in tables.remark("neologisms")
        assert tables.remark("pages") == ""


def test_the_precision_that_is_expected_is_said(tmp_path: Path, frequencies: dict[str, float]) -> None:
    run = make(tmp_path, USES)
    rows = [row for row in words(run).values() if row["kind"] == Kind.CANDIDATE]
    share = f"{100 * sum(row['probability'] for row in rows) / len(rows):.0f} %"
    with Tables(run) as tables:
        said = tables.remark("neologisms")
    assert said.startswith(f"{len(rows)} candidate")
    assert f", {share} expected to be right, {share} of the first 50" in said
    assert "reference" not in said
    empty = start_run(tmp_path / "empty" / "runs", Config(), "crawl", "trasmallo/0")
    with Tables(empty) as tables:
        assert tables.remark("neologisms") == ""


def uses(word: str, written: str, signs: int, *urls: str, nearest: str = "", kind: str = "") -> list[UnknownRow]:
    return [
        UnknownRow(document_id(url), word, kind or Kind.CANDIDATE, nearest, 0, "", "es", written, signs)
        for url in urls
        for _ in "ab"
    ]


def test_kinds_are_told_by_the_whole_run(tmp_path: Path) -> None:
    run = start_run(tmp_path / "runs", Config(), "crawl", "trasmallo/0")
    urls = [f"http://{site}.es/1" for site in "abc"]
    inside, first, small, code = Sign.CAPITAL_INSIDE, Sign.CAPITAL_FIRST, Sign.SMALL, Sign.SMALL | Sign.IN_CODE
    article = small | Sign.AFTER_DETERMINER
    rows = [
        *uses("debian", "Debian", inside, *urls, nearest="debían", kind=Kind.MISTAKE),
        *uses("barcoteca", "Barcoteca", first, urls[0]),
        *uses("barcoteca", "barcoteca", article, *urls),
        *uses("tardobús", "tardobús", article, urls[0]),
        *uses("usr", "usr", code, *urls),
        *uses("kernel", "kernel", article, *urls),
        *uses("rehumanización", "rehumanización", article, *urls),
        *uses("estava", "estava", small, *urls),
    ]
    write_part(run.parts, "1", {"pages": [page(url, DAY) for url in urls], "unknown": rows})
    found = words(run)
    kinds = {word: row["kind"] for word, row in found.items()}
    assert kinds["debian"] == Kind.NAME
    assert kinds["barcoteca"] == kinds["kernel"] == Kind.CANDIDATE
    assert kinds["tardobús"] == Kind.WAITING
    assert (kinds["rehumanización"], found["rehumanización"]["affix"]) == (Kind.FORMED, "re-")
    assert (kinds["estava"], found["estava"]["nearest"]) == (Kind.MISTAKE, "estaba")
    assert "usr" not in kinds
    assert found["debian"]["written"] == "Debian"
    assert found["kernel"]["reason"] == Reason.LOAN
    assert set(list(found)[:2]) == {"barcoteca", "kernel"}, "candidates come first"


def test_the_reference_is_that_of_the_language_in_general() -> None:
    pytest.importorskip("wordfreq")
    frequencies = neologisms.frequencies_of("es")
    assert frequencies is not None
    assert 100 < frequencies["casa"] < 2_000
    assert neologisms.frequencies_of("xx") is None


def test_a_copy_counts_only_for_where_a_word_was_seen_first(tmp_path: Path) -> None:
    run = make(tmp_path, [("http://a.es/larga", DAY, ("barcoteca", "solo")), ("http://a.es/", 2 * DAY, ("barcoteca",))])
    copy = CopyRow(document_id("http://a.es/larga"), "http://a.es/larga", document_id("http://a.es/"), "http://a.es/", 0.9)
    (run.folder / "copies.jsonl").write_bytes(msgspec.json.encode(copy) + b"\n")
    (found,) = words(run).values()
    assert (found["word"], found["count"], found["documents"]) == ("barcoteca", 1, 1)
    assert (found["first_url"], found["first_at"]) == ("http://a.es/larga", DAY)


def test_first_is_the_first_of_all_runs(tmp_path: Path) -> None:
    earlier, later = make(tmp_path, [("http://c.es/", DAY, ("covid",))]), make(tmp_path, USES)
    compile_tables(earlier)
    compile_tables(later)
    found = words(later)
    assert (found["covid"]["first_url"], found["covid"]["first_at"]) == ("http://c.es/", DAY)
    assert (found["barcoteca"]["first_url"], found["barcoteca"]["first_at"]) == ("http://a.es/1", 3 * DAY)
    assert found["covid"]["count"] == 2, "the counts are those of the run"
    assert words(earlier)["covid"]["first_at"] == DAY


@pytest.mark.parametrize("compiled", [False, True])
def test_a_verdict_shows_at_once(tmp_path: Path, compiled: bool) -> None:
    run = make(tmp_path, USES)
    if compiled:
        compile_tables(run)
    judge(tmp_path, ["Barcoteca"], "accepted")
    assert {word: row["verdict"] for word, row in words(run).items()} == {"barcoteca": "accepted", "covid": ""}
    assert set(words(run, "verdict=accepted")) == {"barcoteca"}
    assert set(words(run, "verdict!=accepted")) == set(words(run, "verdict=")) == {"covid"}
    with Tables(run) as tables:
        assert tables.number("unknown", ("verdict=accepted",)) == 4
        assert tables.tally("neologisms", "verdict") == {"": 1, "accepted": 1}
    judge(tmp_path, ["barcoteca"], "")
    assert words(run, "verdict=accepted") == {}


def test_who_holds_tables_open_sees_verdicts_at_once(tmp_path: Path) -> None:
    run = make(tmp_path, USES)
    compile_tables(run)
    with Tables(run, cached=True) as tables:
        assert tables.number("neologisms", ("verdict=accepted",)) == 0
        assert "verdict" in tables.columns_of("neologisms")
        judge(tmp_path, ["covid"], "accepted")
        assert tables.number("neologisms", ("verdict=accepted",)) == 1
        assert len(list(tables.ask("unknown", Question(where=("verdict=accepted",), limit=5)))) == 2


def test_verdicts_are_exported_and_not_kept_in_the_run(tmp_path: Path) -> None:
    run = make(tmp_path, USES)
    judge(tmp_path, ["covid"], "rejected")
    compile_tables(run)
    with Tables(run) as tables:
        tables.write("neologisms", tmp_path / "out.csv", "csv")
        assert ("verdict",) not in tables.select("SELECT column_name FROM (DESCRIBE neologisms)")
    assert "covid" in (tmp_path / "out.csv").read_text()
    assert ",rejected" in (tmp_path / "out.csv").read_text()


def test_a_bad_line_stops_only_those_who_ask_for_verdicts(tmp_path: Path) -> None:
    run = make(tmp_path, USES)
    (tmp_path / FILE_NAME).write_text("covid\tbueno\n")
    with Tables(run) as tables:
        assert tables.number("pages") == 3
        with pytest.raises(UsageError, match="line 1: 'bueno' is no verdict"):
            tables.ask("neologisms")


def test_when_a_word_was_seen_and_who_says_so(tmp_path: Path) -> None:
    year = 20_454 * DAY  # 2026-01-01
    earlier = make(tmp_path, [("http://c.es/", year + DAY, ("barcoteca",))])
    compile_tables(earlier)
    run = make(tmp_path, [(url, year + 100 * DAY, used) for url, _, used in USES])
    own = FieldRow(document_id("http://a.es/2"), "day", "2026-03-02")
    write_part(run.parts, "2", {"fields": [own]})
    found = words(run)
    assert [found["barcoteca"][name] for name in neologisms.SEEN] == ["2026-01-02", "2026-04-11", 1, 2]
    assert [found["covid"][name] for name in neologisms.SEEN] == ["2026-04-11", "2026-04-11", 0, 2]
    assert list(words(run, "first_seen>=2026-04")) == ["covid"]
    assert [words(earlier)["barcoteca"][name] for name in neologisms.SEEN] == ["2026-01-02", "2026-01-02", 0, 1]
