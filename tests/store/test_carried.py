"""What a run takes over from the one before it."""

from __future__ import annotations

from pathlib import Path

import pytest

from trasmallo.store import digests, run_folders
from trasmallo.store.carried import COPIES, GONE, carried_tokens, carry_over, named_documents, outdated_documents
from trasmallo.store.parts import TOKENS
from trasmallo.store.run_folders import Run
from trasmallo.values.errors import StoreDamaged


@pytest.fixture
def runs(tmp_path: Path) -> tuple[Run, Run]:
    base, run = (run_folders.start(tmp_path / "runs", name, "crawl", "t/1") for name in ("one", "two"))
    for name in ("pages.parquet", "words.parquet", TOKENS, COPIES):
        (base.folder / name).write_text(name)
    digests.seal(base.folder, [path for path in base.folder.iterdir() if path.is_file()])
    return base, run


def test_files_are_linked_and_stay_when_the_other_run_changes(runs: tuple[Run, Run]) -> None:
    base, run = runs
    carry_over(base, run, ["pages"], "index")
    assert {path.name for path in run.carried.iterdir()} == {"pages.parquet", TOKENS, COPIES, digests.NAME}
    (base.folder / "pages.parquet").unlink()
    assert (run.carried / "pages.parquet").read_text() == "pages.parquet"
    assert list(digests.damaged_files(run.carried)) == []


def test_damage_is_not_carried(runs: tuple[Run, Run]) -> None:
    base, run = runs
    (base.folder / "pages.parquet").write_text("PAGES.parquet")
    with pytest.raises(StoreDamaged):
        carry_over(base, run, ["pages"], "index")
    assert not run.carried.exists()


def test_documents_of_the_run_itself_and_those_that_are_gone_count_no_more(runs: tuple[Run, Run]) -> None:
    base, run = runs
    assert carried_tokens(run) == {}
    carry_over(base, run, ["pages"], "index")
    part = run.parts / "00000001-1"
    part.mkdir()
    (part / "pages.jsonl").write_text('{"document": "00000000000000aa"}\n')
    (run.folder / GONE).write_text('{"document": "00000000000000bb", "url": "http://a.es/"}\n')
    assert outdated_documents(run) == {"00000000000000aa", "00000000000000bb"}
    assert carried_tokens(run) == {run.carried / TOKENS: outdated_documents(run)}
    assert list(named_documents(run.folder / COPIES)) == []
