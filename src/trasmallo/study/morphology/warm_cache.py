"""Warm cache of a tagger: what it knows of frequent words before it meets them, computed once for a user.

It is kept beside the compiled lexicon.
Most of the work on a new text goes into describing words; half of the words of any text are among a few thousand.
"""

from __future__ import annotations

import hashlib
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.study import languages
from trasmallo.study.morphology.compilation import digest_of, write
from trasmallo.study.morphology.tagger_model import FILE
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import StoreError
from trasmallo.values.scratch import cache_folder
from trasmallo.values.software import __version__

_FORMAT = b"primed 4"
"""Changes with the layout of `WarmCache`, so that files of another one are not read."""


class WarmCache(msgspec.Struct, frozen=True):
    """The tables of a tagger: `words` in the order of their numbers with their places in sentences, rows of its arrays.

    `tagged` has lemma, features and clitics of each word in each category that it may have.
    """

    words: list[tuple[str, int]]
    alone: bytes
    shared: bytes
    allowed: bytes
    tagged: dict[int, tuple[str, str, tuple[str, ...]]]


def path_of(code: str, convention: str) -> Path:
    """The file for a language and a convention; another model, lexicon or version has another one."""
    made_from = _FORMAT + __version__.encode() + digest_of(code).encode() + languages.load(code).content(FILE)
    return cache_folder() / f"{code}-{convention}-{hashlib.sha256(made_from).hexdigest()[:16]}.words"


def load(path: Path) -> WarmCache | None:
    """What was kept, None when there is nothing or it is damaged."""
    try:
        return msgspec.msgpack.decode(path.read_bytes(), type=decodable(WarmCache))
    except (OSError, *UNDECODABLE):
        return None


def save(path: Path, warm: WarmCache) -> None:
    """Keep it for the next process; where nothing can be written nothing is kept."""
    with suppress(OSError, StoreError):
        write(path, msgspec.msgpack.encode(warm))
