"""Which folder answers a question: the project's own, or that of a subcorpus with what the asker may read and asks about.

Subcorpora lie in the cache of who asks, one for each choice of documents from each state of the collection; the last few of a
project are kept. What may be read is looked at anew for every question; a look that took some time counts for as long again.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path

import msgspec
import xxhash

from trasmallo.config import Config
from trasmallo.project.permissions import Permissions, owner_of
from trasmallo.store import digests, run_folders
from trasmallo.store.parts import finished_parts
from trasmallo.store.pushed import pushed_rights
from trasmallo.store.result_soundness import edition_of
from trasmallo.store.rights import is_restricted, read_rights
from trasmallo.store.run_folders import Run
from trasmallo.store.subcorpora import EVERYTHING, Choice, Scope
from trasmallo.study.verdicts import FILE_NAME as VERDICTS
from trasmallo.values.access import Asker
from trasmallo.values.errors import disk_errors
from trasmallo.values.folder_lock import locked
from trasmallo.values.scratch import cache_folder, new_scratch
from trasmallo.values.software import SOFTWARE

_MOST = 8
"""Subcorpora of a project that are kept. Judgement: some scopes that are compared, and the last states of a collection."""

_IN_USE_S = 60.0
"""Seconds for which a subcorpus is not removed after it was asked. Judgement: longer than an answer takes."""

_LONGEST_LOOK_S = 1.0
"""Seconds for which a look at the rights may count at most."""


class Subcorpora:
    """Finds the folder that answers, for one asker and scope of one project."""

    def __init__(self, project: Path, config: Config, asker: Asker, scope: Scope = EVERYTHING) -> None:
        self.asker = asker
        self.scope = scope
        self._project = project
        self._config = config
        self._home: Path | None = None
        self._choice = Choice()
        self._until = 0.0

    def without_limits(self) -> Subcorpora:
        """What answers with all documents, for who works on the project."""
        return Subcorpora(self._project, self._config, msgspec.structs.replace(self.asker, uid=0))

    def within(self, scope: Scope) -> Subcorpora:
        """What answers about a scope, for the same asker."""
        return Subcorpora(self._project, self._config, self.asker, scope)

    @property
    def restricts(self) -> bool:
        """Whether there are documents that the asker may not read."""
        return bool(self._chosen().denied)

    def home(self) -> Path:
        """The folder that answers now."""
        choice = self._chosen()
        if choice == Choice():
            return self._project
        if self._home is None:
            self._home = self._made()
        return self._home

    def is_ready(self, name: str = "") -> bool:
        """Whether the results of a run, of a date or of the collection as it is now are there for this choice."""
        if self._chosen() == Choice():
            return True
        runs = self._project / "runs"
        if not run_folders.find(runs):
            return True
        current = run_folders.current(runs)
        named = run_folders.named(runs, name) if name else current
        built = [self._place(current) / "runs" / run.folder.name for run in (current, named)]
        return all(digests.is_sealed(place) for place in built)

    def _chosen(self) -> Choice:
        """What the asker may read and asks about, by a look at the rights that is no older than it took."""
        began = time.monotonic()
        if began >= self._until:
            self._choice, self._home = Choice(denied=self._denied(), scope=self.scope), None
            now = time.monotonic()
            self._until = now + min(now - began, _LONGEST_LOOK_S)
        return self._choice

    def results(self, name: str) -> Run:
        """The results of a run, of a date or of the collection as it is now, for what the asker may read and asks about."""
        home, found = self.home(), run_folders.named(self._project / "runs", name)
        if home == self._project:
            return found
        return self._built(home, found)

    def _denied(self) -> frozenset[str]:
        store = self._project / "store"
        if self.asker.uid == 0:
            return frozenset()
        rights = pushed_rights(self._project)
        if is_restricted(store):
            # A push comes before the run that takes it in: both must allow it.
            looked = Permissions(self.asker, owner_of(self._project))
            return looked.denied(read_rights(store)) | looked.denied(rights)
        return Permissions(self.asker, owner_of(self._project)).denied(rights) if rights else frozenset()

    def _made(self) -> Path:
        """The folder of the subcorpus, with the results of the collection as it is now."""
        runs = run_folders.find(self._project / "runs")
        if not runs:
            return self._empty()
        current = run_folders.current(self._project / "runs")
        home = self._place(current)
        if not home.exists():
            self._begin(home, [run for run in runs if run.manifest.began <= current.manifest.began])
        os.utime(home)
        made = self._built(home, current)
        if self._choice.denied and _age(home / VERDICTS) <= _age(self._project / VERDICTS):
            from trasmallo.pipeline.subcorpus import write_verdicts

            write_verdicts(self._project, home, made)
        return home

    def _begin(self, home: Path, runs: Sequence[Run]) -> None:
        from trasmallo.pipeline.subcorpus import build_home

        with disk_errors(home):
            home.parent.mkdir(exist_ok=True)
        with locked(_folder() / "lock"):
            if not home.exists():
                self._forget_old(home.parent)
                build_home(self._project, home, self._choice, self._config, runs)

    def _empty(self) -> Path:
        """The folder of a subcorpus of nothing, for who asks before there are results."""
        home = self._place(None)
        if not home.exists():
            self._begin(home, ())
        return home

    def _built(self, home: Path, run: Run) -> Run:
        place = home / "runs" / run.folder.name
        if digests.is_sealed(place):
            return run_folders.open_run(place)
        from trasmallo.pipeline.subcorpus import build_results

        return build_results(run, home, self._choice, self._config)

    def _place(self, current: Run | None) -> Path:
        """Where the subcorpus is, or would be: one for each choice and each state of the collection."""
        state = (
            SOFTWARE,
            _state_of(current) if current else "",
            [(run.name, run.manifest.remade) for run in run_folders.find(self._project / "runs")],
            sorted(self._choice.denied),
            self.scope,
            self._config,
        )
        told = xxhash.xxh3_128_hexdigest(msgspec.json.encode(state))
        return _folder() / xxhash.xxh3_64_hexdigest(os.fsencode(self._project.resolve())) / told

    def _forget_old(self, folder: Path) -> None:
        """Remove the subcorpora that nobody asked for longest."""
        with suppress(OSError):
            known = sorted(folder.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
            for path in known[_MOST - 1 :]:
                if time.time() - path.stat().st_mtime > _IN_USE_S:
                    shutil.rmtree(path, ignore_errors=True)


def _age(path: Path) -> int:
    """When a file was last written, 0 where there is none."""
    try:
        return path.stat().st_mtime_ns
    except FileNotFoundError:
        return 0


def _state_of(run: Run) -> tuple[object, ...]:
    """What differs when the results of a run do; of one that goes on all its parts."""
    edition = edition_of(run)
    parts = [] if edition.finished else [part.name for part in finished_parts(run.shown_parts)]
    return run.name, run.manifest.began, *edition, parts


def _folder() -> Path:
    """Where subcorpora are: for nobody but who asks."""
    return _private_folder(str(cache_folder()))


@cache
def _private_folder(home: str) -> Path:
    try:
        place = Path(home, "subcorpora")
        place.mkdir(parents=True, exist_ok=True, mode=0o700)
        place.chmod(0o700)
    except OSError:
        place = new_scratch()
        place.mkdir(mode=0o700)
    return place
