"""A web of applications made with real frameworks (React, Vue, Svelte, Solid, Lit), each page with its server-rendered twin.

The frameworks come from npm by their names, in a folder of one's own; nothing of them is part of the project.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from html import unescape
from pathlib import Path

import msgspec

from support.script_web import HOST, ScriptWeb, show
from trasmallo.crawl.browser.pool import BrowserPool
from trasmallo.crawl.browser.tab import Shown

SOURCES = Path(__file__).parent / "frameworks"
PACKAGES = (
    "react@18", "react-dom@18", "react-router-dom@6", "vue@3", "vue-router@4", "svelte@4", "lit@3", "solid-js@1",
    "babel-preset-solid@1", "@babel/core@7", "esbuild@0",
)  # fmt: skip
_INSTALL_SECONDS = 300


class CannotBuild(Exception):
    """There is no npm, or it does not have the packages."""


class FrameworkPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page: what the server sends, and its twin; an entry `leads` to another address by itself."""

    path: str
    kind: str
    sent: str
    twin: str
    leads: str = ""


class FrameworkWeb(msgspec.Struct, frozen=True, kw_only=True):
    """The files that applications ask for, and their pages."""

    files: dict[str, tuple[str, str]]
    pages: list[FrameworkPage]

    def serve(self) -> ScriptWeb:
        """The web in memory."""
        return ScriptWeb({HOST + path: (media, text) for path, (media, text) in self.files.items()})


class Likeness(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a twin a rendered page has: shares of words and links, and of its own words those that the twin has."""

    words: float
    own_words: float
    links: float


def build(folder: Path, *, offline: bool = False) -> FrameworkWeb:
    """Install the packages into a folder and make the web of them; `offline` takes what npm has kept. Raises CannotBuild."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if not npm or not node:
        raise CannotBuild("there is no npm: install nodejs and npm")
    if not (folder / "node_modules").exists():
        (folder / "package.json").write_text('{"private": true}', encoding="utf-8")
        command = [
            npm,
            "install",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            *(["--offline"] if offline else []),
            *PACKAGES,
        ]
        _run(command, folder)
    _run([node, str(SOURCES / "build.mjs"), str(SOURCES), str(folder / "out")], folder)
    return msgspec.json.decode((folder / "out" / "web.json").read_bytes(), type=FrameworkWeb)


def _run(command: list[str], folder: Path) -> None:
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=_INSTALL_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        raise CannotBuild(f"{command[0]} does not end") from None
    if done.returncode:
        raise CannotBuild((done.stderr or done.stdout).strip()[-300:])


async def render(pool: BrowserPool, web: ScriptWeb, page: FrameworkPage) -> Shown:
    """A page after its scripts."""
    return (await show(pool, web, page.sent, HOST + page.path))[0]


def likeness(html: str, twin: str) -> Likeness:
    """A rendered page beside its twin."""
    ours, theirs = Counter(_words(html)), Counter(_words(twin))
    common = sum((ours & theirs).values())
    links, wanted = set(_links(html)), set(_links(twin))
    return Likeness(
        words=common / max(1, theirs.total()),
        own_words=common / max(1, ours.total()),
        links=len(links & wanted) / len(wanted) if wanted else 1.0,
    )


def _words(html: str) -> list[str]:
    body = re.sub(r"(?is)<head\b.*?</head>|<(script|style)\b.*?</\1>|<!--.*?-->", " ", html)
    return re.findall(r"\w+", unescape(re.sub(r"<[^>]*>", " ", body)))


def _links(html: str) -> list[str]:
    return [unescape(link) for link in re.findall(r"<a\b[^>]*?\bhref=\"([^\"]*)\"", html)]
