"""A user's own tree of related words, for tolerance by meaning: which words are near a criterion's word, and at what level.

As XML or JSON; `nivel` may be left out where the nesting says it. English names (criterion, word, value, level) will do too.

    <criterio valor="gato"><palabra nivel="1" valor="persa"><palabra nivel="2" valor="raza"/></palabra></criterio>
    {"criterio": "gato", "palabras": [{"nivel": 1, "valor": "persa", "palabras": [{"nivel": 2, "valor": "raza"}]}]}
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from trasmallo.clean.slicing.characters import folding
from trasmallo.clean.slicing.inflection import FormTable
from trasmallo.clean.slicing.meaning import Lexicon
from trasmallo.clean.slicing.tolerance import Tolerance
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
_MOST_DIGITS, _MOST_TOLD = 6, 40
"""Digits of a level, and characters of a wrong one that are told. Judgement."""
LONGEST = 200_000
"""Characters of a file. Judgement: some five thousand words; a tree is written by hand, or asked for word by word."""
_TAG = re.compile(r"""<!--.*?-->|<[!?][^>]*>|<(/?)([A-Za-z][A-Za-z0-9_.:-]*)((?:[^<>"']|"[^"]*"|'[^']*')*+)>""", re.DOTALL)
_ATTRIBUTE = re.compile(r"""([A-Za-z][A-Za-z0-9_.:-]*)[ \t\n\r\f]*=[ \t\n\r\f]*(?:"([^"]*)"|'([^']*)')""")
_REFERENCE = re.compile(r"&(?:#x([0-9A-Fa-f]{1,6})|#([0-9]{1,7})|(amp|lt|gt|quot|apos));")
_CHARACTERS = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_REPAIR = 'write it as <criterio valor="gato"><palabra nivel="1" valor="persa"/></criterio>'

_fold = folding(case=True, accents=True).fold


def read_related(text: str) -> dict[str, dict[str, int]]:
    """The trees of a file; raises UsageError for one that has none."""
    if len(text) > LONGEST:
        raise UsageError("the tree of related words has more than {most} characters", "give a smaller one", most=LONGEST)
    text = text.removeprefix("\ufeff")
    rows = list(_from_json(text) if text.lstrip()[:1] in ("{", "[") else _from_xml(text))
    found: dict[str, dict[str, int]] = {}
    for criterion, word, level in rows:
        words = found.setdefault(criterion, {})
        words[word] = min(level, words.get(word, level))
    if not found:
        raise UsageError("the tree of related words has no related word", _REPAIR)
    return found


def check_needed(related: object, tolerances: Iterable[Tolerance]) -> None:
    """Raise UsageError for a tree that no tolerance asks for."""
    if related is not None and not any(tolerance.kind == "meaning" for tolerance in tolerances):
        raise UsageError("a tree of related words needs a tolerance by meaning", "say the tolerance is meaning:2")


Row = tuple[str, str, int]


def _from_xml(text: str) -> Iterator[Row]:
    """The words of the tags; an end tag of another name ends the element all the same."""
    criterion, depth = "", 0
    for closing, name, written in _TAG.findall(text):
        if closing:
            depth = max(0, depth - 1)
        elif name:
            named = {key.lower(): _characters(one or other) for key, one, other in _ATTRIBUTE.findall(written)}
            value = _first(named, _VALUES)
            if name.lower() in _CRITERIA and value:
                criterion, depth = value, 0
            elif name.lower() in _WORDS and value and criterion:
                depth += 1
                yield criterion, value, _level(_first(named, _LEVELS), depth)
            if written.endswith("/"):
                depth = max(0, depth - 1)


def _characters(written: str) -> str:
    """The value of an attribute, with the characters that are referred to."""
    return _REFERENCE.sub(_character, written)


def _character(reference: re.Match[str]) -> str:
    if reference[3]:
        return _CHARACTERS[reference[3]]
    code = int(reference[1], 16) if reference[1] else int(reference[2])
    return chr(code) if 0 < code < 0xD800 or 0xDFFF < code <= 0x10FFFF else reference[0]


def _from_json(text: str) -> Iterator[Row]:
    try:
        trees = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UsageError("the tree of related words is no JSON ({reason})", _REPAIR, reason=error) from None
    for tree in trees if isinstance(trees, list) else [trees]:
        if isinstance(tree, dict):
            criterion = _first(tree, (*_CRITERIA, *_VALUES))
            yield from _below(criterion, tree) if isinstance(criterion, str) and criterion else ()


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
    digits = str(int(written) if isinstance(written, float) and written.is_integer() else written).strip(" \t\n\r\f")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _MOST_DIGITS and 0 < int(digits) <= _MOST_LEVELS):
        raise UsageError(
            "the tree of related words has the level {level!r}", "write a number from 1 on", level=digits[:_MOST_TOLD]
        )
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
