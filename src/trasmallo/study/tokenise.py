"""Cuts a text into words and signs with exact offsets; the same rules serve documents and queries.

Words are in NFC and without soft hyphens, so that one word in two encodings is one word. A run of Chinese, Japanese or Korean
is cut into words where a package for its language is installed (`segmenters`), else into overlapping bigrams, so that a query
finds a word wherever it stands in the run; no other tokens overlap.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import pairwise

import msgspec
import numpy as np
from numpy.typing import NDArray

from trasmallo.study import languages, segmenters
from trasmallo.study.characters import CJK, GAP, HANGUL, IN_GAP, IS_UNSTABLE, JAMO_TAIL, SOFT_HYPHEN, classes, codes, traits
from trasmallo.study.chunks import chunks_of, filled_lengths
from trasmallo.study.interned_forms import Facts, Forms, forms_of
from trasmallo.study.patterns import ALPHABETIC, CJK_RUN, IN_CONTEXT, KINDS, Patterns, compiled
from trasmallo.values.arguments import checked_text
from trasmallo.values.arrays import Whole
from trasmallo.values.model import Token

# Longer runs of marks are put in order piece by piece (UAX 15, stream-safe text): sorting one run is quadratic.
_MARKS_TOGETHER = 30
_FIRST_CJK = "\u1100"


class TokenColumns(msgspec.Struct, frozen=True, dict=True):
    """The tokens of a text as columns of the same length; `kinds` are indexes of `patterns.KINDS`."""

    text: str
    language: str
    forms: Forms
    starts: array[int]
    ends: array[int]
    kinds: bytearray

    @cached_property
    def words(self) -> list[str]:
        """The words in order. Most questions need none of them: `forms` know the answers."""
        return self.forms.spread()

    def __len__(self) -> int:
        return len(self.kinds)

    def token(self, index: int) -> Token:
        """One row as a value."""
        return Token(self.words[index], self.starts[index], self.ends[index], KINDS[self.kinds[index]])

    def tokens(self) -> list[Token]:
        """All rows as values."""
        kinds = map(KINDS.__getitem__, self.kinds)
        return list(map(Token, self.words, self.starts, self.ends, kinds))


def tokenise(text: str, language: str = languages.GENERIC) -> list[Token]:
    """The tokens of a text in order; between them lie only blanks, controls and invisible characters.

    Raises UsageError for what is no text.
    """
    return columns(checked_text(text, "text"), checked_text(language, "language")).tokens()


def columns(text: str, language: str = languages.GENERIC) -> TokenColumns:
    """The tokens of a text in their cheap form. Offsets count characters of `text` as given."""
    code = languages.choose(language)
    met = traits()[codes(text)]
    folded, origin = _fold(text) if (met & IS_UNSTABLE).any() else (text, None)
    forms = chunks_of(code).forms(folded)
    kinds = _kinds(code).each(forms)
    if (kinds < len(KINDS)).all():
        starts, ends = _places(met if origin is None else traits()[codes(folded)], forms)
        token_kinds = bytearray(kinds.astype(np.uint8).tobytes())
    else:
        words, starts, ends, token_kinds = _cut(folded, compiled(code), kinds.tolist(), segmenters.find(language) or _bigrams)
        forms = forms_of(words)
    if origin is not None:
        starts, ends = origin.back(starts, ends)
    return TokenColumns(text=text, language=code, forms=forms, starts=starts, ends=ends, kinds=token_kinds)


def words(text: str, language: str = languages.GENERIC) -> Iterator[str]:
    """The words of the tokens that are no punctuation, in order; several times faster than `tokenise`."""
    folded, _ = _fold(text)
    found = compiled(languages.choose(language)).words.findall(folded)
    if all(word < _FIRST_CJK for word in found):
        return iter(found)
    segment = segmenters.find(language) or _bigrams
    return (piece for word in found for piece in _segmented(word, segment))


def count_words(text: str, language: str = languages.GENERIC) -> Counter[str]:
    """How often `words` gives each word."""
    folded, _ = _fold(text)
    counts = Counter(compiled(languages.choose(language)).words.findall(folded))
    for run in [word for word in counts if word >= _FIRST_CJK]:
        times = counts.pop(run)
        for piece in _segmented(run, segmenters.find(language) or _bigrams):
            counts[piece] += times
    return counts


def key(word: str) -> str:
    """The form under which a word is counted and looked up: lower case, plain apostrophes and hyphens, no blanks inside."""
    if word.isascii():
        return word.lower() if " " not in word else word.lower().replace(" ", "")
    return _fold(word.lower().translate(_PLAIN))[0]


def keys(words: Sequence[str]) -> list[str]:
    """The keys of many words, several times faster than one by one."""
    text = "\n".join(words).lower()
    for char, plain in _PLAIN_TEXTS:
        text = text.replace(char, plain)
    found = text.split("\n")
    if len(found) != len(words):  # no word, or one with a break inside
        return list(map(key, words))
    if not text.isascii():
        written = codes(text)
        unstable = np.flatnonzero(traits()[written] & IS_UNSTABLE)
        for place in np.unique(np.searchsorted(np.flatnonzero(written == ord("\n")), unstable)).tolist():
            found[place] = key(words[place])
    return found


class _Keys(Facts):
    """The numbers of the keys of forms in their own vocabulary."""

    def __init__(self) -> None:
        super().__init__(lambda words: list(map(self.vocabulary.__getitem__, keys(words))))


keys_of = _Keys()
lengths_of = Facts(lambda words: list(map(len, words)))
are_capitalised = Facts(lambda words: [word[:1].isupper() for word in words])

_PLAIN_TEXTS = (("’", "'"), ("‐", "-"), ("‑", "-"), (" ", ""), ("\u00a0", ""), ("\u202f", ""), ("\u2009", ""))
_PLAIN = str.maketrans(dict(_PLAIN_TEXTS))


@cache
def _kinds(code: str) -> Facts:
    """The kinds of tokens of a language."""
    return Facts(lambda words: list(map(compiled(code).kind_of, words)))


def _places(met: NDArray[np.uint8], forms: Forms) -> tuple[array[int], array[int]]:
    """Starts and ends of the tokens of a text, given the `traits` of its characters.

    Tokens have every character but those that lie between them; if they have such inside, they are found by their length
    without them.
    """
    filled = np.flatnonzero(~met & IN_GAP)
    lengths = filled_lengths.each(forms)
    ends = np.cumsum(lengths)
    return _whole(filled[ends - lengths]), _whole(filled[ends - 1] + 1)


def _whole(values: Whole) -> array[int]:
    found = array("L")
    found.frombytes(values.astype(np.dtype(f"u{found.itemsize}")).tobytes())
    return found


def _cut(
    text: str, patterns: Patterns, kinds: Iterable[int], segment: segmenters.Segmenter
) -> tuple[list[str], array[int], array[int], bytearray]:
    """The tokens one by one where runs are to be segmented, or `kinds` does not say all."""
    words: list[str] = []
    starts, ends, found = array("L"), array("L"), bytearray()
    for match, alone in zip(patterns.grouped.finditer(text), kinds, strict=True):
        kind = patterns.kinds[match.lastindex or 0] if alone == IN_CONTEXT else alone
        start, end = match.span()
        for low, high in segment(match.group()) if kind == CJK_RUN else [(0, end - start)]:
            words.append(text[start + low : start + high])
            starts.append(start + low)
            ends.append(start + high)
            found.append(ALPHABETIC if kind == CJK_RUN else kind)
    return words, starts, ends, found


def _segmented(word: str, segment: segmenters.Segmenter) -> list[str]:
    """The words or bigrams of a run of CJK characters; any other word is one piece."""
    if word < _FIRST_CJK or not _cjk_unit().match(word):
        return [word]
    return [word[low:high] for low, high in segment(word)]


def _bigrams(run: str) -> list[tuple[int, int]]:
    units = [match.span() for match in _cjk_unit().finditer(run)]
    if len(units) == 1:
        return units
    return [(first[0], second[1]) for first, second in pairwise(units)]


@cache
def _cjk_unit() -> re.Pattern[str]:
    return re.compile(f"[{CJK}][{classes().mark}{JAMO_TAIL}]*+")


class _Origin(msgspec.Struct, frozen=True):
    """Where each character of a folded text begins and ends in the text as it was given."""

    starts: array[int]
    ends: array[int]

    def back(self, starts: array[int], ends: array[int]) -> tuple[array[int], array[int]]:
        first, last = self.starts, self.ends
        return array("L", [first[index] for index in starts]), array("L", [last[index - 1] for index in ends])


@cache
def _unstable() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What folding may change: whether there is any, and each piece of it with the character it joins."""
    kinds = classes()
    times = f"{{1,{_MARKS_TOGETHER}}}+"
    syllable = f"[{HANGUL}][{kinds.combining}{JAMO_TAIL}]{times}"
    joined = f"[^{GAP}{kinds.combining}]?[{kinds.combining}]{times}"
    return re.compile(f"[{kinds.unstable}]"), re.compile(f"{syllable}|{joined}|[{kinds.unstable}]")


def _fold(text: str) -> tuple[str, _Origin | None]:
    """The text in NFC without soft hyphens, and the way back; None when nothing changed."""
    if text.isascii():
        return text, None
    any_unstable, each_unstable = _unstable()
    if any_unstable.search(text) is None:
        return text, None
    pieces: list[str] = []
    starts, ends, done = array("L"), array("L"), 0
    for match in each_unstable.finditer(text):
        piece = match.group()
        folded = unicodedata.normalize("NFC", piece.replace(SOFT_HYPHEN, ""))
        if folded == piece:
            continue
        start, end = match.span()
        pieces += text[done:start], folded
        starts.extend(range(done, start))
        ends.extend(range(done + 1, start + 1))
        same = len(folded) == len(piece)
        starts.extend(range(start, end) if same else [start] * len(folded))
        ends.extend(range(start + 1, end + 1) if same else [end] * len(folded))
        done = end
    if not pieces:
        return text, None
    pieces.append(text[done:])
    starts.extend(range(done, len(text)))
    ends.extend(range(done + 1, len(text) + 1))
    return "".join(pieces), _Origin(starts, ends)
