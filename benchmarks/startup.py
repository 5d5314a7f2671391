"""CPU seconds until trasmallo is imported, and until `trasmallo --help` has printed: the best of several fresh processes.

    python benchmarks/startup.py [RUNS]

Bare Python's own start is measured beside them and not taken off.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

RUNS = 10
STARTS = {
    "bare Python": (["-c", "pass"], None),
    "import trasmallo": (["-c", "import trasmallo"], 0.15),
    "trasmallo --help": (["-m", "trasmallo", "--help"], 0.3),
}
"""What is started, and the most CPU seconds it may take."""


def cpu_of(arguments: list[str]) -> float:
    """CPU seconds of one process, system time included."""
    source = str(Path(__file__).resolve().parent.parent / "src")
    path = os.pathsep.join(filter(None, (source, os.environ.get("PYTHONPATH", ""))))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL, env=os.environ | {"PYTHONPATH": path})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> int:
    """Print the table; 1 when a budget is passed."""
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else RUNS
    over = 0
    print(f"best of {runs} fresh processes\n{'':20}{'CPU s':>8}{'budget':>8}")
    for name, (arguments, budget) in STARTS.items():
        best = min(cpu_of(arguments) for _ in range(runs))
        over += budget is not None and best > budget
        print(f"{name:20}{best:8.3f}{budget if budget is not None else '':>8}")
    return min(over, 1)


if __name__ == "__main__":
    sys.exit(main())
