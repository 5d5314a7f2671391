"""A user's own tree of related words, for tolerance by meaning: which words are near a criterion's word, and at what level.

As XML or JSON; `nivel` may be left out where the nesting says it. English names (criterion, word, value, level) will do too.

    <criterio valor="gato"><palabra nivel="1" valor="persa"><palabra nivel="2" valor="raza"/></palabra></criterio>
    {"criterio": "gato", "palabras": [{"nivel": 1, "valor": "persa", "palabras": [{"nivel": 2, "valor": "raza"}]}]}
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from html.parser import HTMLParser
from typing import Any

from trasmallo.clean.slicing.characters import folding
from trasmallo.clean.slicing.inflection import FormTable
from trasmallo.clean.slicing.meaning import Lexicon
from trasmallo.values.errors import UsageError

Related = Mapping[str, Mapping[str, int]]
"""For words of a criterion, the words related to each and their levels, from 1 on."""

_CRITERIA = ("criterio", "criterion")
_WORDS = ("palabra", "word")
_VALUES = ("valor", "value")
_LEVELS = ("nivel", "level")
_CHILDREN = ("palabras", "words")
_MOST_LEVELS = 1_000
"""Levels of a tree. Judgement: far more than a tolerance by meaning has."""

_fold = folding(case=True, accents=True).fold


def read_related(text: str) -> dict[str, dict[str, int]]:
    """The trees of a file; raises UsageError for one that has none."""
    rows = list(_from_json(text) if text.lstrip()[:1] in ("{", "[") else _from_xml(text))
    found: dict[str, dict[str, int]] = {}
    for criterion, word, level in rows:
        words = found.setdefault(criterion, {})
        words[word] = min(level, words.get(word, level))
    if not found:
        raise _unreadable("it names no related word")
    return found


def _unreadable(reason: str) -> UsageError:
    repair = 'write it as <criterio valor="gato"><palabra nivel="1" valor="persa"/></criterio>'
    return UsageError("the tree of related words cannot be read ({reason})", repair, reason=reason)


Row = tuple[str, str, int]


class _Tags(HTMLParser):
    """Takes words from the tags of an XML file; an end tag of another name ends the element all the same."""

    def __init__(self) -> None:
        super().__init__()
        self.rows: list[Row] = []
        self._criterion = ""
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        named = {name: value or "" for name, value in attrs}
        value = _first(named, _VALUES)
        if tag in _CRITERIA and value:
            self._criterion, self._depth = value, 0
        elif tag in _WORDS and value and self._criterion:
            self._depth += 1
            self.rows.append((self._criterion, value, _level(_first(named, _LEVELS), self._depth)))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - an end is an end
        self._depth = max(0, self._depth - 1)


def _from_xml(text: str) -> list[Row]:
    tags = _Tags()
    tags.feed(text)
    tags.close()
    return tags.rows


def _from_json(text: str) -> Iterator[Row]:
    try:
        trees = json.loads(text)
    except ValueError as error:
        raise _unreadable(str(error)) from None
    for tree in trees if isinstance(trees, list) else [trees]:
        if isinstance(tree, dict):
            criterion = _first(tree, (*_CRITERIA, *_VALUES))
            yield from _below(str(criterion), tree) if criterion else ()


def _below(criterion: str, tree: dict[str, Any]) -> Iterator[Row]:
    """The words of a tree, one level after the other."""
    waiting = [(tree, 1)]
    while waiting:
        above, depth = waiting.pop()
        children = _first(above, _CHILDREN)
        for child in children if isinstance(children, list) else ():
            value = _first(child, _VALUES) if isinstance(child, dict) else child
            if isinstance(value, str) and value:
                level = _level(_first(child, _LEVELS) if isinstance(child, dict) else "", depth)
                yield criterion, value, level
            if isinstance(child, dict) and depth < _MOST_LEVELS:
                waiting.append((child, depth + 1))


def _first(named: Mapping[str, Any], names: Sequence[str]) -> Any:
    """What the first of some names that is there stands for, "" for none."""
    return next((named[name] for name in names if named.get(name)), "")


def _level(written: object, depth: int) -> int:
    if not written:
        return depth
    digits = str(written).strip()
    if not (digits.isascii() and digits.isdigit() and 0 < int(digits[:6]) <= _MOST_LEVELS):
        raise _unreadable(f"the level {digits!r} is no number from 1 on")
    return int(digits)


class OwnMeaning:
    """The meaning of words by a user's tree; of words that it does not have, by the lexicon of the language, if there is one.

    Words are found in all forms that the tables know.
    """

    def __init__(self, related: Related, lexicon: Lexicon | None, tables: Sequence[FormTable]) -> None:
        self._lexicon, self._tables = lexicon, tables
        self._trees = {_fold(word): related[word] for word in related}

    def _forms(self, word: str) -> set[str]:
        return {_fold(form) for form in (word, *(form for table in self._tables for form in table.expand(word)))}

    def weigh(self, word: str) -> int:
        """0 for a function word, as far as the lexicon knows, 1 for any other."""
        return self._lexicon.weigh(word) if self._lexicon else 1

    def relate(self, words: list[str]) -> dict[str, int]:
        """The words related to the given ones in all their forms, and their levels."""
        found: dict[str, int] = {}
        for word in words:
            trees = [self._trees[form] for form in sorted(self._forms(word)) if form in self._trees]
            if not trees and self._lexicon:
                _add(found, self._lexicon.relate([word]))
            for tree in trees:
                for related, level in tree.items():
                    _add(found, dict.fromkeys(self._forms(related), level))
        return found

    def distance(self, word: str, related: dict[str, int]) -> int:
        """How far a word is, in the form that is nearest; 0 when it is not related."""
        own = related.get(_fold(word), 0)
        return own or (self._lexicon.distance(word, related) if self._lexicon else 0)


def _add(found: dict[str, int], more: dict[str, int]) -> None:
    for word, level in more.items():
        found[word] = min(level, found.get(word, level))
