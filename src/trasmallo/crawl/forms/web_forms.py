"""The forms of a page: method, fields, what each is for, and whether it may be asked.

Only a form that is plainly a search and sends by GET may be asked: what it asks for is an address like any other, and asking
changes nothing. Whatever could log in or out, comment, order, subscribe or delete is listed and left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import quote_plus

import msgspec

from trasmallo.values.urls import host, host_key, resolve

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

MOST_FORMS = 50
"""Forms of one page. Judgement, as the others: shops have one for each thing on sale."""
MOST_FIELDS = 60  # judgement
MOST_OPTIONS = 200  # judgement

_LONGEST_FORM = 50_000
"""Octets of a form that are read. Judgement: one with a list of all countries has 10,000; 256 that are kept take 13 MB."""
_TEXTS = frozenset({"text", "search", ""})
_HARMLESS = frozenset({"text", "search", "", "hidden", "submit", "button", "reset", "select", "radio", "checkbox", "image"})
_UNSAFE = re.compile(
    r"log.?(?:in|out|off)|sign.?(?:in|out|up)|regist|passw|contrase|delete|remove|borrar|eliminar|unsubscri|subscri|suscri|baja|"
    r"newsletter|bolet[ií]n|cart|basket|carrito|cesta|checkout|order|comprar|buy|pay|pago|vote|votar|like|comment|coment|reply|"
    r"responder|contact|upload|subir|edit|admin|cerrar|sesion|sesión|salir|acceder|save|guardar|send|enviar",
    re.IGNORECASE,
)
_SEARCH = re.compile(r"search|busca|búsqueda|busqueda|recherch|suche|find|query|consulta|cerca|pesquis|explor", re.IGNORECASE)
_SEARCH_NAMES = frozenset(
    {"q", "s", "b", "k", "p", "wd", "query", "search", "buscar", "busqueda", "keyword", "keywords", "term", "texto"}
    | {"text", "search_query", "searchword", "palabra", "palabras", "consulta"}
)
_COMMENT = re.compile(r"comment|coment|reply|responder|opini", re.IGNORECASE)
_ORDER = re.compile(r"cart|basket|carrito|cesta|checkout|order|comprar|buy|pay|pago", re.IGNORECASE)


class FormField(msgspec.Struct, frozen=True, kw_only=True):
    """A field of a form; `options` are the values of a list to choose from, `value` is what is sent where nobody says more."""

    name: str
    type: str
    value: str = ""
    options: tuple[str, ...] = ()


class WebForm(msgspec.Struct, frozen=True, kw_only=True):
    """A form: where it leads, how, and with which fields. `page` is one on which it stands, `pages` on how many it was seen.

    `kind` is search, log-in, comment, order or unknown; `why_not` says why it may not be asked, "" when it may.
    """

    action: str
    method: str
    kind: str
    fields: tuple[FormField, ...]
    why_not: str = ""
    page: str = ""
    pages: int = 1

    @property
    def key(self) -> str:
        """What makes two forms the same."""
        return f"{self.method} {self.action} {' '.join(field.name for field in self.fields)}"

    @property
    def query_field(self) -> str:
        """The field that takes the words; "" without one."""
        texts = [field.name for field in self.fields if field.type in _TEXTS and field.name]
        return next((name for name in texts if name.lower() in _SEARCH_NAMES), texts[0] if texts else "")

    def address(self, words: str, choices: tuple[tuple[str, str], ...] = ()) -> str | None:
        """The address that asks for some words, as a browser would write it; None when it is none."""
        chosen = dict(choices)
        pairs = []
        for field in self.fields:
            if field.name == self.query_field:
                pairs.append((field.name, words))
            elif field.name in chosen:
                pairs.append((field.name, chosen[field.name]))
            elif field.name and field.type in ("hidden", "select") and (field.value or field.type == "hidden"):
                pairs.append((field.name, field.value))
        sent = "&".join(f"{quote_plus(name)}={quote_plus(value)}" for name, value in pairs)
        return resolve(self.action, self.action.partition("?")[0] + "?" + sent)


def names_of(action: str) -> frozenset[str]:
    """How a user may name where a form leads to: its host, with or without the port, or its address."""
    address = action.partition("?")[0].rstrip("/")
    return frozenset(name.lower() for name in (host(action), host_key(action).partition("//")[2], address, action))


def is_named(action: str, places: Iterable[str]) -> bool:
    """Whether one of the places that a user has named is where a form leads to."""
    return not names_of(action).isdisjoint(place.rstrip("/").lower() for place in places)


class _WrittenForm(NamedTuple):
    """A form as its page writes it, without the page's address."""

    action: str
    method: str
    fields: tuple[FormField, ...]
    says: str


def find_forms(content: bytes, url: str) -> list[WebForm]:
    """The forms of a page, those without any field left out.

    Only what stands between the tags of a form is parsed, and once: pages of a site repeat theirs. On 242 real pages of 138 kB
    that took .48 CPU ms each, with a parse of the whole page 1.05.
    """
    written = (_read_form(piece) for piece in _pieces(content))
    return [form for each in written if each is not None and (form := _placed(each, url)) is not None]


def _pieces(content: bytes) -> list[bytes]:
    """The octets of each form; linear, since what begins inside another is a part of it."""
    found: list[bytes] = []
    lower, end = content.lower(), 0
    while len(found) < MOST_FORMS and (start := lower.find(b"<form", end)) >= 0:
        end = lower.find(b"</form", start) + 1 or len(content)
        found.append(content[start : min(end - 1, start + _LONGEST_FORM)])
    return found


@lru_cache(maxsize=256)
def _read_form(piece: bytes) -> _WrittenForm | None:
    from selectolax.lexbor import LexborHTMLParser

    node = LexborHTMLParser(piece).css_first("form")
    if node is None or not (fields := tuple(_fields(node))):
        return None
    attributes = node.attributes
    method = "POST" if (attributes.get("method") or "").strip().lower() == "post" else "GET"
    named = " ".join(filter(None, (attributes.get(name) or "" for name in ("id", "class", "role", "name", "aria-label"))))
    says = " ".join([named, *(field.name for field in fields), *_labels(node)])
    return _WrittenForm((attributes.get("action") or "").strip(), method, fields, says)


def _placed(written: _WrittenForm, url: str) -> WebForm | None:
    """A form on a page; None when it leads nowhere."""
    action = resolve(url, written.action or url)
    if action is None:
        return None
    said = f"{written.says} {action.partition('//')[2].partition('/')[2]}"
    kind = _kind(written.fields, said, written.method)
    why_not = _why_not(kind, written.method, written.fields, said)
    return WebForm(action=action, method=written.method, kind=kind, fields=written.fields, why_not=why_not, page=url)


def _fields(node: LexborNode) -> list[FormField]:
    found: dict[str, FormField] = {}
    for each in node.css("input, select, textarea, button")[:MOST_FIELDS]:
        attributes = each.attributes
        name, kind = (attributes.get("name") or "").strip(), (attributes.get("type") or "").strip().lower()
        if each.tag in ("select", "textarea"):
            kind = each.tag
        elif each.tag == "button":
            kind = kind or "submit"
        options = tuple(option.attributes.get("value") or "" for option in each.css("option")[:MOST_OPTIONS])
        field = FormField(name=name, type=kind, value=attributes.get("value") or "", options=tuple(filter(None, options)))
        found.setdefault(name or f" {len(found)}", field)
    return list(found.values())


def _labels(node: LexborNode) -> list[str]:
    """What its buttons and fields say to a person."""
    texts = [each.text(strip=True)[:80] for each in node.css("button, label, legend")[:20]]
    shown = [
        each.attributes.get(name) or "" for each in node.css("input")[:20] for name in ("placeholder", "aria-label", "title")
    ]
    values = [each.attributes.get("value") or "" for each in node.css("input[type=submit]")[:5]]
    return [text for text in (*texts, *shown, *values) if text]


def _kind(fields: tuple[FormField, ...], said: str, method: str) -> str:
    types = [field.type for field in fields]
    if "password" in types:
        return "log-in"
    if "textarea" in types or _COMMENT.search(said):
        return "comment"
    if _ORDER.search(said):
        return "order"
    texts = [field for field in fields if field.type in _TEXTS and field.name]
    named = any(field.name.lower() in _SEARCH_NAMES or field.type == "search" for field in texts)
    return "search" if method == "GET" and texts and len(texts) <= 4 and (named or _SEARCH.search(said)) else "unknown"


_PURPOSES = {
    "log-in": "it is for a log-in",
    "comment": "it is for a comment",
    "order": "it is for an order",
    "unknown": "it is not plainly a search",
}
"""Why forms of these kinds are not asked."""


def _why_not(kind: str, method: str, fields: tuple[FormField, ...], said: str) -> str:
    if method != "GET":
        return "it sends by POST, which may change something"
    if kind != "search":
        return _PURPOSES[kind]
    if odd := next((field.type for field in fields if field.type not in _HARMLESS), ""):
        return f"it has a field of the type {odd!r}"
    if unsafe := _UNSAFE.search(said):
        return f"it speaks of {unsafe[0]!r}"
    return ""
