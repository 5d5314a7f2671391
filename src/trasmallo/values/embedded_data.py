"""Text that the scripts of a page hold as data: JSON-LD articles, the state of Next, Nuxt, Gatsby, Apollo, Redux and their kin.

A page made by scripts often carries all it will show as JSON. Then its text can be read without a browser. Only prose is taken:
addresses, class names, code and single labels are not what anybody reads. Everything is read with limits, since anybody may
write anything there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html import unescape

import msgspec

MAX_SCRIPTS = 100
"""Scripts of a page that are looked at. Judgement, as all of these: more than any honest page has."""
MAX_CHARACTERS = 3_000_000
"""Characters of a script; states of shops have a million."""
MAX_VALUES = 100_000
"""Values inside one script."""
MAX_TEXTS = 2_000
"""Paragraphs of a page."""
FEWEST_WORDS = 8
"""Words of a text that is prose. Judgement: labels, names and menus have fewer."""

_ARTICLE_KEYS = frozenset({"articleBody", "reviewBody", "text", "recipeInstructions", "description", "transcript"})
_JSON_TYPES = frozenset({"application/json", "application/ld+json", "text/json", "application/vnd.api+json"})
_CODE_TYPES = frozenset({"", "text/javascript", "application/javascript", "module"})
_UNREAD_KEYS = re.compile(
    r"(?i)^(?:css|style|styles|classname|query|script|template|translations|messages|i18n|locale|copyright)$"
)
_STATE = re.compile(
    r"(?:window|self|globalThis)\s*(?:\.\s*|\[\s*[\"'])(__[A-Za-z_]{2,40}|[A-Za-z_]{0,30}(?:STATE|State|DATA|Data|PROPS|Props))"
    r"[\"'\]\s]*=\s*"
)
_FLIGHT = re.compile(r"__next_f\s*\.\s*push\(\s*")
_PARSED = re.compile(r"JSON\.parse\(\s*(?=\")")
_LITERAL = re.compile(r'"(?:[^"\\\x00-\x1f]|\\.){40,}"')
_TAG = re.compile(r"<[^<>]{0,1000}>")
_BREAK = re.compile(
    r"(?i)</?(?:p|div|li|h[1-6]|br|tr|section|article|blockquote|ul|ol|table|figure|figcaption)\b[^<>]{0,1000}>|\n\s*\n"
)
_CODE_SIGNS = re.compile(r"[{};=<>\\|_#@$]|https?:")
_LETTER = re.compile(r"[^\W\d_]")


class Script(msgspec.Struct, frozen=True):
    """A script of a page: its `type` in small letters without parameters, and what stands in it."""

    type: str
    source: str


def embedded_texts(scripts: Iterable[Script]) -> list[str]:
    """The paragraphs that scripts hold, each once, in their order; articles of JSON-LD first."""
    chosen = [script for script, _ in zip(scripts, range(MAX_SCRIPTS), strict=False)]
    chosen.sort(key=lambda script: script.type != "application/ld+json")
    found: dict[str, None] = {}
    for script in chosen:
        for text in _texts_of(script):
            found.setdefault(text)
            if len(found) >= MAX_TEXTS:
                return list(found)
    return list(found)


def may_hold_texts(html: str) -> bool:
    """Whether it is worth looking: a page without any of these words holds no such data."""
    return "application/ld+json" in html or "application/json" in html or "__" in html or "STATE" in html


def _texts_of(script: Script) -> Iterator[str]:
    source = script.source[:MAX_CHARACTERS]
    if script.type == "application/ld+json":
        yield from _prose(_strings(_loaded(source), only=_ARTICLE_KEYS))
    elif script.type in _JSON_TYPES:
        yield from _prose(_strings(_loaded(source)))
    elif script.type in _CODE_TYPES:
        yield from _prose(_assigned(source))


def _loaded(source: str) -> object:
    try:
        return json.loads(source.strip().removeprefix("<!--").removesuffix("-->").strip().rstrip(";"), strict=False)
    except (ValueError, RecursionError):
        return None


def _assigned(source: str) -> Iterator[str]:
    """What a script assigns to a variable of the page: JSON, JSON in a text, or literals inside an expression."""
    decoder = json.JSONDecoder(strict=False)
    for place in _STATE.finditer(source):
        start = place.end()
        if parsed := _PARSED.match(source, start):
            inner = _decoded_at(decoder, source, parsed.end())
            yield from _strings(_loaded(inner) if isinstance(inner, str) else None)
        elif (value := _decoded_at(decoder, source, start)) is not None:
            yield from _strings(value)
        else:
            yield from _literals(source[start:])
    pushed = [value for place in _FLIGHT.finditer(source) if (value := _decoded_at(decoder, source, place.end())) is not None]
    for value in pushed:
        for text in _strings(value):
            yield from _literals(text) if '"' in text else (text,)


def _decoded_at(decoder: json.JSONDecoder, source: str, start: int) -> object:
    try:
        return decoder.raw_decode(source, start)[0]
    except (ValueError, RecursionError):
        return None


def _literals(source: str) -> Iterator[str]:
    """The longer texts between quotes in an expression."""
    for literal, _ in zip(_LITERAL.finditer(source), range(MAX_VALUES), strict=False):
        value = _loaded(literal[0])
        if isinstance(value, str):
            yield value


def _strings(root: object, only: frozenset[str] = frozenset()) -> Iterator[str]:
    """The texts inside a value, in their order; iterative, since a page may nest them as deep as it likes."""
    waiting: list[tuple[str, object]] = [("", root)]
    for _ in range(MAX_VALUES):
        if not waiting:
            return
        key, value = waiting.pop()
        if isinstance(value, str):
            if not only or key in only:
                yield value
        elif isinstance(value, dict):
            inner = [(str(name), each) for name, each in value.items() if not _UNREAD_KEYS.match(str(name))]
            waiting.extend(reversed(inner))
        elif isinstance(value, list):
            waiting.extend((key, each) for each in reversed(value))


def _prose(strings: Iterable[str]) -> Iterator[str]:
    for string in strings:
        if len(string) < 3 * FEWEST_WORDS:
            continue
        for piece in _BREAK.split(string):
            text = " ".join(unescape(_TAG.sub(" ", piece)).split())
            if is_prose(text):
                yield text


def is_prose(text: str) -> bool:
    """Whether a text is written for readers: words enough, letters most of it, and few signs of code."""
    if len(text.split()) < FEWEST_WORDS:
        return False
    letters = len(_LETTER.findall(text))
    return letters >= 0.6 * len(text) and len(_CODE_SIGNS.findall(text)) * 50 <= len(text) + 50
