"""Words in runs of Chinese, Japanese and Korean, found by a package where one is installed (textbook, 4.7).

The extra `cjk` brings them: jieba, fugashi with unidic-lite, kiwipiepy. Without it, and in texts of other languages, such a run
is cut into overlapping bigrams by `tokenise`. Each package is loaded once a process, when the first text of its language comes.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable
from functools import lru_cache

from trasmallo.values.language_tags import primary

Spans = list[tuple[int, int]]
Segmenter = Callable[[str], Spans]
"""From a run of characters to the places of its words, which do not overlap."""

_TOGETHER = 2_000
"""Characters that a package sees at once; hostile pages have runs of millions."""


@lru_cache(maxsize=1024)
def find(language: str) -> Segmenter | None:
    """Who finds the words of a language; None for other languages and where the package is not installed."""
    code = primary(language)
    if code not in _LANGUAGES:
        return None
    try:
        found = _LANGUAGES[code]()
    except ImportError:
        return None
    return lambda run: _in_pieces(run, found)


def _in_pieces(run: str, segment: Segmenter) -> Spans:
    spans: Spans = []
    for start in range(0, len(run), _TOGETHER):
        spans += [(start + low, start + high) for low, high in segment(run[start : start + _TOGETHER])]
    return spans


def _chinese() -> Segmenter:
    import jieba

    jieba.setLogLevel("ERROR")
    cutter = jieba.Tokenizer()
    # It would read its dictionary from a file in the common temporary folder, where anybody may have put it.
    with tempfile.TemporaryDirectory() as folder:
        cutter.tmp_dir = folder
        cutter.initialize()
    return lambda run: _side_by_side(cutter.cut(run))


def _japanese() -> Segmenter:
    import fugashi

    tagger = fugashi.Tagger()
    return lambda run: _side_by_side(word.surface for word in tagger(run))


def _korean() -> Segmenter:
    import kiwipiepy

    kiwi = kiwipiepy.Kiwi()
    # A syllable may belong to two morphemes (갔다: 가, 았, 다); then it is one word.
    return lambda run: _apart(((token.start, token.start + token.len) for token in kiwi.tokenize(run)), len(run))


def _side_by_side(words: Iterable[str]) -> Spans:
    spans: Spans = []
    at = 0
    for word in words:
        spans.append((at, at + len(word)))
        at += len(word)
    return spans


def _apart(spans: Iterable[tuple[int, int]], end: int) -> Spans:
    """The places in order without those that begin inside another; what lies between them is a word too."""
    found: Spans = []
    done = 0
    for low, high in sorted(spans):
        if low < done or high <= low:
            continue
        if low > done:
            found.append((done, low))
        found.append((low, high))
        done = high
    return [*found, (done, end)] if done < end else found


_LANGUAGES: dict[str, Callable[[], Segmenter]] = {"zh": _chinese, "ja": _japanese, "ko": _korean}
