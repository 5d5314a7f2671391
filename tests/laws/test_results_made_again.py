"""Who asks while results are made again gets an answer, at whatever moment that begins: nothing is damaged then."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import pytest

from support.interleaving import Step, interleavings
from support.runs import PAGES, make_run
from trasmallo.config import Config, StudyConfig
from trasmallo.pipeline.completion import complete, forget_results, remove_parts
from trasmallo.results import registry, run_corpus
from trasmallo.results.concordance.concordance import Concordance, Options
from trasmallo.results.database import views
from trasmallo.results.database.planner import Question
from trasmallo.results.database.tables import Tables
from trasmallo.results.registry import OnDemand
from trasmallo.results.run_corpus import open_corpus
from trasmallo.store import carried, digests, result_soundness, run_folders
from trasmallo.store.carried import COPIES, named_documents
from trasmallo.store.parts import TOKENS
from trasmallo.store.result_soundness import require_results
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import StoreDamaged

STRIDE = 97
"""Lines between two steps where a look at the tables, of 1,500 lines, takes a tenth of a second."""

QUICK = Config(study=StudyConfig(analyses=()))


class Maker:
    """Makes the results of a run again, in the order in which `clean`, `study` and `repair` do."""

    def __init__(self, folder: Path, config: Config = QUICK) -> None:
        self._run = make_run(folder)
        self._parts, self._results = folder / "parts", folder / "results"
        shutil.copytree(self._run.parts, self._parts)
        complete(self._run, config, lambda _event: None, finished=True)
        self._run.mark("finished")
        remove_parts(self._run)
        shutil.copytree(self._run.folder, self._results, ignore=shutil.ignore_patterns("run.json", digests.NAME))

    def opened(self) -> Run:
        """The run as somebody opens it who asks."""
        return run_folders.open_run(self._run.folder)

    def give_up(self) -> Sequence[Step]:
        """The steps until no results are left but the parts; a kill may part any two."""
        removals: list[Step] = [(self._run.folder / name).unlink for name in digests.sealed_files(self._run.folder)]
        return [self._put_parts, self._run.give_up_results, lambda: digests.unseal(self._run.folder), *removals]

    def make(self) -> Sequence[Step]:
        """The steps from there to results that are whole."""
        return [*self._links(), self._seal, lambda: self._run.mark("finished"), lambda: remove_parts(self._run)]

    def _put_parts(self) -> None:
        shutil.copytree(self._parts, self._run.parts)

    def _links(self) -> Iterator[Step]:
        for path in sorted(path for path in self._results.iterdir() if path.is_file()):
            yield lambda path=path: self._link(path)  # type: ignore[misc]

    def _link(self, path: Path) -> None:
        if not (self._run.folder / path.name).exists():
            os.link(path, self._run.folder / path.name)

    def _seal(self) -> None:
        digests.seal(self._run.folder, [*self._run.folder.glob("*.parquet"), self._run.folder / TOKENS])

    def all_again(self) -> Sequence[Step]:
        """Both."""
        return [*self.give_up(), *self.make()]


@pytest.fixture
def maker(tmp_path: Path) -> Maker:
    return Maker(tmp_path)


def verify_all(run: Run) -> None:
    for path in (run.folder / TOKENS, run.folder / "pages.parquet"):
        digests.verify(path)


def read_copies(run: Run) -> list[str]:
    return list(named_documents(run.folder / COPIES))


@pytest.mark.parametrize("ask", [require_results, verify_all, read_copies])
def test_what_is_looked_at_is_not_damaged(maker: Maker, ask: Callable[[Run], object]) -> None:
    tried = 0
    for turn in interleavings([digests, result_soundness, carried], maker.all_again):
        turn.run(partial(ask, maker.opened()))
        tried += 1
    assert tried > 10


def test_the_tokens_are_all_there(maker: Maker) -> None:
    for turn in interleavings([run_corpus, digests], maker.all_again):
        assert len(turn.run(partial(open_corpus, maker.opened())).documents) == len(PAGES)


def test_the_tables_are_all_there(maker: Maker) -> None:
    def ask(run: Run) -> int:
        with Tables(run) as tables:
            return tables.number("pages")

    for turn in interleavings([result_soundness, views], maker.all_again, stride=STRIDE):
        assert turn.run(partial(ask, maker.opened())) == len(PAGES)


@pytest.mark.parametrize("cached", [False, True])
def test_who_has_the_tables_open_is_told_the_same(tmp_path: Path, cached: bool) -> None:
    """An app keeps tables open, and is asked when their files went and others are not there yet."""
    maker = Maker(tmp_path, Config())
    names = [name for name, table in registry.all_tables().items() if not isinstance(table.made, OnDemand)]

    def ask(tables: Tables, name: str) -> tuple[object, ...]:
        return tables.number(name), [tuple(map(rounded, row)) for row in tables.ask(name, Question(limit=20))]

    def rounded(cell: object) -> object:
        """Sums of many threads differ in their last digits."""
        return round(cell, 9) if isinstance(cell, float) else cell

    with Tables(maker.opened(), cached=cached) as asked_before, Tables(maker.opened(), cached=cached) as opened_before:
        expected = {name: ask(asked_before, name) for name in names}
        for step in maker.give_up():
            step()
        assert {name: ask(asked_before, name) for name in names} == expected
        assert {name: ask(opened_before, name) for name in names} == expected
    assert expected["lemmas"][0], "it is made of the tokens"


def test_a_concordance_that_is_open_is_told_the_same(tmp_path: Path) -> None:
    maker = Maker(tmp_path, Config())
    with Concordance(maker.opened(), "es") as concordance:
        expected = concordance.find("w001", Options(sort="date", where=("words>1",)))
        for step in maker.give_up():
            step()
        assert concordance.find("w001", Options(sort="date", where=("words>1",))) == expected
    assert expected.total


def test_what_is_lost_is_told(maker: Maker) -> None:
    """The order of making again, all but the first step, is damage."""
    opened = maker.opened()
    digests.unseal(opened.folder)
    for run in (opened, maker.opened()):
        with pytest.raises(StoreDamaged, match=r"digests\.json is missing"):
            require_results(run)
    forget_results(maker.opened())
    require_results(opened)
