"""The command that shows words in their surroundings."""

from __future__ import annotations

import csv
from collections.abc import Callable

from support.command_line import Done
from trasmallo.cli import kwic
from trasmallo.project.project import Project
from trasmallo.study.association import Measures

Command = Callable[..., Done]
NOUNS = '[pos="DET"] [lemma="red"]'


def test_lines_below_each_other(finished: Project, trasmallo: Command) -> None:
    done = trasmallo("kwic", finished.folder, "trasmallo", "--limit", 3)
    *lines, caption = done.out.splitlines()
    assert len(lines) == 3
    assert len({line.lower().index("  trasmallo") for line in lines}) == 1
    assert caption.startswith("3 of ")
    assert "per million tokens" in caption
    assert len(trasmallo("kwic", finished.folder, "trasmallo", "--limit", 3, "--quiet").out.splitlines()) == 3


def test_every_format_has_the_same_hits(finished: Project, trasmallo: Command) -> None:
    found = trasmallo("kwic", finished.folder, NOUNS, "--json", "--limit", 0).value()
    assert found["total"] == len(found["hits"]) > 5
    rows = trasmallo("kwic", finished.folder, NOUNS, "--format", "jsonl", "--limit", 0).rows()
    assert rows == found["hits"]
    table = trasmallo("kwic", finished.folder, NOUNS, "--format", "tsv", "--limit", 0).out
    separated = list(csv.DictReader(table.splitlines(), dialect="excel-tab"))
    assert [(row["document"], int(row["start"])) for row in separated] == [(row["document"], row["start"]) for row in rows]


def test_tables_of_hits(finished: Project, trasmallo: Command) -> None:
    rows = trasmallo("kwic", finished.folder, NOUNS, "--breakdown", "word/0,lemma/1", "--json", "--limit", 2).rows()
    assert len(rows) == 2
    assert len(rows[0]["values"]) == 2
    shown = trasmallo("kwic", finished.folder, NOUNS, "--breakdown", "word/0", "--limit", 2).out
    assert "word/0" in shown
    near = trasmallo("kwic", finished.folder, NOUNS, "--collocates", "--window", "0,3", "--least", 1, "--format", "csv").out
    assert near.startswith("value,count,total,log_likelihood")
    near = trasmallo("kwic", finished.folder, NOUNS, "--collocates", "word", "--measure", "t", "--least", 2, "--json").rows()
    assert [row["t"] for row in near] == sorted((row["t"] for row in near), reverse=True)
    less = trasmallo("kwic", finished.folder, NOUNS, "--collocates", "word", "--least", 2, "--content-words", "--json").rows()
    assert {"La", "con"} <= {row["value"] for row in near} - {row["value"] for row in less}
    parts = trasmallo("kwic", finished.folder, NOUNS, "--distribution", "site", "--json").rows()
    assert sum(row["count"] for row in parts) == trasmallo("kwic", finished.folder, NOUNS, "--json").value()["total"]


def test_the_measures_are_all_there_are() -> None:
    assert list(Measures._fields) == kwic._MEASURES


def test_what_is_wrong_is_told_in_one_line(finished: Project, trasmallo: Command) -> None:
    for arguments, said in (
        (['[word="a'], "character 7 of the query"),
        (['[word="(a"]'], "never closed"),
        (["a", "--window", "x"], "no window"),
        (["a", "--sort", "nope"], "names no token"),
        (["a", "--context", "nope"], "no size of a context"),
        (["a", "--where", "nope=1"], "there is no column"),
        (["([]{1,30}){1,30} within s"], "steps: use smaller repeats, or rarer words, or ask fewer documents"),
    ):
        collocates = ["--collocates"] if "--window" in arguments else []
        done = trasmallo("kwic", finished.folder, *arguments, *collocates)
        assert done.code == 2
        assert said in done.refusal()


def test_lines_by_date(finished: Project, trasmallo: Command) -> None:
    done = trasmallo("kwic", finished.folder, "trasmallo", "--sort", "date", "--limit", 0)
    dates = [line[:11].strip() for line in done.out.splitlines()[:-1]]
    assert dates == sorted(dates)
    assert any(date.endswith("*") for date in dates)
    assert not dates[0].endswith("*")
    assert done.err == "* dated by the first visit, since the document tells no date\n"
    found = trasmallo("kwic", finished.folder, "trasmallo", "--until", "2026-05", "--limit", 0, "--json").value()["hits"]
    assert {hit["date_origin"] for hit in found} == {"document"}
    assert len(found) == len([date for date in dates if date < "2026-06"])
    assert finished.kwic("trasmallo", until="2026-05", sort="date", limit=1).hits[0].date == dates[0]
