"""What a target is."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import msgspec

from trasmallo.values.errors import TrasmalloError


class Target(msgspec.Struct, frozen=True):
    """What is fuzzed: a name, what reads an input, good inputs, words of the language, and errors that an input may raise."""

    name: str
    run: Callable[[bytes], object]
    seeds: Sequence[bytes]
    words: Sequence[bytes] = ()
    expected: tuple[type[BaseException], ...] = (TrasmalloError,)


def lines(*texts: str) -> list[bytes]:
    """Texts as inputs."""
    return [text.encode() for text in texts]


def split(words: str) -> list[bytes]:
    """The words of a language, apart by spaces."""
    return words.encode().split()
