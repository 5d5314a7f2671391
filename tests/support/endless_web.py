"""A site on loopback with webs that never end, and with honest ones that only look so: many pages of one shape.

No robots.txt warns of anything. Everything is computed from the address, so that the same address always answers the same.
"""

from __future__ import annotations

import random
import re
import threading
from collections import Counter
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Self
from urllib.parse import parse_qsl, urlsplit

from support.made_prose import WORDS

ARTICLES, NOTES, PRODUCTS, CARDS = 300, 120, 120, 90
_MONTHS = (
    "enero",
    "febrero",
    "marzo",
    "abril",
    "mayo",
    "junio",
    "julio",
    "agosto",
    "septiembre",
    "octubre",
    "noviembre",
    "fin",
)
_MENU = '<p><a href="/">Inicio</a> <a href="/contacto">Contacto</a></p><p>Somos la casa de los pescadores del norte.</p>'

TRAPS = (
    "/ciclo/",
    "/hondo/",
    "/agenda/",
    "/diario/",
    "/lista",
    "/ver",
    "/ficha",
    "/busca",
    "/tienda/",
    "/uno/",
    "/otros/",
)
"""What the addresses of each endless web begin with; `/otros/` is reached by first folders without end."""


def _drawn(seed: str, count: int) -> list[str]:
    """Words that depend on an address and nothing else."""
    chance = random.Random(seed)
    return ["".join(chance.choices("bcdfglmnprst", k=2) + chance.choices("aeiou", k=2)) for _ in range(count)]


def _token(seed: str, length: int) -> str:
    return "".join(random.Random(seed).choices("abcdefghjkmnpqrstuvwxyz23456789", k=length))


def _prose(seed: str, length: int = 60) -> str:
    return " ".join(random.Random(seed).choices(WORDS, k=length))


def _page(title: str, body: str, *links: str) -> str:
    listed = "".join(f'<li><a href="{link}">{link.rpartition("/")[2]}</a></li>' for link in links)
    head = f"<html lang=es><head><title>{title}</title></head>"
    return f"{head}<body>{_MENU}<h1>{title}</h1><p>{body}</p><ul>{listed}</ul></body></html>"


def _home(_path: str, _query: dict[str, str]) -> str:
    starts = ["/ciclo/", "/hondo/", "/agenda/2026/11", "/diario/2026-11-16", "/lista?page=1", "/ver?offset=0", "/busca?q=mar"]
    starts += ["/ficha?zz=" + _token("first", 8), "/tienda/0?sx=abcdefgh", "/uno/rosa", "/otros/"]
    return _page("Inicio", "Todo lo que hay.", *starts, "/articulo/1", "/archivo?p=1", "/producto/0", "/carta/0")


def _cycle(_path: str, _query: dict[str, str]) -> str:
    return _page("Ciclo", "Vuelta a empezar.", "red/barco/", "barco/red/")


def _deeper(path: str, _query: dict[str, str]) -> str:
    return _page(f"Carpeta {path}", f"Contenido de {path}", *(path.rstrip("/") + f"/{word}/" for word in _drawn(path, 3)))


def _calendar(path: str, _query: dict[str, str]) -> str:
    year, month = map(int, path.split("/")[2:4])
    near = [(year * 12 + month - 1 + step) for step in (-1, 1, 12)]
    links = [f"/agenda/{count // 12}/{count % 12 + 1:02}" for count in near]
    return _page(f"Agenda de {_MONTHS[month - 1]} de {year}", "No hay actos este mes.", *links)


def _diary(path: str, _query: dict[str, str]) -> str:
    from datetime import date, timedelta

    day = date.fromisoformat(path.rpartition("/")[2])
    links = [f"/diario/{day + timedelta(days=step)}" for step in (-1, -7, -30)]
    return _page(f"{day.day} de {_MONTHS[day.month - 1]}", "Ese día no hubo noticias.", *links)


def _listing(path: str, query: dict[str, str]) -> str:
    number = int(query["page"])
    own = [f"/articulo/{number * 5 + step}" for step in range(5)] if number < 5 else []
    body = f"Página {number} de resultados." if own else f"Página {number}. No hay más resultados."
    return _page("Lista", body, *own, f"{path}?page={number + 1}")


def _offset(path: str, query: dict[str, str]) -> str:
    return _page("Ver", "Fin de la lista.", *(f"{path}?offset={int(query['offset']) + step}" for step in (10, 20)))


def _tokens(path: str, query: dict[str, str]) -> str:
    own = query["zz"]
    return _page(f"Ficha {own}", "La ficha de siempre.", *(f"{path}?zz={_token(own + str(step), 8)}" for step in (1, 2)))


def _names(path: str, query: dict[str, str]) -> str:
    words = _drawn(repr(sorted(query.items())), 4)
    links = (f"{path}?{name}={value}" for name, value in (words[:2], words[2:]))
    return _page("Busca", "Nada se encontró con eso.", *links)


def _session(path: str, query: dict[str, str]) -> str:
    """A shop of twenty products whose every page names all others by another session."""
    session = _token(path + query["sx"], 8)
    return _page("Tienda", _prose("tienda" + path), *(f"/tienda/{number}?sx={session}" for number in range(20)))


def _pair(path: str, _query: dict[str, str]) -> str:
    other = "/dos/" if path.startswith("/uno/") else "/uno/"
    return _page("Uno y dos", "Van y vienen.", *(other + word for word in _drawn(path, 2)))


def _others(path: str, _query: dict[str, str]) -> str:
    """First folders without end, each with a page or two."""
    return _page("Otros", "Otra carpeta más.", *(f"/{word}/otros/{word}" for word in _drawn(path, 3)))


def _article(path: str, _query: dict[str, str]) -> str:
    number = int(path.rpartition("/")[2])
    return _page(
        f"Artículo {number}", _prose(path), f"/articulo/{number % ARTICLES + 1}", f"/articulo/{(number + 7) % ARTICLES + 1}"
    )


def _archive(path: str, query: dict[str, str]) -> str:
    number = int(query["p"])
    own = [f"/nota/{number * 2 + step}" for step in range(2)]
    return _page("Archivo", "Notas del archivo.", *own, *([f"{path}?p={number + 1}"] if number < NOTES // 2 else []))


def _note(path: str, _query: dict[str, str]) -> str:
    return _page("Nota", _prose(path, 25))


def _title(number: int) -> str:
    return "-".join(random.Random(f"producto {number}").sample(WORDS, 3))


def _product(path: str, _query: dict[str, str]) -> str:
    """Products that say little beside their name, each found on the one before."""
    name = path.rpartition("/")[2]
    number = 0 if name == "0" else int(name.rpartition("-")[2])
    title = _title(number).replace("-", " ")
    following = (number + 1) % PRODUCTS
    return _page(title, f"{title}, 12 euros.", f"/producto/{_title(following)}-{following}")


def _card(path: str, _query: dict[str, str]) -> str:
    """Few words from a small vocabulary, by number."""
    number = int(path.rpartition("/")[2])
    return _page("Carta", _prose(path, 9), f"/carta/{(number + 1) % CARDS}")


_ANSWERS: dict[str, Callable[[str, dict[str, str]], str]] = {
    "": _home,
    "contacto": lambda _path, _query: _page("Contacto", "Escríbanos."),
    "ciclo": _cycle,
    "hondo": _deeper,
    "agenda": _calendar,
    "diario": _diary,
    "lista": _listing,
    "ver": _offset,
    "ficha": _tokens,
    "busca": _names,
    "tienda": _session,
    "uno": _pair,
    "dos": _pair,
    "otros": _others,
    "articulo": _article,
    "archivo": _archive,
    "nota": _note,
    "producto": _product,
    "carta": _card,
}


def answer(address: str) -> str | None:
    """The page of an address, None when there is none."""
    parts = urlsplit(address)
    first = parts.path.split("/")[1]
    make = _ANSWERS.get(first) or (_others if re.fullmatch(r"/\w+/otros/\w+", parts.path) else None)
    try:
        return make(parts.path, dict(parse_qsl(parts.query))) if make else None
    except (KeyError, ValueError):
        return None


class EndlessWeb:
    """The site, served while the block lasts; `asked` counts addresses by the endless or honest web they belong to."""

    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._server.serve_forever)

    @property
    def url(self) -> str:
        """The home page."""
        return f"http://127.0.0.1:{self._server.server_port}/"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def web_of(address: str) -> str:
    """Which of the webs an address belongs to."""
    path = urlsplit(address).path
    first = path.split("/")[1]
    return "uno" if first == "dos" else first if first in _ANSWERS else "otros"


def _handler(web: EndlessWeb) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            page = answer(self.path)
            body = (page or "nada").encode()
            if page:
                web.asked[web_of(self.path)] += 1
            self.send_response(200 if page else 404)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Nobody reads it."""

    return Handler
