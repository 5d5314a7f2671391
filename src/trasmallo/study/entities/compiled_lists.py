"""Lists of names of any length: compiled once into sorted hashes on disk, mapped when they are used.

A line of a list is a name, or a name, a tab and its value (a code, a `geo:` address); lines that begin with `#` are comments. A
name is met as its tokens: each brought to the form that the list's options leave (case, accents, plural), joined and hashed.
Two names with one 64-bit hash are taken for one. A compiled list takes 16 bytes a name beside the texts, all mapped; it lies in
the person's cache under the digest of list and options, so a changed list is compiled anew.
"""

from __future__ import annotations

import mmap
from array import array
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import numpy as np
import xxhash
from numpy.typing import NDArray

from trasmallo.study.entities.name_lists import fold
from trasmallo.study.tokenise import columns
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import UsageError
from trasmallo.values.scratch import cache_folder, new_scratch

LONGEST = 24
"""Tokens of a name at most: what is longer is a sentence. Judgement."""
MOST_BYTES = 1 << 30
"""Bytes of a list at most. Judgement: thirty million names."""
_FORM = 1
"""Number of the form of compiled files; another one is compiled anew."""
_AT_ONCE = 1 << 17
"""Characters of a list that are cut into tokens together. Judgement: some 15 MB of Python's objects."""
_MOST_KNOWN = 1 << 18
"""Words whose forms are remembered. Judgement: some 50 MB."""
_SHORTEST_INFLECTED = 4  # judgement: shorter words have no plural that is safely undone
_HEAD = np.dtype([("form", "<u8"), ("names", "<u8"), ("firsts", "<u8"), ("bytes", "<u8"), ("digest", "<u8")])

Hashes = NDArray[np.uint64]


class ListOptions(msgspec.Struct, frozen=True):
    """How names are met: exactly in their `case` and `accents`, or in any; `inflected`, also in plural and by lemmas."""

    case: bool = False
    accents: bool = False
    inflected: bool = False


class ListMatch(NamedTuple):
    """The tokens of a name from a list, and the number of the name."""

    start: int
    end: int
    entry: int


def normal_form(options: ListOptions) -> Callable[[str], str]:
    """What brings a token to the form that is compared."""

    def normal(word: str) -> str:
        found = word if options.case else word.lower()
        if not options.accents:
            found = _unaccented(found) if options.case else fold(found)
        return _singular(found) if options.inflected else found

    return normal


def _unaccented(word: str) -> str:
    return "".join(fold(letter) if letter.islower() else fold(letter).upper() for letter in word)


def _singular(word: str) -> str:
    """A word without the ending of a plural, Spanish or English; others lose the same letters, so that both meet."""
    if len(word) < _SHORTEST_INFLECTED or not word.isalpha():
        return word
    stem = word.removesuffix("s").removesuffix("e")
    return stem[:-1] + {"z": "c", "y": "i"}.get(stem[-1], stem[-1])


def _masculine(lemma: str) -> str:
    if lemma.endswith("ora"):
        return lemma[:-1]
    return f"{lemma[:-1]}o" if lemma.endswith("a") and len(lemma) >= _SHORTEST_INFLECTED else lemma


class CompiledList:
    """A list ready to be looked up; `language` tells how its names are cut into tokens."""

    def __init__(self, path: Path, options: ListOptions, language: str) -> None:
        """Raises UsageError for a file that cannot be read."""
        self._normal = normal_form(options)
        self._inflected = options.inflected
        self._known: dict[str, tuple[str, int]] = {}
        self._map = _mapped(path, options, language)
        head = np.frombuffer(self._map, _HEAD, 1)[0]
        names, firsts = int(head["names"]), int(head["firsts"])
        place = _HEAD.itemsize
        self._names, place = _taken(self._map, place, "<u8", names)
        self._firsts, place = _taken(self._map, place, "<u8", firsts)
        self._bounds, place = _taken(self._map, place, "<u8", names + 1)
        self._longest, self._texts = _taken(self._map, place, "u1", firsts)

    def __len__(self) -> int:
        return len(self._names)

    def value(self, entry: int) -> str:
        """What the list says of a name: its value where it has one, else the name as it is listed."""
        low, high = self._bounds[entry : entry + 2].tolist()
        return self._map[self._texts + low : self._texts + high].decode()

    def find(self, words: Sequence[str], lemmas: Sequence[str], *, gendered: bool = False) -> Iterator[ListMatch]:
        """The longest names that begin at each word of a sentence, by words, and by lemmas where names are inflected.

        `gendered`: also where the first word has a masculine form, as for titles of persons (ministra, doctora).
        """
        found = dict.fromkeys(self._find(words, words))
        if self._inflected:
            found |= dict.fromkeys(self._find(lemmas, lemmas))
        if self._inflected and gendered:
            found |= dict.fromkeys(self._find(list(map(_masculine, lemmas)), lemmas))
        yield from found

    def _find(self, heads: Sequence[str], words: Sequence[str]) -> Iterator[ListMatch]:
        """Names whose first word is one of `heads`, and whose others follow in `words`."""
        known = [self._known.get(word) or self._meet(word) for word in words]
        for start, head in enumerate(heads):
            first, longest = self._known.get(head) or self._meet(head)
            for size in range(min(longest, len(words) - start), 0, -1):
                entry = self._entry(_hash([first, *(form for form, _ in known[start + 1 : start + size])]))
                if entry >= 0:
                    yield ListMatch(start, start + size, entry)
                    break

    def _meet(self, word: str) -> tuple[str, int]:
        """The form of a token, and how many tokens the longest name has that begins with it; 0 for none."""
        if len(self._known) > _MOST_KNOWN:
            self._known.clear()
        form = self._normal(word)
        place = _place(self._firsts, _hash([form]))
        found = self._known[word] = (form, int(self._longest[place]) if place >= 0 else 0)
        return found

    def _entry(self, hashed: int) -> int:
        return _place(self._names, hashed)


def _place(hashes: Hashes, hashed: int) -> int:
    """Where a hash stands among sorted ones, -1 where it does not."""
    place = int(np.searchsorted(hashes, np.uint64(hashed)))
    return place if place < len(hashes) and int(hashes[place]) == hashed else -1


def _hash(forms: Sequence[str]) -> int:
    return xxhash.xxh3_64_intdigest("\0".join(forms).encode("utf-8", "surrogatepass"))


def _taken(content: mmap.mmap | bytes, place: int, kind: str, size: int) -> tuple[NDArray[Any], int]:
    return np.frombuffer(content, kind, size, place), place + np.dtype(kind).itemsize * size


def _mapped(path: Path, options: ListOptions, language: str) -> mmap.mmap:
    """The compiled form of a list, mapped; compiled first where it is not there or not whole."""
    content = _content(path)
    name = xxhash.xxh3_64_hexdigest(content + repr((options, language, _FORM)).encode())
    compiled = cache_folder() / "entity_lists" / f"{name}.list"
    if not _is_whole(compiled):
        made = _compiled(_entries(content, path), options, language)
        try:
            compiled.parent.mkdir(parents=True, exist_ok=True)
            write_whole(compiled, made, contested=True)
        except OSError:
            compiled = new_scratch()  # where nothing can be written at home it lasts as long as the process
            compiled.parent.mkdir(parents=True, exist_ok=True)
            write_whole(compiled, made)
    with compiled.open("rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _is_whole(path: Path) -> bool:
    try:
        content = path.read_bytes()
    except OSError:
        return False
    if len(content) < _HEAD.itemsize:
        return False
    head = np.frombuffer(content, _HEAD, 1)[0]
    return int(head["bytes"]) == len(content) and int(head["digest"]) == xxhash.xxh3_64_intdigest(content[_HEAD.itemsize :])


def _content(path: Path) -> bytes:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise UsageError("{path} is too large for a list", "give a file of at most 1 GB, a name a line", path=path)
        return path.read_bytes()
    except OSError as error:
        raise UsageError(
            "cannot read {path} ({reason})", "give a text file, a name a line", path=path, reason=error.strerror
        ) from None


def read_names(path: Path) -> Iterator[str]:
    """The names of a list as they are written; raises UsageError for what is no list."""
    return map(_name, _entries(_content(path), path))


def _entries(content: bytes, path: Path) -> list[str]:
    """The lines of a list that have a name; raises UsageError for what is no text, and for a list without a name."""
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        number = content[: error.start].count(b"\n") + 1
        raise UsageError("{path}, line {number}: not UTF-8 text", "save the file as UTF-8", path=path, number=number) from None
    found = [line for line in lines if not line.startswith("#") and _name(line)]
    if not found:
        raise UsageError("{path} has no names", "write a name a line", path=path)
    return found


def _name(line: str) -> str:
    return line.partition("\t")[0].strip()


def _value(line: str) -> str:
    """What stands behind the first tab of a line, else its name."""
    name, _, rest = line.partition("\t")
    return rest.partition("\t")[0].strip() or name.strip()


def _compiled(entries: Sequence[str], options: ListOptions, language: str) -> bytes:
    normal = _Remembered(normal_form(options))
    hashes, firsts, sizes, kept = array("Q"), array("Q"), array("B"), array("Q")
    for number, tokens in _cut(entries, language):
        forms = [normal[token] for token in tokens[:LONGEST]]
        if forms and len(tokens) <= LONGEST:
            hashes.append(_hash(forms))
            firsts.append(_hash(forms[:1]))
            sizes.append(len(forms))
            kept.append(number)
    # Of names that are met in the same form the first in the list counts.
    distinct, places = np.unique(np.array(hashes, np.uint64), return_index=True)
    begun, owner = np.unique(np.array(firsts, np.uint64), return_inverse=True)
    longest = np.zeros(len(begun), np.uint8)
    np.maximum.at(longest, owner, np.array(sizes, np.uint8))
    texts = [_value(entries[kept[place]]).encode("utf-8", "surrogatepass") for place in places.tolist()]
    bounds = np.cumsum([0, *map(len, texts)]).astype("<u8")
    body = b"".join([distinct.tobytes(), begun.tobytes(), bounds.tobytes(), longest.tobytes(), *texts])
    size = len(body) + _HEAD.itemsize
    head = np.array([(_FORM, len(distinct), len(begun), size, xxhash.xxh3_64_intdigest(body))], _HEAD)
    return head.tobytes() + body


class _Remembered(dict[str, str]):
    """The forms of tokens, each found once."""

    def __init__(self, normal: Callable[[str], str]) -> None:
        super().__init__()
        self._normal = normal

    def __missing__(self, token: str) -> str:
        found = self[token] = self._normal(token)
        return found


def _cut(entries: Sequence[str], language: str) -> Iterator[tuple[int, list[str]]]:
    """The tokens of each name; many are cut together, a line each."""
    low = 0
    while low < len(entries):
        high, size = low, 0
        while high < len(entries) and (high == low or size < _AT_ONCE):
            size += len(entries[high]) + 1
            high += 1
        yield from _cut_together([_name(line) for line in entries[low:high]], low, language)
        low = high


def _cut_together(names: Sequence[str], first: int, language: str) -> Iterator[tuple[int, list[str]]]:
    found = columns("\n".join(names), language)
    ends = np.cumsum([len(name) + 1 for name in names])
    owners = np.searchsorted(ends, np.asarray(found.starts, np.int64), side="right")
    bounds = np.searchsorted(owners, np.arange(len(names) + 1))
    words = found.words
    for number, (low, high) in enumerate(zip(bounds[:-1].tolist(), bounds[1:].tolist(), strict=True)):
        yield first + number, words[low:high]
