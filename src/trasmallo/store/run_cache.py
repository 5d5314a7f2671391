"""Cache of a run: what asking it has made and may be made again, in the folder of whoever asks and not in the project.

A run has another one when it was moved, or when its results were made again. Those of runs that are gone, and of results that
were given up, are removed when a new one is made. Where nothing can be written in the person's home, it lasts as long as the
process.
"""

from __future__ import annotations

import shutil
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

import xxhash

from trasmallo.store.run_folders import Run
from trasmallo.values.scratch import cache_folder, new_scratch

_ORIGIN = "run"
"""The file that says whose cache it is: the folder of the run, and how often its results were made again."""


def cache_of(run: Run) -> Path:
    """Where the cache of a run is, or would be."""
    return cache_folder() / "runs" / xxhash.xxh3_64_hexdigest(_origin(run).encode())


def make_cache(run: Run) -> Path:
    """The cache of a run, as a folder that is there."""
    folder = cache_of(run)
    try:
        if not folder.exists():
            _remove_abandoned(folder.parent, run)
            folder.mkdir(parents=True, mode=0o700)
            (folder / _ORIGIN).write_text(_origin(run))
    except OSError:
        return _passing(_origin(run))
    return folder


def _origin(run: Run) -> str:
    return f"{run.folder.resolve()}\n{run.manifest.began} {run.manifest.remade}"


@lru_cache(maxsize=64)
def _passing(origin: str) -> Path:  # noqa: ARG001 - it is the key
    folder = new_scratch()
    folder.mkdir()
    return folder


def _remove_abandoned(folder: Path, run: Run) -> None:
    for path in folder.glob(f"*/{_ORIGIN}"):
        with suppress(OSError):
            home = Path(path.read_text().partition("\n")[0])
            if home == run.folder.resolve() or not home.exists():
                shutil.rmtree(path.parent, ignore_errors=True)
