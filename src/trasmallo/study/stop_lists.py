"""Lists of words to leave out (stop words) or to look for (significant words): standard, from a corpus, or the user's own."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from functools import lru_cache, reduce
from heapq import nsmallest
from operator import or_
from pathlib import Path

import msgspec

from trasmallo.study import languages
from trasmallo.study.tokenise import key
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import UsageError, disk_errors

_BOM = b"\xef\xbb\xbf"
_LARGEST_FILE = 64 * 1024 * 1024
"""Bytes of a list at most: what is larger was not meant as one. Judgement."""
_KEPT = 32
"""Lists of files that are kept in memory."""
_KINDS = "give a text file that exists, one word a line; or standard, or frequent:N, or shared:NAME"


_FREQUENT = re.compile(r"frequent:(\d{1,6})")
SHARED, _LEMMA = "shared:", "lemma:"
_NAME = re.compile(r"\w[\w.-]{0,63}")


class StopListParts(msgspec.Struct, frozen=True):
    """What a list is made of: the language's standard words, the n most frequent of the corpus, files."""

    standard: bool = False
    frequent: int = 0
    files: tuple[str, ...] = ()


class StopList(msgspec.Struct, frozen=True):
    """A set of words, compared as they are counted (`tokenise.key`): "El" and "el" are one word.

    `lemmas` stand for all their forms.
    """

    words: frozenset[str] = frozenset()
    lemmas: frozenset[str] = frozenset()

    def __contains__(self, word: str) -> bool:
        return key(word) in self.words

    def __or__(self, other: StopList) -> StopList:
        return StopList(self.words | other.words, self.lemmas | other.lemmas)

    def __sub__(self, other: StopList) -> StopList:
        return StopList(self.words - other.words, self.lemmas - other.lemmas)

    def __len__(self) -> int:
        return len(self.words) + len(self.lemmas)

    def lists(self, word: str, lemma: str) -> bool:
        """Whether a word is in it, by its own key or by that of its lemma."""
        return word in self.words or lemma in self.lemmas

    def lines(self) -> list[str]:
        """What its file says, in alphabetical order, lemmas last."""
        return sorted(self.words) + [_LEMMA + lemma for lemma in sorted(self.lemmas)]


def make(words: Iterable[str]) -> StopList:
    """A list of the given words; `lemma:hacer` is a lemma, blanks around them do not count, empty ones are dropped."""
    given = [word.strip() for word in words]
    lemmas = (word.removeprefix(_LEMMA).strip() for word in given if word.startswith(_LEMMA))
    forms = frozenset(key(word) for word in given if word and not word.startswith(_LEMMA))
    return StopList(forms, frozenset(key(lemma) for lemma in lemmas if lemma))


def standard(language: str) -> StopList:
    """The function words of a language; empty for a language of which none are written down."""
    return make(languages.stopwords(language))


def standard_of(language: str, documents: Mapping[str, int]) -> StopList:
    """The function words of a language and of any other that a twentieth of the documents is in."""
    least = sum(documents.values()) / 20
    others = [code for code, number in documents.items() if number >= least and code != language]
    return make(word for code in (language, *others) for word in standard(code).words)


def parse(text: str, folder: Path) -> StopListParts:
    """What a text such as "standard + frequent:50 + own.txt + shared:law" asks for; "" and "none" are nothing.

    Files are in `folder`, shared lists in the user's own (`shared_path`).
    """
    parts = [part.strip() for part in text.split(" + ") if part.strip() not in ("", "none")]
    frequent = [int(found[1]) for part in parts if (found := _FREQUENT.fullmatch(part))]
    files = [part for part in parts if part != "standard" and not _FREQUENT.fullmatch(part)]
    return StopListParts("standard" in parts, max(frequent, default=0), tuple(str(find(file, folder)) for file in files))


def build(parts: StopListParts, language: str) -> StopList | None:
    """The list that parts make for a text in a language, without the most frequent words; None when it asks for nothing.

    A file is read once a process, and again when it has changed.
    """
    lists = [standard(language)] if parts.standard else []
    lists += [_loaded(file, *_stamp(Path(file))) for file in parts.files]
    return reduce(or_, lists) if lists else None


def find(name: str, folder: Path) -> Path:
    """Where a list is: a file, its name counted from `folder`, or shared:NAME."""
    return shared_path(name.removeprefix(SHARED)) if name.startswith(SHARED) else folder / name


def shared_path(name: str) -> Path:
    """Where the list of this name is that all projects of a user share; raises UsageError for what cannot be a name."""
    if not _NAME.fullmatch(name):
        raise UsageError("{name!r} is no name of a list", "use letters, digits, and . _ - between them", name=name[:60])
    return _shared_folder() / f"{name}.txt"


def shared_names() -> list[str]:
    """The names of the lists that all projects of a user share."""
    return sorted(path.stem for path in _shared_folder().glob("*.txt"))


def _shared_folder() -> Path:
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "trasmallo" / "lists"


@lru_cache(_KEPT)
def _loaded(file: str, _changed: int, _size: int) -> StopList:
    return load(Path(file))


def _stamp(path: Path) -> tuple[int, int]:
    """When a file was last changed and how long it is; reading says what is wrong with one that is not there."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_mtime_ns, found.st_size


def most_frequent(counts: Mapping[str, int], n: int) -> StopList:
    """The n most frequent words of a count; of equally frequent ones the first in alphabetical order."""
    return make(nsmallest(n, counts, key=lambda word: (-counts[word], word)))


def load(path: Path) -> StopList:
    """Read an own list: UTF-8, one word or `lemma:WORD` a line, `#` begins a comment, a byte-order mark is tolerated."""
    lines = _read(path).removeprefix(_BOM).splitlines()
    return make(_decode(path, number, line).partition("#")[0] for number, line in enumerate(lines, 1))


def save(words: StopList, path: Path) -> None:
    """Write a list in alphabetical order, as `load` reads it; the file is whole or is not changed."""
    with disk_errors(path):
        if path.parent == _shared_folder():
            path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, "".join(f"{line}\n" for line in words.lines()).encode())


def _read(path: Path) -> bytes:
    try:
        if path.stat().st_size > _LARGEST_FILE:
            raise UsageError(
                "{path} is too large for a list of words", "give a text file of at most 64 MB, one word a line", path=path
            )
        return path.read_bytes()
    except OSError as error:
        raise UsageError("cannot read {path} ({reason})", _KINDS, path=path, reason=error.strerror) from error


def _decode(path: Path, number: int, line: bytes) -> str:
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise UsageError(
            "{path}, line {number}: not UTF-8 text", "save the file as UTF-8, one word a line", path=path, number=number
        ) from error
    if "\0" in text:
        raise UsageError(
            "{path}, line {number}: holds a NUL character",
            "give a plain text file in UTF-8, one word a line",
            path=path,
            number=number,
        )
    return text
