"""A folder of files with owners and rights, a project made of it, and every door that answers about it.

Each file has a marker, a word that no other has. Markers of files that somebody may not read must not be in any answer to them;
all begin alike, so that they can be searched for without being typed.
"""

from __future__ import annotations

import os
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple, get_args

from trasmallo.project.project import Project
from trasmallo.results.registry import all_tables
from trasmallo.store.index.searcher import FACETS
from trasmallo.store.parts import document_id
from trasmallo.web.views.documents import Tab

BEGIN = "zarpaz"
_ASK_KERNEL = 'for path; do [ -r "$path" ] && echo "$path"; done; true'
USERS = ("60001", "60002", "60003")
GROUPS = (60_001, 60_002, 60_010)
MODES = (0o600, 0o640, 0o644, 0o604, 0o400, 0o000, 0o660, 0o444)

_SAYS = (
    "La casa de {name} tiene una ventana grande y una puerta verde. En la casa vive el {name} con su perro.",
    "El informe del {name} habla de la casa vieja y del jardín. El {name} es muy largo y nadie lo lee.",
    "Ayer vimos el {name} cerca de la casa del puerto. El {name} salió temprano y volvió de noche.",
)
ENDS = ("uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho")
MARKERS = tuple(f"{BEGIN}{end}" for end in ENDS)


class SharedFiles(NamedTuple):
    """The folder of files, the project, and the marker of each file by its address."""

    folder: Path
    project: Path
    markers: dict[str, str]

    def file(self, url: str) -> Path:
        """The file of an address."""
        return self.folder / url.rpartition("/")[2]

    def denied(self, user: str) -> set[str]:
        """The markers of what the system does not let a user read: the kernel says so, where we may ask it as that user."""
        places = {str(self.file(url)): marker for url, marker in self.markers.items()}
        if os.geteuid():
            return {marker for place, marker in places.items() if not Path(place).stat().st_mode & 0o004}
        asked = ["/bin/sh", "-c", _ASK_KERNEL, "sh", *places]
        number = int(user)
        done = subprocess.run(asked, user=number, group=number, extra_groups=[], capture_output=True, text=True, check=True)
        return {marker for place, marker in places.items() if place not in done.stdout.split()}


def make_shared(base: Path) -> SharedFiles:
    """Files that everybody may read at first, two of them copies of each other but for their markers, in a project."""
    folder, markers = base / "notas", dict[str, str]()
    folder.mkdir()
    for number, marker in enumerate(MARKERS):
        name = f"n{number}.txt"
        (folder / name).write_text(f"{_SAYS[number % 3].format(name=marker)} Texto número {number} de {marker}.\n")
        (folder / name).chmod(0o644)
        markers[f"http://folder.invalid/notas/{name}"] = marker
    same = "El mismo texto en dos sitios: un barco azul cruza el mar hacia la isla de los pájaros. " * 8
    for number in (0, 1):
        with (folder / f"n{number}.txt").open("a") as file:
            file.write(same)
    project = Project.new(base / "project", name="compartido")
    project.import_file(folder)
    return SharedFiles(folder, project.folder, markers)


def change_right(files: SharedFiles, choice: random.Random) -> None:
    """Change the rights of a file as its owner, or the superuser, may; those that are stored say that all may read it."""
    path = files.file(choice.choice(list(files.markers)))
    if os.geteuid() == 0:
        os.chown(path, int(choice.choice((*USERS, "0"))), choice.choice(GROUPS))
    path.chmod(choice.choice(MODES))


def leaks(text: str, denied: set[str]) -> set[str]:
    """The markers that a text has and must not have."""
    return {found for found in re.findall(rf"{BEGIN}[a-z]+", text.lower()) if found in denied}


def commands(files: SharedFiles, out: Path) -> dict[str, list[list[str]]]:
    """Calls of every command that answers about a project, or tries to change it."""
    place, first = str(files.project), next(iter(files.markers))
    return {
        "status": [[place], [place, "--json"]],
        "incidents": [[place], [place, "--json"]],
        "fresh": [[place, "--json"], [place, "--calendar"]],
        "versions": [[place, url, "--json"] for url in files.markers],
        "snapshot": [[place], [place, "prueba"]],
        "sites": [[place, "--json"]],
        "revisit": [[place, "--plan"]],
        "list": [[place, table, "--json", "--limit", "0"] for table in all_tables()],
        "find": [
            [place, "casa", "--json", *(word for name in FACETS for word in ("--facet", name))],
            [place, f"{BEGIN}*", "--json"],
            [place, f"{BEGIN}uni", "--json"],
            [place, "informe", "--every", "--json"],
            [place, f"lemma:{BEGIN}uni"],
            [place, "casa puerta", "--estimate", "--json"],
            *([place, "--cached", url] for url in files.markers),
        ],
        "kwic": [
            [place, f'[word="{BEGIN}.*"]', "--json", "--limit", "0"],
            [place, "casa", "--json", "--context", "20"],
            [place, "casa", "--breakdown", "word/1", "--json"],
        ],
        "export": [
            [place, "--as", kind, "-o", str(out / f"export.{kind}")]
            for kind in ("csv", "jsonl", "parquet", "tei", "conllu", "vert", "warc")
        ],
        "verdict": [[place, "--list", "--json"], [place, "--evidence", f"{BEGIN}uno"]],
        "stoplist": [[place, "--frequent", "200"]],
        "sketch": [[place, "casa", "--json"]],
        "trend": [[place, "casa", "--json"]],
        "word": [[place, "casa", "--json"], [place, f"{BEGIN}uno"]],
        "queries": [[place, "--json"], [place, "--history", "--json"]],
        "report": [[place, "-o", str(out / "report.html"), "--query", "casa", "--query", f'[word="{BEGIN}.*"]']],
        "laws": [[place, "--json"], [place, "--table", "zipf", "--json"]],
        "keyness": [[place, "--against", place, "--json"]],
        "compare": [[place, "--json"]],
        "rank": [[place, "--json"], [place, "--hits", "--json"]],
        "lab": [["cache", place, "--words", "2000"], ["capacity", place]],
        "topic": [[place, "--show"]],
        "retry": [[place, first]],
        "check": [[place]],
        "cluster": [[place]],
        "learn": [[place, "COSA", "--seed", "casa", "--json"], [place, "COSA", "--seed", "casa", "--patterns", "--json"]],
        "annotations": [[place, "--json"], [place, "--doubts", "--json"], [place, "--agreement", "--json"]],
        "exclude": [[place, "--list"]],
        "include": [[place, "--list"]],
        "duplicates": [[place, "--method", method, "--json"] for method in ("minhash", "exact")],
        **{name: [[place, "--json"]] for name in _WITHOUT_CHOICE},
    }


_WITHOUT_CHOICE = ("groups", "jobs", "cite", "focus", "mark", "forms", "login", "pending", "kinds", "entity")
"""Commands that are asked in one way alone."""


ELSEWHERE = frozenset(
    {
        *("new", "run", "crawl", "clean", "study", "import", "follow", "demo", "schedule", "scheduler", "worker", "stop"),
        *("pause", "resume", "repair", "duplicate", "delete", "restore", "text", "convert", "blocks", "slice", "words", "tag"),
        *("entities", "stems", "measures", "languages", "sitemap", "serve", "subcorpus", "watch"),
    }
)
"""Commands that answer nothing about documents of a project, or read what they are given as the process's own user."""


def addresses(files: SharedFiles, paths: list[tuple[str, tuple[str, ...]]]) -> Iterator[str]:
    """Addresses of every page of the app, each with what its question can be asked; `paths` are (path, fields)."""
    values = {
        "query": ["casa", f"{BEGIN}*", f"{BEGIN}uni"],
        "word": ["casa", f"{BEGIN}uni"],
        "url": list(files.markers),
        "document": [document_id(url) for url in files.markers],
        "table": list(all_tables()),
        "name": ["stop.txt", "cache"],
        "tab": list(get_args(Tab)),
        "kind": ["csv", "jsonl"],
    }
    for path, fields in paths:
        most = max([len(values[field]) for field in fields if field in values], default=1)
        for number in range(most):
            given = {field: values[field][number % len(values[field])] for field in fields if field in values}
            filled = path.replace("{project}", files.project.name)
            for field in [name for name in given if f"{{{name}}}" in path]:
                filled = filled.replace(f"{{{field}}}", given.pop(field))
            yield filled + ("?" + "&".join(f"{name}={text}" for name, text in given.items()) if given else "")
