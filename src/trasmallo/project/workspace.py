"""Workspace of a person: the projects named, those in a folder of projects, and those remembered from other days.

A project has a name by which its addresses know it; the list in the user's data folder keeps the names from day to day.
What is deleted moves to a folder `.trasmallo-trash` beside it, and can come back.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import threading
import time
import unicodedata
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Unpack

import msgspec
import xxhash

from trasmallo import config
from trasmallo.project.lock import hold, holder
from trasmallo.project.options import CrawlOptions
from trasmallo.project.project import Project
from trasmallo.project.scoped_names import split_name
from trasmallo.project.settings import write_values
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE
from trasmallo.values.errors import ConfigError, NotFound, UsageError, disk_errors
from trasmallo.values.folder_lock import locked

TRASH = ".trasmallo-trash"
_ERASED = ".erased-"
"""How names in the trash begin that are being erased."""
_SECONDS_BETWEEN_LOOKS = 1.0
"""Judgement: a person does not notice the wait, and a click costs at most one look at the folders."""

_OWN = ("*.txt", "*.toml")
"""What a copy of a project takes along besides its file: lists of words, but no results."""


class TrashedProject(msgspec.Struct, frozen=True):
    """A deleted project: `key` names it in the trash, `folder` is where it was, `at` when it went."""

    key: str
    folder: str
    at: float


def data_folder() -> Path:
    """Where a person's own lists are: `$XDG_DATA_HOME/trasmallo`, by default `~/.local/share/trasmallo`."""
    home = os.environ.get("XDG_DATA_HOME", "")
    return (Path(home) if Path(home).is_absolute() else Path.home() / ".local" / "share") / "trasmallo"


class Workspace:
    """Projects by name, for any thread. `home` is where new ones are made; `memory` is the file of those known from before."""

    def __init__(self, folders: Sequence[str | Path] = (), memory: Path | None = None) -> None:
        given = [Path(folder).resolve() for folder in folders]
        self._memory = memory
        self._lock = threading.RLock()
        self._homes = [folder for folder in given if not is_project(folder)]
        self._known: dict[str, Path] = self._remembered()
        for folder in (folder for folder in given if is_project(folder)):
            self._take(folder)
        self.home = (self._homes or [folder.parent for folder in given] or [Path.cwd()])[0]
        self._homes = self._homes or ([] if given else [self.home])
        self._looked_at = 0.0

    def names(self) -> list[str]:
        """The projects that are there now, by name; what others put into our folders shows within a second."""
        if time.monotonic() - self._looked_at > _SECONDS_BETWEEN_LOOKS:
            self._look()
        # Other threads may take in projects meanwhile.
        return sorted((name for name, folder in list(self._known.items()) if is_project(folder)), key=str.casefold)

    def _look(self) -> None:
        self._looked_at = time.monotonic()
        for home in self._homes:
            for folder in sorted(home.glob(f"*/{config.FILE_NAME}")):
                if not folder.parent.name.startswith("."):
                    self._take(folder.parent.resolve())

    def folder(self, name: str) -> Path:
        """Where a project is; raises NotFound. A scope behind its name (`scoped_names`) makes no difference."""
        name = name if name in self._known else split_name(name)[0]
        if name not in self._known:
            self._look()
        folder = self._known.get(name)
        if folder is None or not is_project(folder):
            raise NotFound("there is no project {name!r}", "choose one of the list, or open its folder", name=name[:80])
        return folder

    def open(self, folder: str | Path) -> str:
        """Take a project into the list, from wherever it is; its name."""
        path = Path(folder).expanduser()
        if not path.is_absolute():
            path = self.home / path
        if not is_project(path):
            raise NotFound(
                "{path} holds no project",
                "choose a folder with a {file}, or make a new project",
                path=path,
                file=config.FILE_NAME,
            )
        return self._take(path.resolve())

    def new(self, name: str, seeds: Sequence[str], language: str, **crawl: Unpack[CrawlOptions]) -> str:
        """Make a project in a folder of `home`; its name."""
        with self._lock:
            folder = self._free(name)
            Project.new(folder, seeds, name=name.strip(), language=language, **crawl)
            return self._take(folder)

    def check_name(self, name: str) -> None:
        """Raise ConfigError for a name that no new project can have."""
        self._free(name)

    def duplicate(self, name: str, copy: str) -> str:
        """Make a project with the same settings and lists of words under another name, without results; its name."""
        with self._lock:
            return self._duplicate(self.folder(name), copy)

    def _duplicate(self, source: Path, copy: str) -> str:
        target = self._free(copy)
        settings = config.load(source / config.FILE_NAME)
        with disk_errors(target):
            target.mkdir(parents=True)
            for path in (path for pattern in _OWN for path in source.glob(pattern)):
                shutil.copy(path, target / path.name)
        if settings.name != copy.strip():
            write_values(target / config.FILE_NAME, {"name": copy.strip()})
        return self._take(target)

    def move_to_trash(self, name: str) -> TrashedProject:
        """Move a project to the trash; one that is at work is refused."""
        with self._lock:
            folder = self.folder(name)
            with hold(folder):
                target = _place_in_trash(folder)
                with disk_errors(target):
                    target.parent.mkdir(exist_ok=True)
                    folder.rename(target)
            self._known.pop(name, None)
            self._remember()
            return TrashedProject(target.name, str(folder), target.stat().st_ctime)

    def trash(self) -> list[TrashedProject]:
        """What is in the trash, latest first."""
        return sorted(self._in_trash(), key=lambda trashed: -trashed.at)

    def last_trashed(self, folder: Path) -> TrashedProject:
        """What was deleted last of all that were at a folder; raises NotFound."""
        for trashed in self.trash():
            if trashed.folder == str(folder):
                return trashed
        raise NotFound("{folder} is not in the trash", "look into {parent}", folder=folder, parent=folder.parent / TRASH)

    def restore(self, key: str) -> str:
        """Bring a project back to where it was; its name."""
        with self._lock:
            trashed = self._find_in_trash(key)
            target = Path(trashed.folder)
            if target.exists():
                raise UsageError("{target} is taken", "rename what is there now, then bring the project back", target=target)
            with disk_errors(target):
                (target.parent / TRASH / key).rename(target)
            return self._take(target)

    def erase(self, key: str) -> None:
        """Remove a project from the trash, for ever."""
        with self._lock:
            trash = Path(self._find_in_trash(key).folder).parent / TRASH
            (trash / key).rename(trash / f"{_ERASED}{key}")
        # Under another name, nobody can bring it back half erased; what a kill left goes with the next one.
        for folder in trash.glob(f"{_ERASED}*"):
            while folder.exists():
                with disk_errors(folder), suppress(FileNotFoundError):  # another thread erases it too
                    shutil.rmtree(folder)

    def _find_in_trash(self, key: str) -> TrashedProject:
        for trashed in self._in_trash():
            if trashed.key == key:
                return trashed
        raise NotFound("this project is no longer in the trash", "look at the list of projects")

    def _in_trash(self) -> Iterator[TrashedProject]:
        parents = {self.home, *self._homes, *(folder.parent for folder in list(self._known.values()))}
        for parent in sorted(parents):
            for folder in (parent / TRASH).glob("[!.]*"):
                with suppress(FileNotFoundError):  # it comes back, or is erased, meanwhile
                    at = folder.stat().st_ctime
                    if is_project(folder):
                        yield TrashedProject(folder.name, str(parent / folder.name[16:]), at)

    def _free(self, name: str) -> Path:
        plain = folder_name(name)
        folder = self.home / plain
        if folder.exists():
            raise ConfigError("there is already something at {folder}", "choose another name", folder=folder)
        return folder

    def _take(self, folder: Path) -> str:
        with self._lock:
            for name, known in self._known.items():
                if known == folder:
                    return name
            plain = folder_name(folder.name)
            taken = plain in self._known and is_project(self._known[plain])
            name = f"{plain}-{xxhash.xxh3_64_hexdigest(str(folder).encode())[:6]}" if taken else plain
            self._known[name] = folder
            self._remember()
            return name

    def _remembered(self) -> dict[str, Path]:
        try:
            raw = self._memory.read_bytes() if self._memory else b"{}"
            return {name: Path(folder) for name, folder in msgspec.json.decode(raw, type=dict[str, str]).items()}
        except (OSError, *UNDECODABLE):  # a list that is missing or broken costs no project
            return {}

    def _remember(self) -> None:
        """Write down what is known; the lock is held."""
        if self._memory is None:
            return
        known = {name: str(folder) for name, folder in self._known.items()}
        with disk_errors(self._memory):
            self._memory.parent.mkdir(parents=True, exist_ok=True)
        with locked(self._memory.parent):
            write_whole(self._memory, msgspec.json.encode(known))


def _place_in_trash(folder: Path) -> Path:
    """Named by the time, so that a project can be deleted again and again; two in one second get different ones."""
    for second in itertools.count(int(time.time())):
        stamp = time.strftime("%Y%m%d-%H%M%S", time.localtime(second))
        target = folder.parent / TRASH / f"{stamp}-{folder.name}"
        if not target.exists():
            break
    return target


def is_project(folder: Path) -> bool:
    """Whether a folder has a project file, also one that is broken."""
    return (folder / config.FILE_NAME).is_file()


def is_at_work(folder: Path) -> bool:
    """Whether somebody works on a project now."""
    return holder(folder) != 0


def folder_name(name: str) -> str:
    """A name as a folder's and an address's: letters, digits, dots, hyphens; raises ConfigError when nothing is left."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    plain = re.sub(r"[^A-Za-z0-9._-]+", "-", plain).strip("-. ")[:64]
    if not plain:
        raise ConfigError("a project needs a name with a letter or a digit", "give it one")
    return plain
