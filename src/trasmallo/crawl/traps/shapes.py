"""The shape of an address: what is left when numbers, dates, random texts and titles are taken out."""

from __future__ import annotations

import re

from trasmallo.crawl.traps.parameters import is_random, split

_DATE = re.compile(
    r"/[12]\d{3}(?:/(?:0?[1-9]|1[0-2])(?:/(?:0?[1-9]|[12]\d|3[01]))?|-(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?)"
    r"(?=/|$)"
)
_DIGITS = re.compile(r"\d+")
_ENDING = re.compile(r"\.[A-Za-z]{2,5}")
_ABSTRACT = frozenset(["", "#", "*", "D", "~"])
_FAMILIAR = frozenset(["", "#", "D"])
_LONGEST_WORD = 40  # judgement: characters of a segment that make its shape
_LONGEST_SHAPE = 200  # judgement: characters of a shape, which are kept


def shape_of(url: str) -> str:
    """Path and parameter names of a canonical URL, with `#` for numbers, `D` for dates, `*` for random texts, `~` for titles.

    A last segment keeps its words when a query follows, since then it names a program and not a page.
    """
    path, _, query = url[url.find("/", 8) :].partition("?")
    segments = _DATE.sub("/D", path).split("/")
    forms = [_form(segment) for segment in segments[:-1]]
    forms.append(_form(segments[-1]) if query else _last_form(segments[-1]))
    shape = "/".join(forms)
    if query:
        shape += "?" + "&".join(name[:_LONGEST_WORD] + "=*" * is_random(value) for name, value in split(query)[:20])
    return shape[:_LONGEST_SHAPE]


def coarser(shape: str) -> str:
    """The shape without any word, for hosts whose words are too many to tell apart."""
    path, mark, query = shape.partition("?")
    forms = (form if form in _ABSTRACT else "~" for form in path.split("/"))
    return "/".join(forms) + mark + ("=*" if "=*" in query else "")


def _form(segment: str) -> str:
    if len(segment) >= 8 and is_random(segment):
        return "*"
    return _DIGITS.sub("#", segment)[:_LONGEST_WORD]


def _last_form(segment: str) -> str:
    stem, dot, ending = segment.rpartition(".")
    if not dot or not _ENDING.fullmatch(dot + ending):
        stem, dot, ending = segment, "", ""
    form = _form(stem)
    return (form if form in _ABSTRACT else "~") + dot + ending


def family_of(url: str) -> str:
    """The first folder, what kinds of segments follow, and names of parameters: /casa/a/7 and /casa/b/c/8/9 are one family.

    Pages at the root have no folder; those whose names differ in numbers alone are a family: /hoja1 and /hoja2, not /casa.
    """
    path, mark, query = shape_of(url).partition("?")
    first, *forms = path.split("/")[1:]
    if not forms and first.startswith("~"):
        first = _numbered(url[url.find("/", 8) + 1 :]) or first
    kinds = {form if form in _FAMILIAR else "~" for form in forms}
    return "/".join(["", first, *sorted(kinds)]) + mark + query.replace("=*", "")


def _numbered(name: str) -> str:
    """The name of a page with `#` for its numbers, "" when it has none."""
    return _DIGITS.sub("#", name)[:_LONGEST_WORD] if _DIGITS.search(name) else ""


def coarser_family(family: str) -> str:
    """The family without any word, which all small families of a host are taken together by."""
    path, mark, _ = family.partition("?")
    _, _, *kinds = path.split("/")
    return "/".join(["", "~", *kinds]) + mark
