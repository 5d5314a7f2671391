"""Words in runs of Chinese, Japanese and Korean, found by a package where one is installed (textbook, 4.7).

The languages bring them (`languages.parts.Segmenting`), the extra `cjk` installs their packages. Without it, and in texts of
other languages, such a run is cut into overlapping bigrams by `tokenise`. Each package is loaded once a process, when the first
text of its language comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache

from trasmallo.study import languages

Spans = list[tuple[int, int]]
Segmenter = Callable[[str], Spans]
"""From a run of characters to the places of its words, which do not overlap."""

_TOGETHER = 2_000
"""Characters that a package sees at once; hostile pages have runs of millions. Judgement: longer than any sentence."""


@lru_cache(maxsize=1024)
def find(language: str) -> Segmenter | None:
    """Who finds the words of a language; None for other languages and where the package is not installed."""
    known = languages.find(language)
    segmenting = known.segmenting if known else None
    if segmenting is None:
        return None
    try:
        cut = segmenting.segmenter()
    except ImportError:
        return None
    return lambda run: _in_stretches(run, cut)


def _in_stretches(run: str, cut: Callable[[str], Iterable[str]]) -> Spans:
    spans: Spans = []
    for start in range(0, len(run), _TOGETHER):
        at = start
        for word in cut(run[start : start + _TOGETHER]):
            spans.append((at, at + len(word)))
            at += len(word)
    return spans
