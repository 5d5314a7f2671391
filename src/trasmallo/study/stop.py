"""Lists of words to leave out (stop words) or to look for (significant words): standard, from a corpus, or the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from heapq import nsmallest
from pathlib import Path

import msgspec

from trasmallo.errors import UsageError, disk_errors
from trasmallo.study import languages
from trasmallo.study.tokenise import key

_BOM = b"\xef\xbb\xbf"
_LARGEST_FILE = 64 * 1024 * 1024


class StopList(msgspec.Struct, frozen=True):
    """A set of words, compared as they are counted (`tokenise.key`): "El" and "el" are one word."""

    words: frozenset[str] = frozenset()

    def __contains__(self, word: str) -> bool:
        return key(word) in self.words

    def __or__(self, other: StopList) -> StopList:
        return StopList(self.words | other.words)

    def __sub__(self, other: StopList) -> StopList:
        return StopList(self.words - other.words)

    def __len__(self) -> int:
        return len(self.words)


def make(words: Iterable[str]) -> StopList:
    """A list of the given words; blanks around them do not count, empty ones are dropped."""
    return StopList(frozenset(key(word.strip()) for word in words if word.strip()))


def standard(language: str) -> StopList:
    """The function words of a language; empty for a language without a folder."""
    return make(languages.load(language).stopwords)


def most_frequent(counts: Mapping[str, int], n: int) -> StopList:
    """The n most frequent words of a count; of equally frequent ones the first in alphabetical order."""
    return make(nsmallest(n, counts, key=lambda word: (-counts[word], word)))


def load(path: Path) -> StopList:
    """Read an own list: UTF-8, one word a line, `#` begins a comment, a byte-order mark is tolerated."""
    lines = _read(path).removeprefix(_BOM).splitlines()
    return make(_decode(path, number, line).partition("#")[0] for number, line in enumerate(lines, 1))


def save(words: StopList, path: Path) -> None:
    """Write a list in alphabetical order, as `load` reads it; the file is whole or is not changed."""
    written = path.with_name(path.name + ".new")
    with disk_errors(path):
        written.write_text("".join(f"{word}\n" for word in sorted(words.words)), encoding="utf-8")
        written.replace(path)


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise UsageError(f"{path} is too large for a list of words", "give a text file of at most 64 MB, one word a line")
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path} ({error.strerror})", "give a text file that exists, one word a line") from error


def _decode(path: Path, number: int, line: bytes) -> str:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(f"{path}, line {number}: not UTF-8 text", "save the file as UTF-8, one word a line") from error
    if "\0" in text:
        raise UsageError(f"{path}, line {number}: holds a NUL character", "give a plain text file in UTF-8, one word a line")
    return text
