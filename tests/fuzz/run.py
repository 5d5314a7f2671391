"""Fuzzing of all that reads foreign input: `python3 go.py fuzz [NAME...] [--minutes M] [--seed N]`.

What fails is made smaller and kept in `tests/fuzz/failures`, where the tests find it: an exception that is none of ours, ten
seconds of the processor, two gigabytes, or the death of the process. Exit code 1 says that something did.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(TESTS), str(TESTS.parent / "src")]

from fuzz.failures import keep  # noqa: E402 - found by the line above
from fuzz.targets import targets  # noqa: E402

STUCK = 120.0
"""Seconds by the clock after which a process that says nothing is given up: the library it is in does not return."""


class Outcome(NamedTuple):
    """How many inputs a target had, and which kinds of faults."""

    inputs: int
    kinds: set[str]


def fuzz(name: str, seconds: float, seed: int) -> Outcome:
    """Fuzz one target in processes of its own: one that dies is replaced."""
    end, inputs, kinds = time.monotonic() + seconds, 0, set()
    while (left := end - time.monotonic()) > 0:
        with tempfile.TemporaryDirectory() as folder:
            told = _one_process(name, left, seed, Path(folder))
            number, found = _counts(Path(folder))
            inputs, kinds = inputs + number, kinds | set(found)
            if told and (Path(folder) / "current").exists():
                kinds.add(told)
                keep(name, (Path(folder) / "current").read_bytes(), told)
            elif told:
                return Outcome(inputs, kinds | {told})
        seed += 1
    return Outcome(inputs, kinds)


def _one_process(name: str, seconds: float, seed: int, folder: Path) -> str:
    """Run one process to its end; how it died, "" when it did not."""
    command = [sys.executable, "-m", "fuzz.worker", name, str(seconds), str(seed), str(folder)]
    paths = os.pathsep.join([str(TESTS.parent / "src"), str(TESTS)])
    with subprocess.Popen(command, cwd=TESTS, env=os.environ | {"PYTHONPATH": paths}) as process:
        while True:
            try:
                code = process.wait(STUCK)
                return "" if code == 0 else f"the process died ({code})"
            except subprocess.TimeoutExpired:
                if _age(folder / "current") > STUCK:
                    process.kill()
                    process.wait()
                    return f"stuck for more than {STUCK:g} s"


def _age(path: Path) -> float:
    return time.time() - path.stat().st_mtime if path.exists() else 0.0


def _counts(folder: Path) -> tuple[int, list[str]]:
    path = folder / "counts.json"
    number, kinds = json.loads(path.read_text()) if path.exists() else (0, [])
    return int(number), list(kinds)


def main(arguments: list[str]) -> int:
    """Fuzz the targets that are named, or all of them one after another."""
    known = targets()
    parser = argparse.ArgumentParser(prog="go.py fuzz", description="Targets: " + ", ".join(known))
    parser.add_argument("names", nargs="*", metavar="NAME", help="a target; all when none is named")
    parser.add_argument("--minutes", type=float, default=10.0, help="for each target (default 10)")
    parser.add_argument("--seed", type=int, default=1, help="another number draws other inputs")
    asked = parser.parse_args(arguments)
    if unknown := [name for name in asked.names if name not in known]:
        parser.error(f"there is no target {unknown[0]!r}: choose one of {', '.join(known)}")
    failed = False
    print(f"{'target':18} {'inputs':>9} {'minutes':>8}  faults", flush=True)
    for name in asked.names or known:
        outcome = fuzz(name, 60 * asked.minutes, asked.seed)
        print(f"{name:18} {outcome.inputs:9,} {asked.minutes:8g}  {'; '.join(sorted(outcome.kinds)) or 'none'}", flush=True)
        failed = failed or bool(outcome.kinds)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
