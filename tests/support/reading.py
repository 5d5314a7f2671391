"""Everything that only reads a project: every reading command and every page of the app, in this process.

    python -m support.reading FOLDER OUT

says in JSON lines what became of each, for projects on a disk that cannot be written. OUT is a folder for exported files.
"""

from __future__ import annotations

import contextlib
import io
import json
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import anyio
import httpx

from trasmallo.cli import main
from trasmallo.project.project import Project
from trasmallo.project.workspace import Workspace
from trasmallo.results.registry import all_tables
from trasmallo.values.errors import UsageError
from trasmallo.web.app import build
from trasmallo.web.guard import AppDoor
from trasmallo.web.views import all_pages

TOKEN = "a-token-that-only-these-pages-know-0123456789"
_HOST = "127.0.0.1:7470"
_EXPORTS = ("csv", "tsv", "jsonl", "parquet", "tei", "conllu", "vert", "warc")
_QUERIES = {"query": "mar", "texts": "mar"}


def commands(folder: Path, out: Path) -> Iterator[list[str]]:
    """The commands that only read."""
    project = str(folder)
    yield from (
        ["status", project],
        ["incidents", project],
        ["find", project, "mar"],
        ["find", project, "mar puerto", "--estimate"],
    )
    yield from (["kwic", project, "mar"], ["kwic", project, "mar", "--distribution", "site"], ["laws", project])
    yield from (["laws", project, "--language", "es"], ["rank", project], ["rank", project, "--hits"])
    if not (out / "other").exists():
        shutil.copytree(folder, out / "other")
    yield ["compare", project, "--with", str(out / "other")]
    yield from (["list", project, table, "--limit", "3"] for table in all_tables())
    if not Project.open(folder).worker():  # a run that goes on is asked by writing to it
        yield ["pending", project]
    yield ["list", project, "segments", "--set", "segments_of=lemmas", "--limit", "3"]
    yield from (["export", project, "--as", kind, "-o", str(out / kind)] for kind in _EXPORTS)


def addresses(folder: Path) -> Iterator[str]:
    """The pages of the app and their twins, with parameters that are there."""
    documents = [str(row["document"]) for row in Project.open(folder).table("pages", where=["drop="], limit=1)]
    for page in (page for page in all_pages() if page.method == "GET"):
        for path in (page.path, page.api_path):
            filled = path.replace("{project}", folder.name).replace("{table}", "words").replace("{name}", "none.txt")
            for document in documents if "{document}" in filled else [""]:
                named = {name for name in _QUERIES if name in page.question.__struct_fields__}
                yield filled.replace("{document}", document) + "?" + "&".join(f"{name}={_QUERIES[name]}" for name in named)


def run_command(arguments: list[str]) -> tuple[int, str]:
    """The exit code of a command and what it said on standard error."""
    said, out = io.StringIO(), io.TextIOWrapper(io.BytesIO())
    sys.argv = ["trasmallo", *arguments]
    with contextlib.redirect_stderr(said), contextlib.redirect_stdout(out):
        try:
            main()
        except SystemExit as end:
            return int(end.code or 0), said.getvalue()
    return 0, said.getvalue()


def ask_all(folder: Path, read_only: bool = True) -> Iterator[tuple[str, int]]:
    """The status of every page."""
    door = AppDoor(TOKEN, frozenset({_HOST}), read_only)
    app = build(Workspace([folder]), door)

    async def ask(address: str) -> int:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{_HOST}", headers=headers) as client:
            return (await client.get(address)).status_code

    for address in addresses(folder):
        yield address, anyio.run(ask, address)
    app.state.pool.close()


def read_everything(folder: Path, out: Path) -> Iterator[dict[str, Any]]:
    """What became of each."""
    for arguments in commands(folder, out):
        code, said = run_command(arguments)
        yield {"what": " ".join(arguments), "code": code, "said": said}
    for address, status in ask_all(folder):
        yield {"what": address, "code": 0 if status < 500 else 1, "said": str(status)}


if __name__ == "__main__":
    with contextlib.suppress(UsageError):
        for told in read_everything(Path(sys.argv[1]), Path(sys.argv[2])):
            print(json.dumps(told))  # noqa: T201 - it is a program
