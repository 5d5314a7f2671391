"""A slice as a rule for other tools: a command of ours, a style sheet, a filter of uBlock Origin.

The command gives the same slice. The style sheet names the nodes that were found, so it is for this page. The filter is the
criterion itself, for every page of the site: exact when it hides what matches; when it keeps, it hides the paragraphs, list
items, rows and headings that do not match. What a filter cannot say (tolerance by nearness or meaning) is refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from itertools import product

import numpy as np

from trasmallo.clean.slicing.characters import SPACE, class_of, folding, table
from trasmallo.clean.slicing.criterion import And, AtLeast, AtMost, Not, Or, Tree, Word
from trasmallo.clean.slicing.matching import WordComparison, needles_of
from trasmallo.clean.slicing.page import PageArrays
from trasmallo.clean.slicing.states import NodeState, States

MOST_SELECTORS = 500
"""Selectors of a style sheet. Judgement: a longer rule is no rule."""
MOST_FILTERS = 8
"""Filters of a rule. Judgement."""

_SAFE = re.compile(r"[A-Za-z0-9_./:@%+=,-]+")
_SPECIAL = frozenset("\\^$.|?*+()[]{}/")
_LETTER = "[\\p{L}\\p{M}\\p{N}]"
_BLOCKS = "p, li, dt, dd, tr, h1, h2, h3, h4, h5, h6, blockquote, pre, figure"
_NAMES = "/^(href|src|alt|title|class|id)$/"

Condition = tuple[str, ...]


def quote(text: str) -> str:
    """A word of a shell command."""
    return text if _SAFE.fullmatch(text) else "'" + text.replace("'", "'\\''") + "'"


def as_command(document: str, criteria: Sequence[tuple[str, str, bool]], options: Sequence[str]) -> str:
    """The command that gives a slice; each criterion has its tolerance and whether it is inverse.

    Raises ValueError for a history that no command has: one whose inverse steps are not the first or the last ones.
    """
    (first, tolerance, inverse), *rest = criteria
    kept = [step for step in rest if not step[2]]
    hidden = [step for step in rest if step[2]]
    if rest != kept + hidden or any(step[1] != "0" for step in hidden):
        raise ValueError("no command has these steps")
    # A blank keeps a criterion that begins with a minus apart from options.
    words = ["trasmallo", "slice", document, f" {first}" if first.startswith("-") else first]
    tolerances = [tolerance, *(step[1] for step in kept)]
    while tolerances and tolerances[-1] == "0":
        tolerances.pop()
    words += [word for size in tolerances for word in ("--tolerance", size)]
    words += ["--inverse"] if inverse else []
    words += [word for step in kept for word in ("--then", step[0])]
    words += [word for step in hidden for word in ("--without", step[0])]
    return " ".join(map(quote, [*words, *options]))


def as_style_sheet(page: PageArrays, states: States, *, inverse: bool, keep_space: bool) -> str:
    """A style sheet that hides what a slice hides; raises ValueError when it would name too many nodes."""
    nodes = _named(page, states, inverse)
    if len(nodes) > MOST_SELECTORS:
        raise ValueError("too many nodes")
    selector = f":is({', '.join(selector_of(page, node) for node in nodes)})" if nodes else ":not(*)"
    hidden = "visibility: hidden !important;" if keep_space else "display: none !important;"
    if inverse:
        return f"{selector} {{ {hidden} }}\n"
    if keep_space:
        return f"body {{ {hidden} }}\n{selector}, {selector} * {{ visibility: visible !important; }}\n"
    return f"body :not({selector}, {selector} *, :has({selector})) {{ {hidden} }}\n"


def _named(page: PageArrays, states: States, inverse: bool) -> list[int]:
    """The topmost elements that are hidden, or shown."""
    wanted = states == NodeState.HIDDEN if inverse else np.isin(states, (NodeState.SHOWN, NodeState.RELEVANT))
    top = wanted & ~wanted[page.above] & ~page.is_text & page.readable
    top[page.scope] |= bool(wanted[page.scope])
    return np.flatnonzero(top).tolist()


def selector_of(page: PageArrays, node: int) -> str:
    """The way to a node from the root, by the number of each element among its like."""
    found = []
    while node > 0:
        above, tag = page.parent[node], page.tag[node]
        number, sibling = 1, above + 1
        while sibling < node:
            number += page.tag[sibling] == tag
            sibling = page.end[sibling]
        name = "".join(c if c.isascii() and (c.isalnum() or c == "-") else f"\\{ord(c):x} " for c in tag)
        found.append(name if tag in ("body", "head") else f"{name}:nth-of-type({number})")
        node = above
    return " > ".join(["html" if page.tag[0] == "html" else ":root", *reversed(found)])


def as_filters(host: str, source: str, tree: Tree, reading: WordComparison, *, levels: int, inverse: bool) -> str:
    """Filters of uBlock Origin, a line each; raises ValueError when the criterion needs too many."""
    writer = _Filters(reading)
    conditions = writer.conditions(tree, holds=inverse)
    if not inverse:
        lines = [f"{host}##:is({_BLOCKS}){''.join(condition)}" for condition in conditions]
    else:
        deepest = "".join(f":not(:has(*{''.join(condition)}))" for condition in conditions)
        upward = f":upward({levels})" if levels else ""
        lines = [f"{host}##body *{''.join(condition)}{deepest}{upward}" for condition in conditions]
    return "".join(f"{line}\n" for line in [f"! trasmallo: {' '.join(source.split())}", *lines])


class _Filters:
    """Writes a criterion as alternatives, each a row of conditions that all must hold."""

    def __init__(self, reading: WordComparison) -> None:
        self._reading = reading

    def conditions(self, tree: Tree, *, holds: bool) -> list[Condition]:
        """The alternatives for a criterion to hold, or not to."""
        if isinstance(tree, Not):
            return self.conditions(tree.item, holds=not holds)
        if isinstance(tree, Word):
            return self._counted((tree,), 1, holds)
        if isinstance(tree, AtLeast):
            return self._counted(tree.words, tree.times, holds)
        if isinstance(tree, AtMost):
            return self._counted(tree.words, tree.times + 1, not holds)
        if isinstance(tree, And | Or):
            parts = [self.conditions(item, holds=holds) for item in tree.items]
            return self._all(parts) if isinstance(tree, And) == holds else self._any(parts)
        first, *rest = tree.items
        if not rest:
            return self.conditions(first, holds=holds)
        other = type(tree)(tuple(rest))
        sides = [[self.conditions(first, holds=one), self.conditions(other, holds=one != holds)] for one in (True, False)]
        return self._any([self._all(side) for side in sides])

    def _all(self, parts: list[list[Condition]]) -> list[Condition]:
        size = 1
        for part in parts:
            size *= len(part)
            _limit(size)
        return [tuple(dict.fromkeys(text for row in rows for text in row)) for rows in product(*parts)]

    def _any(self, parts: list[list[Condition]]) -> list[Condition]:
        found = list(dict.fromkeys(row for part in parts for row in part))
        _limit(len(found))
        return found

    def _counted(self, words: tuple[Word, ...], times: int, holds: bool) -> list[Condition]:
        if times <= 0:
            return [()] if holds else []
        inside = "|".join(map(self._pattern, words))
        flags = "u" if self._reading.case else "iu"
        repeated = inside if times == 1 else f"(?:(?:{inside})[^]*?){{{times}}}"
        places = []
        if self._reading.where == "elements":
            raise ValueError("names of elements")
        if self._reading.reads_text:
            places.append(f":has-text(/{repeated}/{flags})")
        if self._reading.where != "text":
            places.append(f':matches-attr("{_NAMES}"="/{repeated}/{flags}")')
        return [(place,) for place in places] if holds else [tuple(f":not({place})" for place in places)]

    def _pattern(self, word: Word) -> str:
        """A regular expression that finds a word as we do."""
        needles = needles_of(word, folding(case=not self._reading.case, accents=not self._reading.accents))
        written = "|".join(map(self._written, needles)) if word.forms else self._written(word.text)
        written = f"(?:{written})" if word.forms else written
        head = "" if word.head or self._reading.part else f"(?<!{_LETTER})"
        tail = "" if word.tail or self._reading.part else f"(?!{_LETTER})"
        return f"{head}{written}{tail}"

    def _written(self, text: str) -> str:
        written = "".join(self._character(character) for character in text)
        return re.sub(r"^(?:\\s\+)+|(?:\\s\+)+$", "", re.sub(r"(?:\\s\+)+", r"\\s+", written))

    def _character(self, character: str) -> str:
        if class_of(character) == SPACE:
            return "\\s+"
        if self._reading.accents:
            return _plain(character)
        base = folding(case=not self._reading.case, accents=True).character(character)
        return "".join(f"[{part}{_variants()[part]}]" if part in _variants() else _plain(part) for part in base)


def _plain(character: str) -> str:
    if character == '"':
        return "\\x22"
    return f"\\{character}" if character in _SPECIAL else character


def _limit(size: int) -> None:
    if size > MOST_FILTERS:
        raise ValueError("too many filters")


@cache
def _variants() -> dict[str, str]:
    """The accented letters of Western European languages by the letter without accent."""
    found: dict[str, str] = {}
    for character, base in table()["accents"].items():
        if ord(character) < 0x100 and len(base) == 1:
            found[base] = found.get(base, "") + character
    return found
