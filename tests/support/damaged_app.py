"""The web app over a damaged project: what each page and its JSON answers."""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import httpx
import msgspec

from trasmallo.project.workspace import Workspace
from trasmallo.store.kept_queries import FOLDER as QUERIES
from trasmallo.web.app import build
from trasmallo.web.guard import AppDoor

TOKEN = "a-token-that-only-the-tests-know-0123456789"
HOST = "127.0.0.1:7470"
QUESTIONS = (
    "",
    "/live",
    "/pending",
    "/incidents",
    "/tables/pages?sort=-words",
    "/tables/words",
    "/tables/words/export?format=csv",
    "/search?query=puerto",
    "/concordance?query=puerto",
    "/collocations",
    "/links",
    "/laws",
    "/profiles",
    "/neologisms",
    "/compare",
    "/lists",
    "/settings",
    "/check",
)
"""What a project is asked, as a page and under /api."""

_CHANGING = ("", "/live", "/check")
"""Answers that may differ: they tell of the damage itself, or of the time and of sizes on disk."""
_SECONDS = re.compile(rb'("seconds":)[\d.e-]+')
_WRITTEN = re.compile(rb"(?<=, )\d{4}-\d\d-\d\dT[\d:]+Z(?= \()")
"""When a file was written, in its first line."""


class AppAnswer(msgspec.Struct, frozen=True):
    """Status of an answer, and what it says."""

    status: int
    body: bytes

    @property
    def is_told(self) -> bool:
        """Whether it is an error in words of ours that says how to repair it."""
        try:
            found = msgspec.json.decode(self.body)
        except msgspec.DecodeError:
            return False
        return isinstance(found, dict) and bool(found.get("error", {}).get("repair"))


def asked(folder: Path) -> dict[str, AppAnswer]:
    """What the app answers about the project in a folder, by address, when no query was asked before."""
    shutil.rmtree(folder / QUERIES, ignore_errors=True)
    app = build(Workspace([folder]), AppDoor(TOKEN, frozenset({HOST})))

    async def ask() -> dict[str, AppAnswer]:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        headers = {"Authorization": f"Bearer {TOKEN}"}
        async with httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}", headers=headers) as client:
            return {path: await _ask(client, path, folder) for path in _paths(folder.name)}

    try:
        return asyncio.run(ask())
    finally:
        app.state.pool.close()


async def _ask(client: httpx.AsyncClient, path: str, folder: Path) -> AppAnswer:
    accepted = "application/json" if path.startswith("/api") else "text/html"
    answer = await client.get(path, headers={"Accept": accepted})
    content = _WRITTEN.sub(b"WHEN", answer.content.replace(str(folder).encode(), b"DIR"))
    return AppAnswer(answer.status_code, _SECONDS.sub(rb"\1", content))


def _paths(name: str) -> list[str]:
    return [f"{door}/p/{name}{question}" for door in ("/api", "") for question in QUESTIONS]


def judge_app(found: Mapping[str, AppAnswer], expected: Mapping[str, AppAnswer]) -> list[str]:
    """What is wrong with answers about a damaged project: each must be the right one, or an error that says how to repair."""
    return [
        f"{path}: {answer.status} {answer.body[:300]!r}"
        for path, answer in found.items()
        if not _is_right(path, answer, expected[path])
    ]


def _is_right(path: str, answer: AppAnswer, expected: AppAnswer) -> bool:
    if not path.startswith("/api"):
        return answer.status != 500 and b"Traceback" not in answer.body
    if answer.status != 200:
        return answer.status != 500 and answer.is_told
    return "/".join(["", *path.split("/")[4:]]).rstrip("/") in _CHANGING or answer == expected
