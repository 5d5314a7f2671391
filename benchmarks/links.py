"""CPU time to find and canonicalise the links of a page: ours against lxml, parsel and w3lib, where they are installed.

Usage: python benchmarks/links.py [PAGE.html]. Without a page, one of 33 kB with 69 links is made.
"""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from urllib.parse import urljoin

from trasmallo.crawl.discover.links import find_followed, find_links

URL = "http://www.example.org/section/page.html"
ROUNDS = 300
WORDS = ("una", "red", "de", "tres", "capas", "recoge", "documentos", "limpia", "estudia", "palabra", "por", "lengua")


def made_page() -> bytes:
    rng = random.Random(7)
    text = [" ".join(rng.choices(WORDS, k=80)) for _ in range(49)]
    menu = "".join(f'<li class="item"><a href="/menu/{n}/">Menú {n}</a></li>' for n in range(20))
    body = "".join(
        f'<div class="block"><p>{words} <a href="{"../" if n % 10 == 0 else "/"}news/{n}.html{"?p=1" if n % 5 == 0 else ""}">'
        f"Noticia <b>{n}</b></a> {words[:120]}</p></div>"
        for n, words in enumerate(text)
    )
    return f"<!doctype html><html><head><title>x</title></head><body><ul>{menu}</ul>{body}</body></html>".encode()


def with_lxml(page: bytes) -> list[tuple[str, str]]:
    html = import_module("lxml.html")
    tree = html.fromstring(page)
    return [(urljoin(URL, node.get("href")), node.text_content()) for node in tree.iter("a") if node.get("href")]


def with_lxml_w3lib(page: bytes) -> list[tuple[str, str]]:
    canonicalize = import_module("w3lib.url").canonicalize_url
    return [(canonicalize(url), text) for url, text in with_lxml(page)]


def with_parsel_w3lib(page: bytes) -> list[tuple[str, str]]:
    canonicalize = import_module("w3lib.url").canonicalize_url
    selector = import_module("parsel").Selector(text=page.decode("utf-8", "replace"))
    return [
        (canonicalize(urljoin(URL, node.attrib["href"])), " ".join(node.css("::text").getall()))
        for node in selector.css("a[href]")
    ]


def measured(find: Callable[[bytes], object], page: bytes) -> float:
    """Milliseconds of CPU a page, the best of five rounds: the machine may be busy."""
    best = float("inf")
    for _ in range(5):
        start = time.process_time()
        for _ in range(ROUNDS // 5):
            find(page)
        best = min(best, (time.process_time() - start) / (ROUNDS // 5))
    return best * 1000


def main() -> None:
    page = Path(sys.argv[1]).read_bytes() if len(sys.argv) > 1 else made_page()
    ways: dict[str, Callable[[bytes], object]] = {
        "trasmallo": lambda page: find_links(page, URL),
        "trasmallo, no anchors": lambda page: find_followed(page, URL),
        "lxml + urljoin": with_lxml,
        "lxml + w3lib": with_lxml_w3lib,
        "parsel + w3lib": with_parsel_w3lib,
    }
    print(f"{len(page)} bytes, {len(find_links(page, URL).links)} links")
    for name, find in ways.items():
        try:
            print(f"{name:24} {measured(find, page):8.3f} ms CPU a page")
        except ImportError as error:
            print(f"{name:24} not installed ({error.name})")


if __name__ == "__main__":
    main()
