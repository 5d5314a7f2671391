"""What a page says that others did not: pairs of words that stand beside each other outside of links.

Left out is what an endless web changes from page to page while it says nothing: numbers, the texts of links, and words that the
page's own address is made of. Titles in addresses (`una-casa-roja`) count: they are the page's own.

To read a page of 33 kB takes 2 ms, its middle 0.4: a middle that says much is enough to call a page new.
"""

from __future__ import annotations

import re
import zlib
from itertools import pairwise
from urllib.parse import unquote_to_bytes

import msgspec
import xxhash

from trasmallo.crawl.page_text import text_outside

_LETTERS = bytes(code if chr(code).isalpha() or code >= 0x80 else 0x20 for code in range(256))
"""What each octet is in words: letters of ASCII and all of other alphabets themselves, the rest blank."""
_TITLES = re.compile(rb"[^/?&=;]*[A-Za-z\x80-\xff][-_+][A-Za-z\x80-\xff][^/?&=;]*")
_MOST_BYTES = 262_144  # judgement: of a page that are looked at; menus and the beginning of any text are within
_MOST_PAIRS = 1_024  # judgement: of a page that are remembered; longer ones are remembered by samples
_MIDDLE = 2_048  # judgement: octets in the middle of a page, some 250 words where there is a text
_MOST_SEARCHED = 32_768  # judgement: octets before a place in which a script begins, if the place is in one
_BITS = 8_192  # judgement: 1 kB for each half of a memory, room for some pages
_FULL = _BITS // 4  # judgement: ones, so that three of four pairs that are new look new
_FEWEST_NEW = 4
"""Pairs that make a page new: the name of another month brings two or three, a title of three words six."""
_FEWEST_IN_MIDDLE = 16  # judgement: pairs that make one new by its middle alone, which may begin within anything


class PageWords(msgspec.Struct, frozen=True):
    """What a page says: hashes of its pairs of words, and one of all its words in order."""

    pairs: frozenset[int]
    digest: int


class Memory(msgspec.Struct):
    """Pairs of words of the last pages that were looked at, in two halves: the older is forgotten when the other is full."""

    recent: bytearray = msgspec.field(default_factory=lambda: bytearray(_BITS // 8))
    older: bytearray = msgspec.field(default_factory=lambda: bytearray(_BITS // 8))
    ones: int = 0

    def add(self, pairs: frozenset[int]) -> int:
        """Remember the pairs of a page; how many of them were new."""
        if self.ones > _FULL:
            self.recent, self.older, self.ones = bytearray(_BITS // 8), self.recent, 0
        new = 0
        for pair in pairs:
            place, bit = pair % _BITS >> 3, 1 << (pair & 7)
            if not self.recent[place] & bit:
                new += not self.older[place] & bit
                self.recent[place] |= bit
                self.ones += 1
        return new

    def is_new(self, pairs: frozenset[int]) -> bool:
        """Remember a page; whether it says something that the last ones did not."""
        return self.add(pairs) >= _FEWEST_NEW

    def is_new_middle(self, pairs: frozenset[int]) -> bool:
        """Remember the middle of a page; whether it alone says much that the last ones did not."""
        return self.add(pairs) >= _FEWEST_IN_MIDDLE


def words_of(content: bytes, url: str) -> PageWords:
    """What a page at an address says."""
    address = unquote_to_bytes(url).lower()
    echoed = set(_TITLES.sub(b" ", address).translate(_LETTERS).split())
    words = [word for word in text_outside(content[:_MOST_BYTES]).lower().translate(_LETTERS).split() if word not in echoed]
    pairs = {zlib.crc32(second, zlib.crc32(first)) for first, second in pairwise(words)}
    rarer = max(0, (len(pairs) // _MOST_PAIRS).bit_length())
    sample = frozenset(pair >> rarer for pair in pairs if not pair & ((1 << rarer) - 1))
    return PageWords(sample, xxhash.xxh3_64_intdigest(b" ".join(words)))


def middle_of(content: bytes) -> bytes:
    """Some of a page outside of scripts, "" for a short one, which is soon read whole."""
    if len(content) < 2 * _MIDDLE:
        return b""
    begin = min(len(content), _MOST_BYTES) // 2
    before = content[max(0, begin - _MOST_SEARCHED) : begin].lower()
    for name in (b"script", b"style"):
        if before.rfind(b"<" + name) > before.rfind(b"</" + name):
            begin = max(begin, content.lower().find(b"</" + name, begin))
    begin = max(begin, content.find(b"<", begin))
    return content[begin : begin + _MIDDLE]
