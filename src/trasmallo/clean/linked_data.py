"""What a page says of itself in JSON-LD (schema.org), read with limits: anybody may write anything there."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from trasmallo.clean.flat import FlatPage

MAX_SCRIPTS = 50
"""Scripts of a page that are read. Judgement, as all of these: more than any honest page has."""
MAX_CHARACTERS = 500_000
"""Characters of a script."""
MAX_NODES = 5_000
"""Objects that are looked at."""
MAX_DEPTH = 12
"""Objects inside objects."""

_WRAPPING = re.compile(r"^\s*(?:<!--|(?://|/\*)?\s*<!\[CDATA\[(?:\*/)?)|(?:-->|(?://|/\*)?\s*\]\]>(?:\*/)?)\s*$")
_ARTICLES = re.compile(r"(?:Article|Posting|Report|Review|Recipe|Product|Event|Question|Book|Course|JobPosting|HowTo|Dataset)$")
_PAGES = re.compile(r"(?:Page|CreativeWork|VideoObject|PodcastEpisode|ImageObject)$")

Node = dict[str, object]


class LinkedData:
    """The nodes of all JSON-LD scripts of a page, those that describe its article first."""

    def __init__(self, page: FlatPage) -> None:
        self.nodes: list[Node] = []
        for value in _values(page):
            self._gather(value)
        self._by_id = {node["@id"]: node for node in reversed(self.nodes) if isinstance(node.get("@id"), str) and len(node) > 1}
        self.works = sorted((node for node in self.nodes if _rank(node) < 2), key=_rank)

    def _gather(self, root: object) -> None:
        """Every object inside, outer ones first; iterative, since a page may nest them as deep as it likes."""
        waiting = [(root, 0)] if isinstance(root, dict | list) else []
        for value, depth in waiting:
            if len(self.nodes) >= MAX_NODES or len(waiting) > 4 * MAX_NODES:
                return
            if isinstance(value, dict):
                self.nodes.append(value)
            inner = value.values() if isinstance(value, dict) else value
            if depth < MAX_DEPTH:
                waiting.extend((each, depth + 1) for each in inner if isinstance(each, dict | list))

    def all(self, name: str) -> list[str]:
        """Every text of a property of the best node that has it."""
        return next((texts for node in self.works if (texts := list(self.texts(node.get(name))))), [])

    def named(self, kind: str) -> str:
        """The name of the first node of a type."""
        return next((text for node in self.nodes if kind in types(node) for text in self.texts(node.get("name"))), "")

    def texts(self, value: object, depth: int = 0, *, pointed: bool = False) -> Iterator[str]:
        """The texts of a value: itself, the name of an object or of the node it points to, each of a list.

        Only one pointer is followed on the way (`pointed`), or nodes that point to each other would have no end.
        """
        if isinstance(value, str):
            yield from filter(None, [" ".join(value.split())])
        elif isinstance(value, list) and depth < MAX_DEPTH:
            for each in value[:MAX_SCRIPTS]:
                yield from self.texts(each, depth + 1, pointed=pointed)
        elif isinstance(value, dict) and depth < MAX_DEPTH:
            known = value if len(value) > 1 or pointed else self._by_id.get(str(value.get("@id")), value)
            inner = next((known[key] for key in ("name", "@value", "alternateName", "url", "@id") if known.get(key)), None)
            yield from self.texts(inner, depth + 1, pointed=pointed or known is not value)


def _values(page: FlatPage) -> Iterator[object]:
    scripts = (index for index, tag in enumerate(page.tag) if tag == "script" and _is_linked_data(page, index))
    for _, index in zip(range(MAX_SCRIPTS), scripts, strict=False):
        source = _WRAPPING.sub("", page.raw_text(index)[:MAX_CHARACTERS]).strip().rstrip(";")
        try:
            yield json.loads(source, strict=False)
        except (ValueError, RecursionError):
            continue


def _is_linked_data(page: FlatPage, index: int) -> bool:
    return page.attributes(index).get("type", "").split(";")[0].strip().lower() == "application/ld+json"


def types(node: Node) -> list[str]:
    """The types of a node without their vocabulary."""
    kinds = node.get("@type")
    return [str(kind).rsplit("/", 1)[-1] for kind in (kinds if isinstance(kinds, list) else [kinds])[:20]]


def _rank(node: Node) -> int:
    """0 for an article or what is like one, 1 for a page, 2 for the rest."""
    kinds = types(node)
    if any(map(_ARTICLES.search, kinds)):
        return 0
    return 1 if any(map(_PAGES.search, kinds)) else 2
