"""Takes the pictures of the web app: plays the demo's web, serves the app on loopback and looks at it with a real browser.

    python docs/app_pictures.py [NAME...]

Needs Chromium; uses the browser of the tests. Without names all pictures are taken. They hold nothing of the machine.
"""

from __future__ import annotations

import base64
import json
import os
import struct
import subprocess
import sys
import tempfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "src")]

from support.browsers import chromium  # noqa: E402 - the path comes first
from support.waiting import until  # noqa: E402
from trasmallo.demo.play import make_project  # noqa: E402
from trasmallo.demo.site import Site  # noqa: E402
from trasmallo.project.lock import holder  # noqa: E402

IMAGES = HERE / "images"
WIDTH = 1280
COLOURS = 48
"""Of a picture: text stays sharp, and no file is above 60 kB."""

REDUCE = """async (picture, most) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  const pixels = canvas.getContext("2d").getImageData(0, 0, image.width, image.height).data;
  const counts = new Map(), places = new Map();
  const at = i => pixels[i] << 16 | pixels[i + 1] << 8 | pixels[i + 2];
  for (let i = 0; i < pixels.length; i += 4) counts.set(at(i), (counts.get(at(i)) ?? 0) + 1);
  const far = (a, b) => [16, 8, 0].reduce((sum, by) => sum + ((a >> by & 255) - (b >> by & 255)) ** 2, 0);
  const left = [...counts].sort((a, b) => b[1] - a[1]), palette = left.slice(0, 12).map(([colour]) => colour);
  for (const apart of [300, 120, 0])
    for (const [colour] of left)
      if (palette.length < most && palette.every(other => far(colour, other) > apart)) palette.push(colour);
  for (const [colour] of left) {
    const all = palette.map(other => far(colour, other));
    places.set(colour, all.indexOf(Math.min(...all)));
  }
  const indices = [];
  for (let i = 0; i < pixels.length; i += 4) indices.push(String.fromCharCode(places.get(at(i))));
  return {width: image.width, height: image.height, palette, indices: btoa(indices.join(""))};
}"""
"""Pixels as numbers of colours: the most frequent ones, and after the first dozen those before that are unlike each other."""

CLICK = "selector => document.querySelector(selector).click()"
READY = "() => document.readyState === 'complete' && [...document.images].every(image => image.complete)"
OBTAINED = "() => Number(document.querySelector('[data-count=obtained]')?.textContent.replace(/\\D/g, '') ?? 0) > 30"
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"


class Shot(NamedTuple):
    """A page of the app, and how much of it is seen."""

    path: str
    height: int = 760
    dark: bool = False


SHOTS = {
    "table": Shot("/p/demo/tables/words?where=count%3E%3D5&sort=-sites"),
    "concordance": Shot("/p/demo/concordance?query=%5Blemma%3D%22red%22%5D"),
    "triage": Shot("/p/demo/neologisms?word=gaviotada"),
    "search": Shot("/p/demo/search?query=barcoteca", height=720),
    "document": Shot("/p/demo/documents/{document}"),
    "laws": Shot("/p/demo/laws", 900),
    "dark": Shot("/p/demo/concordance?query=%5Bpos%3D%22NOUN%22%5D+%22de%22+%5Bpos%3D%22NOUN%22%5D&view=breakdown", dark=True),
}


class App(NamedTuple):
    """The app as a program of its own, over the projects of a folder."""

    origin: str
    token: str
    home: Path


def main(names: list[str]) -> None:
    """Take the pictures."""
    program = chromium.find()
    if not program:
        sys.exit("there is no Chromium here: install it, on Debian with: apt-get install chromium")
    if unknown := set(names) - {"live", *SHOTS}:
        sys.exit(f"there is no picture {min(unknown)!r}: choose of live, {', '.join(SHOTS)}")
    with serve() as app:
        browser = chromium.Chromium(program)
        try:
            take_all(browser, app, names or ["live", *SHOTS])
        finally:
            browser.close()


@contextmanager
def serve() -> Iterator[App]:
    """The app over the demo's project, played first, in a folder that goes away."""
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder, "home")
        with Site(drip=0.0) as site:
            make_project(home / "demo", site.seeds, delay=0.0, retry_after=0.05).run()
        command = [sys.executable, "-P", "-m", "trasmallo", "serve", str(home), "--port", "0", "--json"]
        source = os.pathsep.join([str(HERE.parent / "src"), os.environ.get("PYTHONPATH", "")])
        settings = os.environ | {"XDG_DATA_HOME": folder, "PYTHONPATH": source}
        with subprocess.Popen(command, stdout=subprocess.PIPE, env=settings) as process:
            assert process.stdout
            told = json.loads(process.stdout.readline())
            try:
                yield App(told["address"].partition("/?")[0], told["token"], home)
            finally:
                process.terminate()


def take_all(browser: chromium.Chromium, app: App, names: list[str]) -> None:
    """Write the pictures with these names."""
    tab = browser.open(f"{app.origin}/?lang=en&token={app.token}")
    tab.command("Emulation.setScrollbarsHidden", hidden=True)
    asked = "async () => (await (await fetch('/api/p/demo/search?query=title:barcoteca')).json()).hits[0].document"
    document = tab.evaluate(asked)
    for name in names:
        if name == "live":
            take_live(tab, app)
            continue
        shot = SHOTS[name]
        tab.resize(WIDTH, shot.height)
        tab.dark(shot.dark)
        tab.goto(app.origin + shot.path.format(document=document))
        keep(tab, name)


def take_live(tab: chromium.Tab, app: App) -> None:
    """A run in the middle, begun in the app and ended there."""
    tab.resize(WIDTH, SHOTS["laws"].height)
    tab.dark(False)
    with Site() as site:
        make_project(app.home / "diario", site.seeds, delay=0.4, lines=4)
        tab.goto(f"{app.origin}/p/diario/live")
        tab.evaluate(CLICK, "[data-when=run] button")
        tab.wait(OBTAINED)
        keep(tab, "live")
        tab.evaluate(CLICK, "[data-when=stop] button")
        until(lambda: not holder(app.home / "diario"), "the run to end", 90)


def keep(tab: chromium.Tab, name: str) -> None:
    """Write what is seen, in few colours."""
    tab.wait(READY)
    tab.evaluate(DRAWN)
    desk = tab.browser.open()
    reduced = desk.evaluate(REDUCE, base64.b64encode(tab.screenshot()).decode(), COLOURS)
    desk.close()
    tab.command("Page.bringToFront")
    (IMAGES / f"app-{name}.png").write_bytes(write_png(reduced))


def write_png(reduced: dict[str, Any]) -> bytes:
    """A PNG with a palette."""
    width, height, indices = reduced["width"], reduced["height"], base64.b64decode(reduced["indices"])
    rows = b"".join(b"\0" + indices[start : start + width] for start in range(0, width * height, width))
    palette = b"".join(colour.to_bytes(3, "big") for colour in reduced["palette"])
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    chunks = ((b"IHDR", head), (b"PLTE", palette), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in chunks
    )


if __name__ == "__main__":
    main(sys.argv[1:])
