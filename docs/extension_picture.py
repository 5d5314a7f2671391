"""Draws the guide's picture of the extension: a page of the demo's web, filtered, and the panel beside it.

    python docs/extension_picture.py

Needs Chromium; uses the browser of the tests. The picture holds nothing of the machine.
"""

from __future__ import annotations

import base64
import importlib.util
import shutil
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "tests"), str(HERE.parent / "src")]

from support.browsers import chromium  # noqa: E402 - the path comes first
from support.browsers.extension_desk import Desk  # noqa: E402
from support.browsers.loopback_site import Site  # noqa: E402
from support.waiting import until  # noqa: E402

PICTURE = HERE / "images" / "extension.png"
WIDTH, PANEL, HEIGHT = 760, 380, 620
PAGE = """<!doctype html><html lang="es"><title>El puerto</title><style>
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: #222 } nav { padding: 12px 28px; background: #e9eef2 }
nav a { margin-right: 18px } main { padding: 10px 28px; max-width: 40em } li { margin: .3em 0 }</style>
<nav><a href="/">Inicio</a><a href="/lonja">Lonja</a><a href="/tiempo">El tiempo</a></nav><main>
<h1>Noticias del puerto</h1>
<p>La subasta de la lonja abrió con merluza a doce euros; la sardina bajó otra vez.</p>
<h2>Redes y artes</h2>
<p>El trasmallo tiene tres paños: la merluza pasa el primero, empuja el segundo y queda presa en el tercero.</p>
<p>Las obras del muelle seguirán hasta mayo.</p>
<ul><li>Cursos de costura de redes</li><li>Merluza, dorada y besugo: tallas mínimas</li><li>Horario de oficina</li></ul>
<p>El ayuntamiento aprobó ayer los presupuestos.</p></main></html>"""
TOGETHER = """pictures => { document.body.style.cssText = "margin:0;display:flex";
  document.body.innerHTML = pictures.map(coded => `<img src="data:image/png;base64,${coded}">`).join("");
  return Promise.all([...document.images].map(image => image.decode())); }"""


def main() -> None:
    """Write the picture."""
    program = chromium.find()
    if not program:
        sys.exit("there is no Chromium here: install it, on Debian with: apt-get install chromium")
    with Site() as site, tempfile.TemporaryDirectory() as folder:
        browser = chromium.Chromium(program)
        try:
            browser.install(unpack(Path(folder)))
            PICTURE.write_bytes(draw(browser, site))
        finally:
            browser.close()


def unpack(folder: Path) -> Path:
    """The extension as it is packed."""
    spec = importlib.util.spec_from_file_location("go", HERE.parent / "go.py")
    assert spec
    assert spec.loader
    go = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(go)
    for name, path in go.extension_files().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, folder / name)
    return folder


def draw(browser: chromium.Chromium, site: Site) -> bytes:
    """The page and the panel, side by side."""
    with Desk(browser, site.add("/puerto.html", PAGE)) as desk:
        desk.page.resize(WIDTH, HEIGHT)
        desk.panel.resize(PANEL, HEIGHT)
        desk.choose("view", "keep")
        desk.filter("merluza")
        desk.press("next")
        until(lambda: desk.text("mark-place").startswith("1 /"), "the highlights")
        pictures = [base64.b64encode(tab.screenshot()).decode() for tab in (desk.page, desk.panel)]
    tab = browser.open()
    tab.resize(WIDTH + PANEL, HEIGHT)
    tab.evaluate(TOGETHER, pictures)
    return tab.screenshot()


if __name__ == "__main__":
    main()
