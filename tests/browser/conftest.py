"""Real browsers for tests: one of each a test process, started when first wanted; skipped where none is installed."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from support.browsers import chromium, firefox
from support.browsers.app_server import App, serving
from support.browsers.chromium import Chromium
from support.browsers.extension_desk import Desk
from support.browsers.firefox import Firefox
from support.browsers.loopback_site import Site

HERE = Path(__file__).resolve().parent
PICTURES = HERE / "pictures"
"""Where screenshots are kept to be looked at; git ignores it."""

Browser = Chromium | Firefox
Evaluate = Callable[[Sequence[Path], str, object], Any]

LOAD = "sources => { for (const source of sources) window.eval(source); }"
APPLY = """async (source, argument) => {
  const run = window.eval(`async argument => JSON.stringify((await (${source})(argument)) ?? null)`);
  return JSON.parse(await run(argument));
}"""


@pytest.fixture(scope="session", params=["chromium", "firefox"])
def browser(request: pytest.FixtureRequest) -> Iterator[Browser]:
    """A running browser; tests that use it run once in each kind."""
    kind = {"chromium": (chromium, Chromium), "firefox": (firefox, Firefox)}[request.param]
    program = kind[0].find()
    if not program:
        pytest.skip(f"no {request.param} on this machine: install it, on Debian with: apt-get install {kind[0].NAMES[0]}")
    running = kind[1](program)
    try:
        yield running
    finally:
        running.close()


@pytest.fixture(scope="session")
def site() -> Iterator[Site]:
    """A loopback site, empty at first."""
    with Site() as running:
        yield running


@pytest.fixture(scope="session")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[App]:
    """The web app over finished projects."""
    with serving(tmp_path_factory.mktemp("home"), tmp_path_factory.mktemp("data")) as running:
        yield running


@pytest.fixture(scope="session")
def evaluate(browser: Browser, site: Site) -> Evaluate:
    """Calls a JavaScript function in a plain page that has loaded some classic scripts.

    `evaluate(scripts, function, argument)`: paths of scripts, loaded in this order (once for the same list); the source of a
    function of one argument; the argument. Argument and answer travel as JSON; a promise is awaited.
    """
    site.add("/plain.html", "<!doctype html><title>plain</title>")
    pages: dict[tuple[Path, ...], Any] = {}

    def run(scripts: Sequence[Path], function: str, argument: object) -> Any:
        key = tuple(scripts)
        if key not in pages:
            pages[key] = browser.open(site.url("/plain.html"))
            pages[key].evaluate(LOAD, [script.read_text(encoding="utf-8") for script in scripts])
        return pages[key].evaluate(APPLY, function, argument)

    return run


@pytest.fixture(scope="session")
def extension(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The extension as it is packed, unpacked."""
    spec = importlib.util.spec_from_file_location("go", HERE.parent.parent / "go.py")
    assert spec
    assert spec.loader
    go = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(go)
    folder = tmp_path_factory.mktemp("extension")
    for name, path in go.extension_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / name)
    return folder


@pytest.fixture(scope="session")
def extended(browser: Browser, extension: Path) -> Browser:
    """A browser with the extension."""
    browser.install(extension)
    return browser


@pytest.fixture
def permitting(extended: Browser, extension: Path, tmp_path: Path) -> Iterator[Browser]:
    """A browser that gives every permission that is asked for.

    Firefox does so by a setting. Chromium asks in a window of its own that no test can answer: there the extension is loaded
    once more, with the permission given beforehand.
    """
    if extended.name == "firefox":
        yield extended
        return
    folder, usual = tmp_path / "permitted", extended.extension
    shutil.copytree(extension, folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["host_permissions"] = manifest["optional_host_permissions"]
    (folder / "manifest.json").write_text(json.dumps(manifest))
    extended.install(folder)
    yield extended
    extended.extension = usual


@pytest.fixture
def open_desk(extended: Browser, site: Site, request: pytest.FixtureRequest) -> Iterator[Callable[..., Desk]]:
    """Opens pages with the panel beside them, from their markup; all are closed at the end of the test."""
    opened: list[Desk] = []

    def run(markup: str, **headers: str) -> Desk:
        path = f"/{request.node.originalname}-{len(opened)}.html"
        opened.append(Desk(extended, site.add(path, "<!doctype html>" + markup, **headers)))
        return opened[-1]

    yield run
    for desk in opened:
        desk.forget_options()
        desk.close()


@pytest.fixture
def keep_picture(request: pytest.FixtureRequest, browser: Browser) -> Callable[[bytes, str], None]:
    """Keeps a screenshot under a name, with the browser's name behind it."""

    def keep(picture: bytes, name: str) -> None:
        PICTURES.mkdir(exist_ok=True)
        unfinished = PICTURES / f".{name}-{os.getpid()}"
        unfinished.write_bytes(picture)
        unfinished.replace(PICTURES / f"{name}-{browser.name}.png")

    return keep
