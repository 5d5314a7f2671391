"""A Spanish graph for the replay of focused crawls, from handbooks that Debian packages ship; nothing of them is kept here.

    apt-get install libreoffice-help-es gimp-help-es aptitude-doc-es
    python benchmarks/focus_spanish.py OUT [--root /]
    python benchmarks/focus_replay.py OUT/pages.jsonl.zst OUT/topics.json --runs 3

Pages are what the product reads of them, links are the handbooks' own. Topics are the handbooks' parts, told by where a page
lies: the folders of LibreOffice's help and the names of GIMP's pages; their words are the Spanish names of these parts.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import NamedTuple

import zstandard

from trasmallo.clean.decode import decode
from trasmallo.crawl.focus import SeenPage
from trasmallo.crawl.seen_pages import read_page
from trasmallo.values.model import Response

HANDBOOKS = ("usr/share/libreoffice/help/es/text", "usr/share/gimp/2.0/help/es", "usr/share/doc/aptitude/html/es")
FEWEST_LINKS, FEWEST_SEEDS = 3, 10
"""What the replay draws start pages from, and how many of them a topic must have."""

TOPICS = {
    "fórmulas matemáticas": r"/smath/",
    "gráficos y diagramas": r"/schart/",
    "bases de datos": r"/sdatabase/",
    "presentaciones y diapositivas": r"/simpress/",
    "asistentes": r"/shared/autopi/",
    "opciones de configuración": r"/shared/optionen/",
    "guía de hojas de cálculo": r"/scalc/guide/",
    "guía de documentos de texto": r"/swriter/guide/",
    "funciones de Calc": r"/scalc/01/040602|/scalc/01/func_",
    "programación en Python": r"/sbasic/python/|/sbasic/shared/03/",
    "filtros de imagen": r"/gimp/.*/(gimp-filter|plug-in|filters)",
    "herramientas de GIMP": r"/gimp/.*/gimp-tool",
    "capas": r"/gimp/.*/gimp-layer",
}


class Handbooks(NamedTuple):
    """The pages of all handbooks, each with the path from which it came."""

    pages: list[SeenPage]
    paths: list[str]


def main() -> None:
    """Write the graph and its topics, and say how large they are."""
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("out", type=Path)
    asked.add_argument("--root", type=Path, default=Path("/"), help="where the packages are unpacked")
    given = asked.parse_args()
    books = read_handbooks(given.root)
    if not books.pages:
        raise SystemExit(f"no handbook under {given.root}: install libreoffice-help-es, gimp-help-es and aptitude-doc-es")
    rows = graph_rows(books)
    topics = topics_of(books, rows)
    given.out.mkdir(parents=True, exist_ok=True)
    text = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
    (given.out / "pages.jsonl.zst").write_bytes(zstandard.compress(text.encode()))
    (given.out / "topics.json").write_text(json.dumps(topics, ensure_ascii=False), encoding="utf-8")
    print("| pages | links | topics |\n| --- | --- | --- |")
    print(f"| {len(rows):,} | {sum(len(row['links']) for row in rows):,} | {len(topics)} |")


def read_handbooks(root: Path) -> Handbooks:
    """The pages that are installed, in the order of their paths."""
    paths = sorted(path for book in HANDBOOKS for path in (root / book).rglob("*.html"))
    pages = [read_page(_answer(path.relative_to(root), path.read_bytes()), decode) for path in paths]
    return Handbooks(pages, [f"/{path.relative_to(root)}" for path in paths])


def _answer(path: Path, body: bytes) -> Response:
    return Response(f"http://handbooks.test/{path}", 0.0, 200, "OK", (("Content-Type", "text/html"),), body, body)


def graph_rows(books: Handbooks) -> list[dict[str, object]]:
    """The graph as the replay reads it; a link within a page, to itself or out of the handbooks is none."""
    numbers = {page.url: number for number, page in enumerate(books.pages)}
    rows = []
    for number, page in enumerate(books.pages):
        links = {}
        for link in page.links:
            target = numbers.get(link.url.partition("#")[0])
            if target is not None and target != number:
                links.setdefault(target, (target, link.anchor, f"{link.before}[]{link.after}"))
        text = re.sub(r"\s+", " ", page.text)
        rows.append({"id": number, "url": books.paths[number], "title": page.title, "text": text, "links": [*links.values()]})
    return rows


def topics_of(books: Handbooks, rows: list[dict[str, object]]) -> list[dict[str, object]]:
    """The topics with enough pages that lead somewhere."""
    topics: list[dict[str, object]] = []
    for words, where in TOPICS.items():
        pages = [number for number, path in enumerate(books.paths) if re.search(where, path)]
        leading = [number for number in pages if len(rows[number]["links"]) >= FEWEST_LINKS]  # type: ignore[arg-type]
        if len(leading) >= FEWEST_SEEDS:
            topics.append({"name": words, "words": words, "pages": pages})
    return topics


if __name__ == "__main__":
    main()
