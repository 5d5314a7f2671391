r"""What counts as a letter, a blank, a capital and an accent: one generated table, the same in Python and in the browser.

`str.lower`, `\w` and their kind follow each program's own Unicode version, so a page would be sliced differently in two
places. The table is written by `training/characters.py`.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from functools import cache, cached_property
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

OTHER, SPACE, WORD, IDEOGRAPH = range(4)
BREAK = "\0"
"""Parts what does not belong together; no text has it, since a NUL in a page is folded to U+FFFD."""

NUL = "\ufffd"
"""What a NUL in a page is folded to."""

_FOREIGN = re.compile("[^\x00-\x7f]+")
_BEYOND = re.compile("[\ud800-\udfff\U00010000-\U0010ffff]")
_MAX_KNOWN = 20_000
"""Texts that are remembered; then all are forgotten. Judgement: a bound on memory."""


@cache
def table() -> dict[str, Any]:
    """The generated table as it stands in `characters.json`."""
    found: dict[str, Any] = json.loads(resources.files(__package__).joinpath("characters.json").read_text("utf-8"))
    return found


@cache
def kinds() -> dict[str, Any]:
    """The lists of tags and attributes in `kinds.json`."""
    table: dict[str, Any] = json.loads(resources.files(__package__).joinpath("kinds.json").read_text("utf-8"))
    return table


@cache
def kind(name: str) -> frozenset[str]:
    """One list of `kinds.json` as a set."""
    return frozenset(kinds()[name])


@cache
def _spans(name: str) -> tuple[tuple[int, int], ...]:
    """The code points of a class as ranges, their ends excluded."""
    numbers = table()[name]
    found, end = [], 0
    for gap, length in zip(numbers[::2], numbers[1::2], strict=True):
        found.append((end + gap, end + gap + length))
        end += gap + length
    return tuple(found)


@cache
def pattern(name: str) -> str:
    """The inside of a `[...]` for a class of the table."""
    return "".join(f"{re.escape(chr(low))}-{re.escape(chr(high - 1))}" for low, high in _spans(name))


@cache
def _borders() -> tuple[list[int], list[int]]:
    """Where each class begins and what it is, for a search by halves."""
    spans = [(low, high, SPACE) for low, high in _spans("space")]
    spans += [(low, high, WORD) for low, high in _spans("word")]
    spans += [(low, high, IDEOGRAPH) for low, high in _spans("ideograph")]
    starts, classes, end = [0], [OTHER], 0
    for low, high, number in sorted(spans):
        if low > end:
            starts.append(end)
            classes.append(OTHER)
        starts.append(low)
        classes.append(number)
        end = high
    return [*starts, end], [*classes, OTHER]


@cache
def class_of(character: str) -> int:
    """OTHER, SPACE, WORD (letters, marks, numbers) or IDEOGRAPH, which is a word by itself."""
    starts, classes = _borders()
    return classes[bisect_right(starts, ord(character)) - 1]


@cache
def classes() -> NDArray[np.uint8]:
    """The class of each character of the first plane."""
    found = np.zeros(0x10000, dtype=np.uint8)
    for name, number in (("space", SPACE), ("word", WORD), ("ideograph", IDEOGRAPH)):
        for low, high in _spans(name):
            found[low:high] = number
    return found


def _among(spans: tuple[tuple[int, int], ...], code: int) -> bool:
    return any(low <= code < high for low, high in spans)


class Folding:
    """Makes texts comparable: without case, without accents, or both; what nobody sees is dropped in every way."""

    def __init__(self, *, case: bool, accents: bool) -> None:
        self._case: dict[str, str] = table()["case"] if case else {}
        self._accents: dict[str, str] = table()["accents"] if accents else {}
        self._dropped = _spans("ignored") + (_spans("accent") if accents else ())
        self._lower = case
        self._runs: dict[str, str] = {}
        self._characters: dict[str, str] = {}
        uneven = {c for c in {*self._case, *self._accents} if len(self.character(c)) != 1}
        ranges = "".join(f"{chr(low)}-{chr(high - 1)}" for low, high in self._dropped)
        self._uneven = re.compile(f"[{ranges}{''.join(uneven)}]")

    def character(self, character: str) -> str:
        """What a character becomes: mostly one, sometimes none or several."""
        if character == BREAK:
            return NUL
        found = self._characters.get(character)
        if found is None:
            cased = self._case.get(character, character)
            kept = (part for part in cased if not _among(self._dropped, ord(part)))
            found = self._characters[character] = "".join(self._accents.get(part, part) for part in kept)
        return found

    def fold(self, text: str) -> str:
        """A text made comparable."""
        if BREAK in text:
            text = text.replace(BREAK, NUL)
        if text.isascii():
            return text.lower() if self._lower else text
        if self._lower:
            # Of bytes, only those of ASCII are lowered: the table says what becomes of the others.
            text = text.encode("utf-8", "surrogatepass").lower().decode("utf-8", "surrogatepass")
        return _FOREIGN.sub(self._fold_run, text)

    def _fold_run(self, match: re.Match[str]) -> str:
        run = match[0]
        found = self._runs.get(run)
        if found is None:
            if len(self._runs) >= _MAX_KNOWN:
                self._runs.clear()
            found = self._runs[run] = "".join(map(self.character, run))
        return found

    def fold_in_place(self, text: str) -> str | None:
        """A long text made comparable at once, NULs kept; None when some character would move."""
        if text.isascii():
            return text.lower() if self._lower else text
        if _BEYOND.search(text):
            return None if not self.keeps_places(text) else BREAK.join(map(self.fold, text.split(BREAK)))
        codes = self._plane[np.frombuffer(text.encode("utf-16-le"), dtype="<u2")]
        if not codes.all() and (codes == 0).sum() > text.count(BREAK):
            return None
        return str(codes.tobytes(), "utf-16-le")

    @cached_property
    def _plane(self) -> NDArray[np.uint16]:
        """What each character of the first plane becomes; 0 where that is not one character of the same plane."""
        plane = np.arange(0x10000, dtype="<u2")
        for low, high in self._dropped:
            plane[low:high] = 0
        for character in {*self._case, *self._accents, *map(chr, range(128))} - {BREAK}:
            folded = self.character(character)
            if ord(character) < 0x10000:
                plane[ord(character)] = ord(folded) if len(folded) == 1 and folded < "\U00010000" else 0
        return plane

    def keeps_places(self, text: str) -> bool:
        """Whether folding leaves every character where it is."""
        return text.isascii() or self._uneven.search(text) is None

    def places(self, text: str) -> list[int]:
        """For each character of the folded text, and for its end, where it comes from in the text itself."""
        found = [place for place, character in enumerate(text) for _ in self.character(character)]
        return [*found, len(text)]


@cache
def folding(*, case: bool, accents: bool) -> Folding:
    """The folding that ignores case, accents, or both."""
    return Folding(case=case, accents=accents)
