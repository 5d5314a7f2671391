"""What errors say in other languages than English: `words/errors.<code>.json` maps each sentence, {} for what differs in it.

The core says everything in English, in one line that ends with the repair. Here a line is recognised by what does not differ in
it, and said again with its values, which may be sentences too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

VALUE = "{}"
_LONGEST = 5_000
_DEEPEST = 2
_MOST_COLONS = 8


@cache
def errors(language: str) -> Phrases:
    """What errors say in a language; nothing is said otherwise in English."""
    path = Path(__file__).with_name("words") / f"errors.{language}.json"
    return Phrases(msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.exists() else {})


class Phrases:
    """Sentences by what does not differ in them; of two that fit, the one that says more itself is taken."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        pairs = ((said.split(VALUE), other.split(VALUE)) for said, other in texts.items())
        self._known = sorted(pairs, key=lambda pair: -sum(map(len, pair[0])))

    def say(self, text: str, depth: int = 0) -> str | None:
        """A sentence, or a problem and its repair behind a colon, in this language; None when it is not known."""
        if len(text) > _LONGEST:
            return None
        return self._whole(text, depth) or self._halves(text, depth)

    def _whole(self, text: str, depth: int) -> str | None:
        for pieces, other in self._known:
            if (values := _values(pieces, text)) is not None:
                return _join(other, [self._value(value, text, depth) for value in values])
        return None

    def _value(self, value: str, text: str, depth: int) -> str:
        """A value of a sentence: as it stands, unless it is a sentence itself."""
        sentence = " " in value and value != text and depth < _DEEPEST
        return (self.say(value, depth + 1) if sentence else None) or value

    def _halves(self, text: str, depth: int) -> str | None:
        colons = [at for at in range(len(text)) if text.startswith(": ", at)] if ": " in text else []
        for at in colons[:_MOST_COLONS]:
            halves = self._whole(text[:at], depth), self._whole(text[at + 2 :], depth)
            if all(halves):
                return f"{halves[0]}: {halves[1]}"
        return None


def _values(pieces: list[str], text: str) -> list[str] | None:
    """What stands between the pieces of a sentence, None when it is not this one; each piece is found where it comes first."""
    first, *others = pieces
    if not others:
        return [] if text == first else None
    last = others.pop()
    if not (text.startswith(first) and text.endswith(last) and len(text) >= len(first) + len(last)):
        return None
    end, at, values = len(text) - len(last), len(first), []
    for piece in others:
        found = text.find(piece, at, end)
        if found < 0:
            return None
        values.append(text[at:found])
        at = found + len(piece)
    return [*values, text[at:end]]


def _join(pieces: list[str], values: list[str]) -> str:
    return pieces[0] + "".join(value + piece for value, piece in zip(values, pieces[1:], strict=True))
