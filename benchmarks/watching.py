"""From a file that is saved to a hit of the search, while a folder changes all the time; and what is missed at the end.

Usage: python benchmarks/watching.py [CHANGES] [CHANGES A SECOND] [--kill], 3,000 and 50 by default. `trasmallo watch` runs as a
process of its own. Files are created, changed, renamed, moved with their folders, made private and deleted by chance; of some
of those that are saved the time is taken until a search finds them. At the end what the search finds is compared with the file
system. With --kill the process that watches is killed and started again from time to time.
"""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from trasmallo.project.project import Project
from trasmallo.project.settings import write_values
from trasmallo.values.local_addresses import file_address

TEXT = "Un papel del archivo habla de la barca número {number} y de {word}, que volvió al puerto con poca pesca.\n"
PATIENCE = 120.0
"""Seconds after which a change counts as missed."""


class Folder:
    """A folder that changes by chance; `words` has the word of each file that is there."""

    def __init__(self, root: Path) -> None:
        self.root, self.chance = root, random.Random(23)
        self.words: dict[Path, str] = {}
        self.folders = [root]

    def change(self, number: int, spared: str) -> str:
        """One change, of any file but the one with the `spared` word; the word of the one that was saved, "" for none."""
        kind = self.chance.choices(
            ("create", "change", "rename", "delete", "chmod", "move"), (40, 25, 10, 15, 5, 5 if number % 5 == 0 else 0)
        )[0]
        if kind == "create" or len(self.words) < 20:
            return self._write(self.chance.choice(self.folders) / f"n{number}.txt", number)
        path = self.chance.choice([path for path, word in self.words.items() if word != spared])
        if kind == "change":
            return self._write(path, number)
        if kind == "rename":
            self.words[path.rename(path.with_name(f"r{number}.txt"))] = self.words.pop(path)
        elif kind == "delete":
            path.unlink()
            del self.words[path]
        elif kind == "chmod":
            path.chmod(self.chance.choice((0o600, 0o644)))
        else:
            self._move(number)
        return ""

    def _write(self, path: Path, number: int) -> str:
        word = f"zq{number}x"
        path.write_text(TEXT.format(number=number, word=word))
        self.words[path] = word
        return word

    def _move(self, number: int) -> None:
        """A folder that gets another name with all that is in it, or a new one."""
        new = self.root / f"d{number}"
        if len(self.folders) < 8:
            new.mkdir()
        else:
            old = self.folders.pop(self.chance.randrange(1, len(self.folders)))
            old.rename(new)
            self.words = {
                new / path.relative_to(old) if path.is_relative_to(old) else path: word for path, word in self.words.items()
            }
        self.folders.append(new)


class Times:
    """How long saved files take until they are found, asked one after the other by a thread of its own."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.seconds: list[float] = []
        self.given_up = 0
        self.word, self._saved = "", 0.0
        self._ended = False
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()

    def offer(self, word: str) -> None:
        """Take the time of a file that was saved just now, unless that of another one is being taken."""
        if word and not self.word:
            self._saved, self.word = time.monotonic(), word

    def end(self) -> None:
        """Take no more."""
        self._ended = True
        self._thread.join()

    def _ask(self) -> None:
        while not self._ended:
            if self.word:
                self._await(self.word, self._saved)
                self.word = ""
            time.sleep(0.01)

    def _await(self, word: str, began: float) -> None:
        while time.monotonic() - began < PATIENCE and not self._ended:
            if self._project.find(word, copies=True).total:
                self.seconds.append(time.monotonic() - began)
                return
            time.sleep(0.02)
        self.given_up += 1


def started(project: Project) -> subprocess.Popen[str]:
    """The watch, which hears of changes from now on."""
    own = str(Path(sys.executable).with_name("trasmallo"))
    watch = subprocess.Popen([own, "watch", str(project.folder)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert watch.stdout is not None
    for line in watch.stdout:
        if line.startswith("watching"):
            break
    threading.Thread(target=watch.stdout.read, daemon=True).start()
    return watch


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--kill"]
    changes, rate = int(words[0]) if words else 3_000, float(words[1]) if len(words) > 1 else 50.0
    home = Path(tempfile.mkdtemp(prefix="watching-"))
    (home / "docs").mkdir()
    (home / "docs" / "first.txt").write_text(TEXT.format(number=0, word="nada"))
    project = Project.new(home / "p", [str(home / "docs")], language="es")
    write_values(project.folder / "trasmallo.toml", {"study.analyses": ["search"]})
    project = Project.open(project.folder)
    project.run()
    folder, times = Folder(home / "docs"), Times(project)
    watch, kills, began = started(project), 0, time.monotonic()
    try:
        for number in range(1, changes + 1):
            times.offer(folder.change(number, times.word))
            time.sleep(max(0.0, began + number / rate - time.monotonic()))
            if "--kill" in sys.argv and number % (changes // 5) == 0:
                watch.kill()
                watch.wait()
                watch, kills = started(project), kills + 1
        lasted = time.monotonic() - began
        missed = await_same(project, folder)
        busy, spent = _spent(watch), idle_cpu(watch)
    finally:
        times.end()
        watch.terminate()
        watch.wait()
    seconds = sorted(times.seconds)
    state = f"{changes:,} changes in {lasted:.0f} s, {kills} kills, {len(folder.words):,} files at the end"
    print(f"load {os.getloadavg()[0]:.0f}; {state}")
    print(f"saved -> found: {len(seconds)} times, median {at(seconds, 0.5):.2f} s, p95 {at(seconds, 0.95):.2f} s, "
          f"most {at(seconds, 1):.2f} s; not found within {PATIENCE:.0f} s: {times.given_up}")  # fmt: skip
    print(f"missed at the end: {missed}; CPU s of the last watch: {busy:.1f} in all, {spent:.2f} in 10 s without changes")
    shutil.rmtree(home)


def at(seconds: list[float], share: float) -> float:
    return seconds[min(len(seconds) - 1, int(share * len(seconds)))] if seconds else 0.0


def await_same(project: Project, folder: Folder) -> int:
    """How many files are found that are not there, or are not found with the word that they hold, when time is over."""
    until = time.monotonic() + PATIENCE
    while True:
        missed = len(differences(project, folder))
        if not missed or time.monotonic() > until:
            return missed
        time.sleep(1)


def differences(project: Project, folder: Folder) -> set[str]:
    wanted = {file_address(str(path)): word for path, word in folder.words.items()}
    found = {hit.url for hit in project.find_every(f'papel folder:"{folder.root}"', copies=True)}
    other = found ^ {*wanted, file_address(str(folder.root / "first.txt"))}
    return other | {url for url, word in wanted.items() if url not in {hit.url for hit in project.find(word, copies=True).hits}}


def idle_cpu(watch: subprocess.Popen[str]) -> float:
    """CPU seconds that a watch takes in ten seconds in which nothing changes."""
    before = _spent(watch)
    time.sleep(10)
    return _spent(watch) - before


def _spent(watch: subprocess.Popen[str]) -> float:
    fields = Path(f"/proc/{watch.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
