"""The stretch of a text that shows best why it was found, quoted exactly, with the found words marked.

Words are looked for in a folded copy of the text that has the same length, so that places in one are places in the other:
bytes of Latin-1 folded by a table for most languages (a nanosecond a character), single characters for the rest.
Only the first 200,000 characters are looked at, and the first 1,000 places.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice

import msgspec

from trasmallo.store.index.words import shown, terms_of

_LOOKED_AT = 200_000  # judgement: characters of a text in which its best passage is sought
_PLACES = 1_000  # judgement: found words of a text that are weighed
_BREAKS = "\n\u2028\u2029"
_SENTENCE_END = ".!?…"


class SnippetPart(msgspec.Struct, frozen=True):
    """A stretch of text; `hit` when it is a word that was asked for."""

    text: str
    hit: bool = False


class Snippet(msgspec.Struct, frozen=True):
    """A quotation: its pieces put together are `text[start:end]` of the document's text."""

    start: int
    end: int
    pieces: tuple[SnippetPart, ...]

    @property
    def text(self) -> str:
        """The quotation in one piece."""
        return "".join(piece.text for piece in self.pieces)


def quote(text: str, terms: Sequence[str], size: int = 240, known: Sequence[tuple[int, int]] = ()) -> Snippet:
    """About `size` characters of a text around the most different terms; its beginning when none is found.

    `known` are places of something else that was asked for, all of them one more term.
    """
    text = text[:_LOOKED_AT]
    places = find_terms(text, terms)
    if known:
        others = [(start, end, len(terms)) for start, end in known[:_PLACES] if end <= len(text)]
        places = _apart(sorted([*places, *others]))
    low, high = _best_window(places, size) if places else (0, 0)
    start, end = _stretch(text, low, high, size)
    inside = [(first, last) for first, last, _ in places if start <= first and last <= end]
    return Snippet(start, end, tuple(_pieces(text, start, end, inside)))


def find_terms(text: str, terms: Sequence[str]) -> list[tuple[int, int, int]]:
    """(start, end, number of the term) of the terms in a text, in order, none inside another."""
    words = [shown(term) for term in terms]
    found = list(islice(_places(_fold_quickly(text), [_latin(word) for word in words]), _PLACES))
    if not found:
        found = list(islice(_places(_fold_slowly(text), words), _PLACES))
    return _apart(sorted(found))


def _places(text: bytes | str, words: Sequence[bytes | str | None]) -> Iterator[tuple[int, int, int]]:
    is_letter = _is_letter_byte if isinstance(text, bytes) else str.isalnum
    for number, word in enumerate(words):
        at = text.find(word) if word else -1  # type: ignore[arg-type]
        while at >= 0:
            assert word is not None
            end = at + len(word)
            before, after = text[at - 1 : at] if at else text[:0], text[end : end + 1]
            if _is_cjk(word) or not ((before and is_letter(before)) or (after and is_letter(after))):  # type: ignore[arg-type]
                yield at, end, number
            at = text.find(word, at + 1)  # type: ignore[arg-type]


def _apart(places: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Without those that begin inside another."""
    kept: list[tuple[int, int, int]] = []
    for place in places:
        if not kept or place[0] >= kept[-1][1]:
            kept.append(place)
    return kept


def _best_window(places: list[tuple[int, int, int]], size: int) -> tuple[int, int]:
    """From the first to the last place of the stretch with most different terms, then most places, then the earliest."""
    best, low, high = (0, 0), 0, 0
    inside: dict[int, int] = {}
    first = 0
    for last, (_, end, number) in enumerate(places):
        inside[number] = inside.get(number, 0) + 1
        while end - places[first][0] > size and first < last:
            gone = places[first][2]
            inside[gone] -= 1
            if not inside[gone]:
                del inside[gone]
            first += 1
        if (len(inside), last - first) > best or not high:
            best, low, high = (len(inside), last - first), places[first][0], end
    return low, high


def _stretch(text: str, low: int, high: int, size: int) -> tuple[int, int]:
    """The window with its surroundings: from the beginning of its line or sentence when that is near, ending with a word."""
    room = max(size - (high - low), 0)
    start = max(0, low - room // 2)
    near = max(text.rfind(sign, start, low) for sign in (*_BREAKS, *(end + " " for end in _SENTENCE_END)))
    if start > 0:
        start = near + 1 if near >= 0 else _word_start(text, start, low)
    start += len(text[start:low]) - len(text[start:low].lstrip())
    end = min(len(text), max(high, start + size))
    if end < len(text):
        cut = max(text.rfind(" ", high, end), text.rfind("\n", high, end))
        end = cut if cut > high else end
    return start, end


def _word_start(text: str, start: int, low: int) -> int:
    blank = text.find(" ", start, low)
    return blank + 1 if blank >= 0 else start


def _pieces(text: str, start: int, end: int, places: list[tuple[int, int]]) -> Iterator[SnippetPart]:
    done = start
    for first, last in places:
        if first > done:
            yield SnippetPart(text[done:first])
        yield SnippetPart(text[first:last], hit=True)
        done = last
    if done < end:
        yield SnippetPart(text[done:end])


def _fold_quickly(text: str) -> bytes:
    return text.encode("latin-1", "replace").translate(_latin_table())


def _fold_slowly(text: str) -> str:
    return "".join(map(_fold_letter, text))


@lru_cache(maxsize=16_384)
def _fold_letter(letter: str) -> str:
    """A character as the index folds it, when that is one character too."""
    if letter.isascii():
        return letter.lower()
    folded = "".join(map(shown, terms_of(letter)))
    return folded if len(folded) == 1 else letter


@cache
def _latin_table() -> bytes:
    folded = (_fold_letter(chr(code)).encode("latin-1", "replace") for code in range(256))
    return b"".join(letter[:1] for letter in folded)


def _latin(word: str) -> bytes | None:
    try:
        return word.encode("latin-1")
    except UnicodeEncodeError:
        return None


_LETTER_BYTES = frozenset(bytes([code]) for code in range(256) if chr(code).isalnum())


def _is_letter_byte(byte: bytes) -> bool:
    return byte in _LETTER_BYTES


_CJK_WORD = re.compile("[\u1100-\u11ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]")


def _is_cjk(word: bytes | str) -> bool:
    return isinstance(word, str) and _CJK_WORD.match(word) is not None
