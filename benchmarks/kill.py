"""kill -9 at random moments of a running project: nothing acknowledged may be lost, the result must be that of a quiet run.

python benchmarks/kill.py [KILLS [SEED [PROCESSES]]]
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests" / "journey"))

from killing import check_acknowledged, kill_until_done, prepare, results

from trasmallo.demo.site import Site

_SEED = 20261115


def main() -> None:
    """Kill as often as asked, over as many projects as that takes."""
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    chance = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else _SEED)
    processes = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    began = time.monotonic()
    with Site() as site, tempfile.TemporaryDirectory() as scratch:
        quiet = prepare(Path(scratch) / "quiet", site.seeds)
        quiet.run()
        expected = results(quiet)
        kills = projects = acknowledged = 0
        while kills < wanted:
            project = prepare(Path(scratch) / f"killed{projects}", site.seeds, processes)
            kills += kill_until_done(project, chance, longest=4.0, most=12)
            acknowledged += check_acknowledged(project)
            found = results(project)
            for table, rows in expected.items():
                odd = set(rows).symmetric_difference(found[table])
                assert not odd, f"{table}: {len(rows)} and {len(found[table])} rows, such as {sorted(odd, key=repr)[:4]}"
            projects += 1
            print(f"{kills} kills, {projects} projects, {acknowledged} pages acknowledged and readable", flush=True)
    print(f"{'kills':>8} {'projects':>8} {'pages lost':>10} {'results differ':>14} {'seconds':>8}")
    print(f"{kills:>8} {projects:>8} {0:>10} {0:>14} {time.monotonic() - began:>8.0f}")


if __name__ == "__main__":
    main()
