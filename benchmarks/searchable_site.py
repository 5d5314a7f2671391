"""A site of hidden pages on loopback: nothing links to them, only its search finds them, ten at a time, a hundred at most.

Words are drawn after Zipf, so that many pages share the frequent ones and each has some of its own. Beside the search stand
forms that must never be sent: log-in, comment, basket, log-out, delete. Whoever asks for one is written down.
"""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from urllib.parse import parse_qs, urlsplit

PAGE_RESULTS = 10
MOST_RESULTS = 100
_CONSONANTS, _VOWELS = "bcdfglmnprstvz", "aeiou"
_STOP = frozenset({"para", "como", "pero", "sobre"})
_TRAPS = """
<form action="/login" method="post"><input name="user"><input type="password" name="pass"></form>
<form action="/comment" method="post"><textarea name="text"></textarea></form>
<form action="/cart/add" method="get"><input name="q"><button>Añadir al carrito</button></form>
<form action="/logout" method="get"><input type="hidden" name="s" value="1"><button>Cerrar sesión</button></form>
<form action="/delete" method="get"><input name="q" type="search"><button>Eliminar</button></form>
<form action="/newsletter" method="get"><input name="email" type="email"></form>
"""


def made_words(number: int, seed: int = 3) -> list[str]:
    """Words that can be said, each once."""
    draw, words = random.Random(seed), dict[str, None]()
    while len(words) < number:
        words.setdefault("".join(draw.choice(_CONSONANTS) + draw.choice(_VOWELS) for _ in range(draw.randint(2, 4))))
    return list(words)


class SearchableSite:
    """Pages by number, and which of them have a word."""

    def __init__(self, pages: int = 5_000, seed: int = 7) -> None:
        draw, words = random.Random(seed), made_words(20_000)
        weights = [1 / (rank + 3) for rank in range(len(words))]
        self.texts = [" ".join(draw.choices(words, weights, k=80)) for _ in range(pages)]
        self.holding: dict[str, list[int]] = defaultdict(list)
        for number, text in enumerate(self.texts):
            for word in sorted(set(text.split())):
                self.holding[word].append(number)
        self.requests: list[tuple[str, str]] = []

    def hits(self, query: str) -> list[int]:
        """The pages that have a word, at most a hundred."""
        word = query.lower().strip()
        return [] if word in _STOP else self.holding.get(word, [])[:MOST_RESULTS]

    def answer(self, path: str) -> tuple[int, str]:
        """Status and HTML of an address."""
        parts = urlsplit(path)
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/":
            return 200, _page("Portada", f"{_form()}{_TRAPS}<p>{self.texts[0]}</p>")
        if parts.path == "/search":
            return 200, self._results(asked.get("q", ""), int(asked.get("page", "1")))
        if parts.path.startswith("/page/") and parts.path[6:].isdecimal() and int(parts.path[6:]) < len(self.texts):
            return 200, _page(
                f"Página {parts.path[6:]}", f"{_form()}<article><p>{self.texts[int(parts.path[6:])]}</p></article>"
            )
        return 404, _page("No está", "<p>No hay nada aquí.</p>")

    def _results(self, query: str, page: int) -> str:
        found = self.hits(query)
        shown = found[(page - 1) * PAGE_RESULTS : page * PAGE_RESULTS]
        items = "".join(
            f'<li><a href="/page/{each}">Página {each}</a> <span>{" ".join(self.texts[each].split()[:20])}</span></li>'
            for each in shown
        )
        last = -(-len(found) // PAGE_RESULTS)
        pages = "".join(
            f'<a href="/search?q={query}&amp;page={each}">{each}</a> ' for each in range(1, last + 1) if each != page
        )
        return _page("Resultados", _form() + (f"<ol>{items}</ol><nav>{pages}</nav>" if items else "<p>Sin resultados.</p>"))


def _form() -> str:
    return '<form action="/search" method="get" role="search"><input type="search" name="q"><button>Buscar</button></form>'


def _page(title: str, body: str) -> str:
    return f'<!doctype html><html lang="es"><title>{title}</title><body><a href="/">Portada</a>{body}</body></html>'


@contextmanager
def serving(site: SearchableSite) -> Iterator[str]:
    """The site on loopback; its address."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            site.requests.append(("GET", self.path))
            status, html = (
                (404, "") if self.path.startswith(("/robots.txt", "/sitemap", "/wp-sitemap")) else site.answer(self.path)
            )
            body = html.encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            site.requests.append(("POST", self.path))
            self.send_response(405)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            """Its own list is the log."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        server.shutdown()
        server.server_close()
