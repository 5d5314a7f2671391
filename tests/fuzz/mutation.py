"""Damaged copies of good inputs: bits, bytes, stretches, numbers and words of the format, also inside what is compressed."""

from __future__ import annotations

import gzip
import io
import random
import re
import zipfile
import zlib
from collections.abc import Callable, Sequence

from support.sample_documents import zipped

LARGEST = 200_000
"""Bytes of an input."""
_NUMBER = re.compile(rb"\d+")
_NUMBERS = (b"0", b"-1", b"1", b"255", b"65536", b"2147483648", b"4294967295", b"99999999999999999999", b"1e999", b"0.0000001")
_ODD = (
    b"\0", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\r", b"\n\n", b"\xed\xa0\x80", b"\xf4\x8f\xbf\xbf", b"%00",
    b"\xc3\xb1", b"\xe2\x80\xae", b"\xcc\x81" * 20, b"&#x110000;", b"&#0;", b"'", b'"', b"\\", b"<", b">", b"(", b")", b"[",
)  # fmt: skip

Damage = Callable[[bytes, random.Random, Sequence[bytes]], bytes]


def mutate(seeds: Sequence[bytes], rng: random.Random, words: Sequence[bytes] = ()) -> bytes:
    """One input: a seed that was damaged once to eight times, or inside its compressed part."""
    content = rng.choice(seeds)
    repack = _repacking(content, rng)
    if repack is None:
        return _damaged(content, seeds, rng, words)
    inner, pack = repack
    return pack(_damaged(inner, [inner], rng, words))[:LARGEST]


def _damaged(content: bytes, seeds: Sequence[bytes], rng: random.Random, words: Sequence[bytes]) -> bytes:
    for _ in range(rng.choice((1, 1, 2, 3, 5, 8))):
        if rng.randrange(12) == 0:
            content = _splice(content, rng.choice(seeds), rng)
        else:
            content = rng.choice(_DAMAGES)(content, rng, words)[:LARGEST]
    return content


def _repacking(content: bytes, rng: random.Random) -> tuple[bytes, Callable[[bytes], bytes]] | None:
    """What of a compressed input is damaged and how it is packed again; None for the input as it stands."""
    if not rng.randrange(3):
        return None
    if content.startswith(b"\x1f\x8b"):
        try:
            return gzip.decompress(content), lambda inner: gzip.compress(inner, 1, mtime=0)
        except (OSError, EOFError, zlib.error):
            return None
    return _member(content, rng) if content.startswith(b"PK\3\4") else None


def _member(content: bytes, rng: random.Random) -> tuple[bytes, Callable[[bytes], bytes]] | None:
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members: dict[str, str | bytes] = {name: archive.read(name) for name in archive.namelist()}
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, OSError, zlib.error):
        return None
    if not members:
        return None
    name = rng.choice(list(members))
    return bytes(members[name]), lambda inner: zipped(members | {name: inner})  # type: ignore[arg-type]


def _splice(content: bytes, other: bytes, rng: random.Random) -> bytes:
    return content[: _place(content, rng)] + other[_place(other, rng) :]


def _place(content: bytes, rng: random.Random) -> int:
    return rng.randrange(len(content) + 1)


def _stretch(content: bytes, rng: random.Random) -> tuple[int, int]:
    at = _place(content, rng)
    return at, min(len(content), at + rng.choice((1, 2, 4, 16, 64, 500)))


def _flip(content: bytes, rng: random.Random, _words: Sequence[bytes]) -> bytes:
    changed = bytearray(content)
    for _ in range(rng.choice((1, 2, 8, 30)) if changed else 0):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def _randomise(content: bytes, rng: random.Random, _words: Sequence[bytes]) -> bytes:
    at, end = _stretch(content, rng)
    return content[:at] + rng.randbytes(end - at) + content[end:]


def _delete(content: bytes, rng: random.Random, _words: Sequence[bytes]) -> bytes:
    at, end = _stretch(content, rng)
    return content[:at] + content[end:]


def _cut(content: bytes, rng: random.Random, _words: Sequence[bytes]) -> bytes:
    return content[: _place(content, rng)]


def _repeat(content: bytes, rng: random.Random, _words: Sequence[bytes]) -> bytes:
    at, end = _stretch(content, rng)
    return content[:at] + content[at:end] * rng.choice((2, 3, 10, 300, 5_000)) + content[end:]


def _move(content: bytes, rng: random.Random, _words: Sequence[bytes]) -> bytes:
    (at, end), to = _stretch(content, rng), _place(content, rng)
    return content[:to] + content[at:end] + content[to:]


def _insert(content: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    at = _place(content, rng)
    return content[:at] + rng.choice([*words, *_ODD]) * rng.choice((1, 1, 1, 2, 50, 3_000)) + content[at:]


def _renumber(content: bytes, rng: random.Random, words: Sequence[bytes]) -> bytes:
    found = list(_NUMBER.finditer(content[:LARGEST]))
    if not found:
        return _insert(content, rng, words)
    number = rng.choice(found)
    return content[: number.start()] + rng.choice(_NUMBERS) + content[number.end() :]


_DAMAGES: tuple[Damage, ...] = (_flip, _randomise, _delete, _cut, _repeat, _move, _insert, _insert, _renumber)


def minimise(content: bytes, fails: Callable[[bytes], bool], tries: int = 150) -> bytes:
    """A smaller input that still fails, as far as so many tries lead."""
    size = len(content) // 2
    while size and tries > 0:
        at = 0
        while at < len(content) and tries > 0:
            smaller = content[:at] + content[at + size :]
            tries -= 1
            if fails(smaller):
                content = smaller
            else:
                at += size
        size //= 2
    return content
