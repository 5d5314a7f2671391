"""Steps of a whole run."""

from __future__ import annotations

from pathlib import Path

from support.runs import make_run
from trasmallo.pipeline.executors.interface import FindCopies, MergeTokens
from trasmallo.pipeline.executors.steps import do_step
from trasmallo.store.parts import TOKENS


def test_a_step_can_be_done_again(tmp_path: Path) -> None:
    run = make_run(tmp_path)
    run.save()
    for step, name in ((FindCopies(str(run.folder), 0.8), "copies.jsonl"), (MergeTokens(str(run.folder)), TOKENS)):
        do_step(step)
        first = (run.folder / name).read_bytes()
        do_step(step)
        assert (run.folder / name).read_bytes() == first
