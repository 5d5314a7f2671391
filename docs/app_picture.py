"""Draws the pictures of the web app: the demo's project while it runs, and its words when it has ended.

    python docs/app_picture.py

Needs Chromium; uses the browser of the tests. The pictures hold nothing of the machine but the demo's addresses.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "src")]

from browser import chromium  # noqa: E402 - the path comes first
from trasmallo.demo.play import make_project  # noqa: E402
from trasmallo.demo.site import Site  # noqa: E402

WIDTH, HEIGHT = 1180, 900
PAGES = {"app-live": "live", "app-words": "tables/words?where=count%3E%3D5&sort=-documents"}
MANY = "() => Number(document.querySelector('[data-count=obtained]').textContent) > 30"


def main() -> None:
    """Write the pictures."""
    program = chromium.find()
    if not program:
        sys.exit("there is no Chromium here: install it, on Debian with: apt-get install chromium")
    with tempfile.TemporaryDirectory() as folder, Site() as site:
        project = make_project(Path(folder) / "puerto", site.seeds, delay=0.4, lines=4)
        project.start()
        environment = os.environ | {"XDG_DATA_HOME": folder, "PYTHONPATH": str(HERE.parent / "src")}
        command = [sys.executable, "-m", "trasmallo", "serve", str(project.folder), "--port", "0", "--json"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as app:
            assert app.stdout is not None
            told = json.loads(app.stdout.readline())
            browser = chromium.Chromium(program)
            try:
                draw(browser.open(told["address"]), told["address"].partition("/?")[0], project)
            finally:
                browser.close()
                app.terminate()


def draw(tab: Any, origin: str, project: Any) -> None:
    """Both pages, one while the run is at work."""
    tab.resize(WIDTH, HEIGHT)
    for name, path in PAGES.items():
        tab.goto(f"{origin}/p/puerto/{path}{'&' if '?' in path else '?'}lang=en")
        if path == "live":
            tab.wait(MANY)
        (HERE / "images" / f"{name}.png").write_bytes(tab.screenshot())
        if path == "live":
            project.stop()
            project.wait()


if __name__ == "__main__":
    main()
