"""Languages of the blocks of a document; who tells the language of a text is handed in."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import islice

Detect = Callable[[str], str]
"""From a text to its language as an ISO 639-1 code, "" for none (`clean.read.detect_language`)."""

_ENOUGH = 80
"""Letters from which a block tells its language by itself: of sentence beginnings in Spanish and English treebanks 97 and 99 %
are recognised at this length, 90 and 96 % at half of it."""

_LOOKED_AT = 200


def by_block(blocks: Sequence[str], detect: Detect, document: str = "") -> list[str]:
    """The language of each block of a document; `document` is what is known of the whole, "" for nothing.

    A short block has the language of the one before it that tells its own, or of the document, if it is written in the same
    script; one without letters is in "".
    """
    document = document or detect("\n".join(blocks))
    found: list[str] = []
    current, script = document, ""
    for text in blocks:
        letters = list(islice(filter(str.isalpha, text), _LOOKED_AT))
        own = _script(letters)
        if len(letters) >= _ENOUGH or (letters and script and own != script):
            current, script = detect(text), own
        found.append(current if letters else "")
        script = script or own
    return found


def _script(letters: Sequence[str]) -> str:
    """The script of most letters, by the first word of their Unicode names; "" without letters."""
    names = Counter(unicodedata.name(letter, "?").partition(" ")[0] for letter in letters)
    return names.most_common(1)[0][0] if names else ""
