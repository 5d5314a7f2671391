"""Commands that show and export results."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest

from support.command_line import Done
from trasmallo.project.project import Project
from trasmallo.results.registry import all_tables

Command = Callable[..., Done]


def test_a_table_without_rows(finished: Project, trasmallo: Command) -> None:
    done = trasmallo("list", finished.folder, "farms")
    assert (done.code, done.err) == (0, "")
    assert "0 rows" in done.out


@pytest.mark.parametrize("table", [table for table in all_tables() if table not in ("farms", "changes", "gone", "feeds")])
def test_every_table_as_json_lines_csv_and_for_people(finished: Project, trasmallo: Command, table: str) -> None:
    rows = trasmallo("list", finished.folder, table, "--json", "--limit", "3").rows()
    few = 1 if table == "variants" else 3
    assert len(rows) == few
    separated = trasmallo("list", finished.folder, table, "--format", "csv", "--limit", "3").out
    assert next(csv.reader(io.StringIO(separated))) == list(rows[0])
    shown = trasmallo("list", finished.folder, table, "--limit", "3", "--columns", next(iter(rows[0])))
    assert shown.code == 0
    whole = {"copies": "3 rows", "variants": "1 row"}
    assert whole.get(table, "3 of ") in shown.out


def test_conditions_order_and_columns(finished: Project, trasmallo: Command) -> None:
    done = trasmallo(
        "list", finished.folder, "words", "--where", "count>=5", "--where", "word~puert", "--sort", "word", "--columns",
        "word,count", "--format", "tsv", "--limit", "0",
    )  # fmt: skip
    head, *rows = [line.split("\t") for line in done.out.splitlines()]
    assert head == ["word", "count"]
    assert rows == sorted(rows)
    assert all("puert" in word and int(count) >= 5 for word, count in rows)
    assert len(rows) > 1


def test_segments_of_something_else_for_one_question(finished: Project, trasmallo: Command) -> None:
    asked = ("list", finished.folder, "segments", "--json", "--limit", 3, "--set", "segment_words=2")
    kinds = {"lemmas": "de el", "categories": "ADP DET", "characters": "a␣"}
    for of, segment in kinds.items():
        rows = trasmallo(*asked, "--set", f"segments_of={of}").rows()
        assert {(row["of"], row["length"]) for row in rows} == {(of, 2)}
        assert any(segment in row["segment"] for row in rows), rows
    assert trasmallo(*asked).rows()[0]["of"] == "words"


def test_quiet_leaves_only_the_table(finished: Project, trasmallo: Command) -> None:
    loud = trasmallo("list", finished.folder, "words", "--limit", "2").out
    quiet = trasmallo("list", finished.folder, "words", "--limit", "2", "--quiet").out
    assert all_tables()["words"].about.en.split()[0] in loud
    assert "rows" in loud
    assert all_tables()["words"].about.en.split()[0] not in quiet.split()
    assert "rows" not in quiet


@pytest.mark.parametrize(
    ("arguments", "repair"),
    [
        (["wrods"], "did you mean 'words'"),
        (["words", "--where", "count>many"], "write it like words>100"),
        (["words", "--where", "count"], "write it as column=value"),
        (["words", "--sort", "cuont"], "did you mean 'count'"),
        (["words", "--columns", "wrd"], "did you mean 'word'"),
        (["words", "--limit", "-1"], "see trasmallo list --help"),
        (["words", "--set", "segment_words=3"], "ask so for one of words_by_page"),
        (["segments", "--set", "segments_off=lemmas"], "did you mean `segments_of`"),
        (["segments", "--set", "segments_of=letters"], "it must be"),
        (["segments", "--set", "segment_words"], "write it as key=value"),
    ],
)
def test_bad_questions(finished: Project, trasmallo: Command, arguments: list[str], repair: str) -> None:
    done = trasmallo("list", finished.folder, *arguments)
    assert done.code == 2
    assert repair in done.refusal()


def test_export_says_what_it_wrote(finished: Project, trasmallo: Command, tmp_path: Path) -> None:
    out = tmp_path / "words.csv"
    told = trasmallo("export", finished.folder, "--as", "csv", "--table", "words", "-o", out)
    number = len(out.read_text(encoding="utf-8").splitlines()) - 1
    assert told == Done(0, f"Wrote {number:,} rows to {out}.\n", "")
    assert trasmallo("export", finished.folder, "--as", "csv", "-o", out, "--quiet") == Done(0, "", "")
    as_json = trasmallo("export", finished.folder, "--as", "jsonl", "--table", "words", "-o", out, "--json")
    assert as_json.value() == {"file": str(out), "rows": number}


def test_cells_for_spreadsheets(tmp_path: Path, trasmallo: Command) -> None:
    page = tmp_path / "page.txt"
    page.write_text("Uno = dos - tres + @cuatro.")
    safe, raw = trasmallo("words", page, "--language", "es"), trasmallo("words", page, "--language", "es", "--raw")
    assert "\t'=\t" in safe.out
    assert "an apostrophe in front; --raw leaves them" in safe.err
    assert "\t=\t" in raw.out
    assert raw.err == ""
    assert trasmallo("words", page, "--language", "es", "--bom", "--quiet") == Done(0, "\ufeff" + safe.out, "")


def test_dates_limit_words_and_documents(finished: Project, trasmallo: Command) -> None:
    def asked(table: str, *options: str) -> list[dict[str, object]]:
        return trasmallo("list", finished.folder, table, "--limit", "0", "--json", *options).rows()

    early, late = asked("neologisms", "--until", "2026-04"), asked("neologisms", "--since", "2026-05")
    assert early
    assert late
    assert len(early) + len(late) == len(asked("neologisms"))
    assert all(str(row["first_seen"]) < "2026-05" for row in early)
    seen = asked("unknown", "--until", "2026-05", "--columns", "word,date,date_origin")
    assert {row["date_origin"] for row in seen} == {"document"}
    assert all("" < str(row["date"]) < "2026-06" for row in seen)
    week = asked("trends", "--by", "week", "--columns", "word,slope")
    assert week == asked("trends_by_week", "--columns", "word,slope")
    assert asked("trends_by_week", "--by", "month", "--columns", "word,slope") == asked("trends", "--columns", "word,slope")


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("words", "--since", "2026"), "the rows of words have no dates: use --since and --until with trends"),
        (("pages", "--by", "week"), "pages has no periods: use --by with trends or lemma_trends"),
        (("dates", "--since", "2026-13"), "'2026-13' is no date: write it like 2026"),
    ],
)
def test_dates_that_cannot_be_asked_for(finished: Project, trasmallo: Command, typed: tuple[str, ...], said: str) -> None:
    done = trasmallo("list", finished.folder, *typed)
    assert done.code == 2
    assert said in done.err
