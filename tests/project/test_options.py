"""Keywords of the facade's verbs: they are those of the structs behind them, and what does not fit is told in one line."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import get_type_hints

import msgspec
import pytest
from mypy import api

from trasmallo.config import CrawlConfig, Section, StudyConfig
from trasmallo.crawl.queue_search import QueueQuestion
from trasmallo.project.options import CrawlOptions, StudyOptions, checked
from trasmallo.project.project import Project
from trasmallo.results.concordance.concordance import Options
from trasmallo.results.database.planner import Question
from trasmallo.results.exports.header import ExportRequest
from trasmallo.results.links.question import RankQuestion
from trasmallo.results.search.finder import Reader
from trasmallo.store.index.searcher import HitRequest
from trasmallo.values.errors import ConfigError, UsageError

SCRIPT = """
import trasmallo

project = trasmallo.Project.open({folder!r}, pages=3)
rows = project.table("words", sort="-count", limit=2)
words: list[str] = [str(row["word"]) for row in rows]
names: tuple[str, ...] = rows.columns
total: int = project.find("mar", limit=3).total
obtained: int = project.status().progress.obtained
with project.tables(segment_words=3) as tables:
    number: int = tables.number("words")
"""


@pytest.mark.parametrize(
    ("options", "section", "left_out"), [(CrawlOptions, CrawlConfig, {"seeds"}), (StudyOptions, StudyConfig, set())]
)
def test_keywords_are_the_keys_of_the_project_file(options: type, section: type[Section], left_out: set[str]) -> None:
    hints = get_type_hints(options)
    assert hints.keys() == set(section.__struct_fields__) - left_out
    for name, hint in hints.items():
        usual = getattr(section(), name)
        wanted = {int: int, float: float, bool: bool, str: str}.get(hint)
        assert wanted is None or type(usual) is wanted, name


@pytest.mark.parametrize(
    ("verb", "structs", "others"),
    [
        (Project.table, [Question], {"name", "study", "run", "address"}),
        (Project.find, [HitRequest, Reader], {"query"}),
        (Project.find_every, [Reader], {"query"}),
        (Project.kwic, [Options], {"query"}),
        (Project.rank, [RankQuestion], set()),
        (Project.export, [ExportRequest], {"kind", "path"}),
        (Project.pending, [QueueQuestion], set()),
    ],
)
def test_a_verb_has_the_keywords_and_defaults_of_its_struct(
    verb: Callable[..., object], structs: list[type[msgspec.Struct]], others: set[str]
) -> None:
    hidden = {"snippet", "exclude"}
    usual = {name: getattr(struct(), name) for struct in structs for name in struct.__struct_fields__ if name not in hidden}
    parameters = inspect.signature(verb).parameters
    assert set(parameters) - {"self"} == usual.keys() | others
    assert {name: parameters[name].default for name in usual} == usual


def test_no_verb_takes_or_returns_anything_at_all() -> None:
    for name, verb in inspect.getmembers(Project, inspect.isfunction):
        told = [parameter.annotation for parameter in inspect.signature(verb).parameters.values()]
        told.append(inspect.signature(verb).return_annotation)
        assert not any("Any" in str(hint).replace("[", " ").split() for hint in told), name


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"limit": "x"}, "`limit` cannot be `str`: give `int`"),
        ({"where": "words>3"}, "`where` cannot be `str`: give `list`"),
        ({"where": [3]}, r"`where\[0\]` cannot be `int`: give `str`"),
        ({"sort": None}, "`sort` cannot be `null`: give `str`"),
    ],
)
def test_what_does_not_fit_is_named(values: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        checked(Question, **values)
    assert checked(Question, limit=3, where=["a=b"]) == Question(limit=3, where=("a=b",))


def test_wrong_types_at_the_door_are_told(finished: Project) -> None:
    for asked in (
        lambda: finished.table("words", limit="x"),  # type: ignore[arg-type]
        lambda: finished.table(3),  # type: ignore[arg-type]
        lambda: finished.find(None),  # type: ignore[arg-type]
        lambda: finished.find("mar", offset="2"),  # type: ignore[arg-type]
        lambda: finished.kwic("mar", keep="most"),  # type: ignore[arg-type]
        lambda: finished.rank(limit=None),  # type: ignore[arg-type]
        lambda: finished.pending(limit="all"),  # type: ignore[arg-type]
        lambda: finished.export("csv", 7),  # type: ignore[arg-type]
        lambda: Project.open(None),  # type: ignore[arg-type]
    ):
        with pytest.raises(UsageError):
            asked()
    with pytest.raises(TypeError, match="limt"):
        finished.table("words", limt=2)  # type: ignore[call-arg]
    with pytest.raises(ConfigError, match="did you mean `pages`"):
        Project.open(finished.folder, page=7)  # type: ignore[call-arg]


def test_a_type_checker_finds_misspelt_keywords_and_wrong_types(finished: Project, tmp_path: Path) -> None:
    good, bad = tmp_path / "good.py", tmp_path / "bad.py"
    good.write_text(SCRIPT.format(folder=str(finished.folder)))
    bad.write_text(
        SCRIPT.format(folder=str(finished.folder))
        + 'project.table("words", limt=2)\n'
        + 'project.find("mar", limit="x")\n'
        + 'trasmallo.Project.open("p", page=3)\n'
        + "project.status().sate\n"
    )
    exec(compile(good.read_text(), "good.py", "exec"), {})
    told, _, code = api.run(["--strict", "--no-error-summary", "--config-file=", str(bad), str(good)])
    found = [line.rpartition(": error: ")[2] for line in told.splitlines() if ".py:" in line and ": error: " in line]
    assert code == 1
    assert len(found) == 4, told
    for line, text in zip(
        found, ('"limt" for "table"', '"limit" to "find"', '"page" for "open"', 'has no attribute "sate"'), strict=True
    ):
        assert text in line
