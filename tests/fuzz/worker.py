"""Process that fuzzes one target for a time: `python -m fuzz.worker NAME SECONDS SEED FOLDER`.

Every input stands in FOLDER/current before it is run, so that whoever started this knows at which one it died.
"""

from __future__ import annotations

import json
import random
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path

from fuzz.failures import keep
from fuzz.mutation import minimise, mutate
from fuzz.target import Target
from fuzz.targets import targets
from fuzz.trial import Fault, attempt

MEGABYTES = 2_000
"""Memory of the process, with all that is loaded."""
_FRAMES = 5_000
"""As in the sandbox of converters."""


def work(target: Target, seconds: float, seed: int, folder: Path) -> None:
    """Fuzz a target, and write how many inputs there were and which kinds of faults."""
    rng, end, inputs, kinds = random.Random(seed), time.monotonic() + seconds, 0, set()
    current, counts = folder / "current", folder / "counts.json"
    while time.monotonic() < end:
        content = mutate(target.seeds, rng, target.words)
        current.write_bytes(content)
        fault = attempt(target, content)
        inputs += 1
        if fault and fault.kind not in kinds:
            kinds.add(fault.kind)
            keep(target.name, minimise(content, _fails_alike(target, fault), 0 if "TooSlow" in fault.kind else 150), fault.told)
        if fault or inputs % 100 == 0:
            counts.write_text(json.dumps([inputs, sorted(kinds)]))
    counts.write_text(json.dumps([inputs, sorted(kinds)]))


def _fails_alike(target: Target, fault: Fault) -> Callable[[bytes], bool]:
    def fails(content: bytes) -> bool:
        found = attempt(target, content)
        return found is not None and found.kind == fault.kind

    return fails


def main(name: str, seconds: str, seed: str, folder: str) -> None:
    """Fuzz under a cap of memory."""
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES * 1_000_000,) * 2)
    sys.setrecursionlimit(_FRAMES)
    work(targets()[name], float(seconds), int(seed), Path(folder))


if __name__ == "__main__":
    main(*sys.argv[1:])
