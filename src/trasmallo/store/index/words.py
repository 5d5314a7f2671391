"""Words as the index keeps them: in lower case and without accents, but with their ñ, which is a letter of its own.

tantivy folds ñ to n, so a letter that nobody writes stands for it inside the index. Runs of Chinese, Japanese and Korean
become overlapping pairs of characters, so that a query finds a word wherever it stands in a run.
"""

from __future__ import annotations

import re
import unicodedata
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import tantivy

ANALYSER = "folded"
LONGEST_WORD = 64
"""Bytes of the longest word that is kept; longer ones are data, not words."""

_ENE = "\ua7c1"
SEPARATOR = f" {_ENE * 3} "
"""A word that nobody writes, between texts that no phrase may cross; one text with it is quicker to index than several."""
_CJK = re.compile("[\u1100-\u11ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff]{2,}")
_SOFT_HYPHEN = "\u00ad"
_WESTERN = ("latin-1", "cp1252")


@cache
def analyser() -> tantivy.TextAnalyzer:
    """What cuts texts and queries into terms."""
    import tantivy

    filters = tantivy.Filter.remove_long(LONGEST_WORD), tantivy.Filter.lowercase(), tantivy.Filter.ascii_fold()
    builder = tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.simple())
    for each in filters:
        builder = builder.filter(each)
    return builder.build()


def prepare(text: str) -> str:
    """A text on its way to the analyser, which folds what is left to fold.

    Texts of western languages are put into lower case and lose their accents here, by a table over their bytes: that takes
    a tenth of the time that tantivy takes for it.
    """
    if text.isascii():
        return text
    for coding in _WESTERN:
        with suppress(UnicodeEncodeError):
            return text.encode(coding).translate(_table(coding), b"\xad").decode(coding).replace("ñ", _ENE)
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    text = text.replace(_SOFT_HYPHEN, "").replace("ñ", _ENE).replace("Ñ", _ENE)
    return _CJK.sub(_pairs, text)


@cache
def _table(coding: str) -> bytes:
    """For each byte its letter in lower case without an accent, where that is one byte too."""
    return bytes(_folded(code, coding) for code in range(256))


def _folded(code: int, coding: str) -> int:
    letter = bytes([code]).decode(coding, "replace").lower()
    plain = letter if letter == "ñ" else unicodedata.normalize("NFD", letter)[:1]
    return ord(plain) if plain.isascii() or plain == "ñ" else code


def terms_of(text: str) -> list[str]:
    """The terms of a text in their order."""
    return analyser().analyze(prepare(text))


def shown(term: str) -> str:
    """A term as a reader may see it."""
    return term.replace(_ENE, "ñ")


def hidden(word: str) -> str:
    """The inverse of `shown`, for a word that is folded already."""
    return word.replace("ñ", _ENE)


def _pairs(run: re.Match[str]) -> str:
    found = run[0]
    return " " + " ".join(found[at : at + 2] for at in range(len(found) - 1)) + " "
