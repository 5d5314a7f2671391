"""Words of pages, anchors and addresses as numbers: hashed, so that no dictionary has to be kept or exchanged."""

from __future__ import annotations

import re
import zlib
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from urllib.parse import unquote

SPACE = 1 << 15
"""Numbers that words are hashed to. Judgement: a topic has some thousand words, so that few of them share one."""

LEAD = 500
"""Characters at the beginning of a text that say what kind of thing it is about. Judgement: one or two sentences."""

LONGEST_TEXT = 20_000
"""Characters of a page that are read: what it is about is said before. Judgement."""

MOST_WORDS = 400
"""Different words of a page that are kept, the most frequent first: it bounds what a page takes."""

_TITLE_WEIGHT = 3  # judgement: a word of the title counts as so many of the text
_WORD = re.compile(r"[^\W\d_]{2,}")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")


def words_of(text: str) -> list[str]:
    """The words of a text in lower case; where words are not separated, pairs of characters."""
    found = _WORD.findall(text.lower())
    return [part for word in found for part in _pairs(word)] if _UNSPACED.search(text) else found


def words_of_address(url: str) -> list[str]:
    """The words of an address's path and query."""
    path = url.split("/", 3)[3] if url.count("/") > 2 else ""
    return _WORD.findall(unquote(path).lower().replace("_", " "))[:12]


@lru_cache(maxsize=1 << 16)
def number_of(word: str) -> int:
    """The number of a word, the same on every machine."""
    return zlib.crc32(word.encode("utf-8", "surrogatepass")) & (SPACE - 1)


def numbers_of(words: Iterable[str], stop: frozenset[str] = frozenset()) -> list[int]:
    """The numbers of words but those to leave out."""
    return [number_of(word) for word in words if word not in stop]


def count_words(title: str, text: str, stop: frozenset[str] = frozenset()) -> tuple[list[int], list[int]]:
    """The numbers of a page's words and how often each stands there."""
    counts = Counter(numbers_of(words_of(text[:LONGEST_TEXT]), stop))
    for number in numbers_of(words_of(title[:1_000]), stop):
        counts[number] += _TITLE_WEIGHT
    chosen = sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:MOST_WORDS]
    return [number for number, _ in chosen], [count for _, count in chosen]


def lead_of(title: str, text: str, stop: frozenset[str] = frozenset()) -> list[int]:
    """The numbers of the words of a title and of how a text begins, each once."""
    return sorted(set(numbers_of(words_of(title[:1_000]) + words_of(text[:LEAD]), stop)))


def has_digit(text: str) -> bool:
    """Whether a text holds a digit, as years and dates do."""
    return any(letter.isdigit() for letter in text)


def _pairs(word: str) -> list[str]:
    if not _UNSPACED.search(word) or len(word) < 3:
        return [word]
    return [word[place : place + 2] for place in range(len(word) - 1)]
