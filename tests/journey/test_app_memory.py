"""What is measured of the app's memory."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support.benchmark_scripts import load


def test_growth_is_that_of_answers_and_of_runs_an_hour() -> None:
    memory = load("app_memory")
    answers = [(300.0 * block, 100.0 - min(block, 3) + block * 0.03) for block in range(1, 41)]
    runs = [(float(number), 120.0 + 0.02 * number) for number in range(1, 301)]
    found = memory.Measured(by_answers=answers, by_runs=runs)
    assert memory.growth(answers).times(10_000).each == pytest.approx(1.0)
    assert memory.growth(runs).times(100).each == pytest.approx(2.0)
    assert found.an_hour.each == pytest.approx(0.55 + 2.0)
    assert not found.is_well
    assert memory.Measured(by_answers=answers, by_runs=answers).is_well
    assert memory.standard_error([(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (3.0, 1.0)]) == pytest.approx(0.2828, abs=1e-4)
    assert memory.slope([]) == memory.slope([(1.0, 5.0)]) == memory.standard_error([]) == 0.0
    found.statuses[500] += 1
    assert not memory.Measured(statuses=found.statuses).is_well


@pytest.mark.skipif(not Path("/proc/self/smaps_rollup").exists(), reason="Linux tells what is private")
def test_private_memory_is_what_a_process_has_written() -> None:
    memory = load("app_memory")
    before, written = memory.private_memory(os.getpid()), bytearray(b"x") * 30_000_000
    assert 25 <= memory.private_memory(os.getpid()) - before <= 60
    assert len(written) == 30_000_000
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE) as other:
        assert memory.private_memory(other.pid) < before + 30
        other.kill()


def test_runs_take_turns_and_all_questions_are_answered(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    memory = load("app_memory")
    memory.BLOCK = 6
    memory.RUNS_MADE = 2
    measuring = memory.AppMemory(tmp_path, pages=4)
    found = measuring.run(0.0)
    assert set(found.statuses) == {200}
    assert [number for number, _ in found.by_runs] == [1, 2]
    assert sorted(path.name for path in measuring.project.runs.iterdir())[:2] == ["memory-000001", "memory-000002"]
    memory.show(found)
    assert "an hour of the soak" in capsys.readouterr().out
