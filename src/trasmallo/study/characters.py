"""Classes of characters for the tokeniser's regular expressions, taken from Unicode's categories when first needed.

The first 65,536 characters are classed one by one; the planes above in a few coarse ranges, because a set with hundreds of
astral ranges makes every test of a blank slow. Each name is the inside of a `[...]`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import cache

import msgspec
import numpy as np
from numpy.typing import NDArray

# Scripts written without blanks between words: Han, kana, bopomofo, hangul (also as jamo and half width).
CJK = (
    "\u1100-\u11ff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u303b\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f"
    "\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7fb\uf900-\ufaff"
    "\uff66-\uff9f\uffa0-\uffdc\U0001aff0-\U0001b16f\U00020000-\U0003ffff"
)
# Hangul that can begin a syllable, and the vowels and finals that join it when the syllable is written in parts.
HANGUL = "\u1100-\u115f\ua960-\ua97c\uac00-\ud7a3"
JAMO_TAIL = "\u1160-\u11ff\ud7b0-\ud7fb"
EMOJI = "\u2300-\u23ff\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f1e5\U0001f200-\U0001faff"
FLAG_LETTER = "\U0001f1e6-\U0001f1ff"
SOFT_HYPHEN = "\u00ad"
# Breaks of lines and paragraphs, as `str.splitlines` knows them.
BREAK = "\n\r\v\f\x1c-\x1e\x85\u2028\u2029"
# Blanks, controls and invisible format characters: what may lie between tokens.
GAP = r"\s\x00-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e007f"
_ASTRAL_LETTERS = "\U00010000-\U0001afef\U0001b170-\U0001cfff\U0001d400-\U0001d7cb\U0001e000-\U0001efff"
_ASTRAL_MARKS = "\U0001d165-\U0001d169\U0001d16d-\U0001d172\U0001d17b-\U0001d182\U000e0100-\U000e01ef"
_ASTRAL_UNSTABLE = "\U00010000-\U0001efff\U0002f800-\U0002fa1f"
_VARIATION_SELECTORS = range(0xFE00, 0xFE10)


class Classes(msgspec.Struct, frozen=True):
    """Insides of character sets.

    `letter` has the marks too and no CJK; `numeral` has what counts but is no digit (½, ², Ⅷ); `combining` joins the character
    before it when a text is folded, `unstable` does so or changes by itself.
    """

    letter: str
    mark: str
    numeral: str
    combining: str
    unstable: str


@cache
def classes() -> Classes:
    """The classes of this Python's Unicode version; about 30 ms, once a process."""
    cjk = re.compile(f"[{CJK}]").match
    letters, marks, numerals, unstable = [], [], [], []
    for code in range(0x80, 0x10000):
        char = chr(code)
        category = unicodedata.category(char)
        if category[0] == "M":
            marks.append(code)
        elif category[0] == "L" and not cjk(char):
            letters.append(code)
        elif category in ("No", "Nl") and not cjk(char):
            numerals.append(code)
        if unicodedata.decomposition(char) and not unicodedata.is_normalized("NFC", char):
            unstable.append(code)
    stable_marks = [code for code in marks if code not in _VARIATION_SELECTORS]
    mark = _ranges(marks) + _ASTRAL_MARKS
    combining = _ranges(stable_marks) + SOFT_HYPHEN + _ASTRAL_MARKS
    return Classes(
        letter="A-Za-z" + _ranges(letters) + mark + _ASTRAL_LETTERS,
        mark=mark,
        numeral=_ranges(numerals),
        combining=combining,
        unstable=combining + JAMO_TAIL + _ranges(unstable) + _ASTRAL_UNSTABLE,
    )


def _ranges(codes: Iterable[int]) -> str:
    spans: list[list[int]] = []
    for code in codes:
        if spans and spans[-1][1] == code - 1:
            spans[-1][1] = code
        else:
            spans.append([code, code])
    return "".join(f"{chr(low)}-{chr(high)}" for low, high in spans)


def codes(text: str) -> NDArray[np.uint32]:
    """The characters of a text by number; halves of pairs count as characters."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


IN_GAP, IS_BLANK, IS_BREAK, IS_UNSTABLE = 1, 2, 4, 8
"""What `traits` tells of characters: they may lie between tokens; are blanks; break lines; may change when a text is folded."""


@cache
def traits() -> NDArray[np.uint8]:
    """For each character what is asked of it most often, as bits; to be indexed by `codes`."""
    found = np.zeros(0x110000, np.uint8)
    plane = "".join(map(chr, range(0x10000)))
    for trait, inside in ((IN_GAP, GAP), (IS_BLANK, r"\s"), (IS_BREAK, BREAK), (IS_UNSTABLE, classes().unstable)):
        found[[match.start() for match in re.finditer(f"[{inside}]", plane)]] |= trait
    found[0xE0000:0xE0080] |= IN_GAP
    found[0x10000:] |= IS_UNSTABLE
    return found
