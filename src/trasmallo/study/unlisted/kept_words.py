"""What words say by themselves, kept for the next process in the person's cache, beside the compiled lexicon.

Looking for the words that an unlisted one may be meant for is most of the work of judging it, and a corpus that is visited
again has hardly a new one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from math import isnan, nan
from pathlib import Path
from typing import NamedTuple

import msgspec
import numpy as np
import xxhash
from numpy.typing import NDArray

from trasmallo.study import languages
from trasmallo.study.morphology.compilation import digest_of, write
from trasmallo.study.morphology.corrections import Meant
from trasmallo.study.unlisted.kind_model import Scores
from trasmallo.study.unlisted.kinds import TOLD_APART
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import StoreError
from trasmallo.values.scratch import cache_folder
from trasmallo.values.software import __version__

_FORMAT = b"kinds 1"
"""Changes with the layout of `_Words`, so that files of another one are not read."""
_SUFFIX = ".kinds"
_MOST = 100_000
"""Words that are kept. Judgement: some 12 MB, read by every process that judges words."""
_EDITIONS = 3
"""Files of a language that are kept. Judgement: installations that one person works with by turns, each with its words."""
_CODE = ("morphology", "unlisted")
"""Folders whose modules decide what is said of a word."""


class Known(NamedTuple):
    """What is remembered of a word: its scores, and the word that it may be meant for."""

    scores: Scores
    meant: Meant | None


class _Words(msgspec.Struct, frozen=True):
    """Words by their digests, in order; rows of scores, and of costs and frequencies of the words meant, NaN without one."""

    digests: bytes
    scores: bytes
    figures: bytes
    forms: list[str]


_NONE = _Words(b"", b"", b"", [])


class KeptWords:
    """The words in a file, which may not be there yet; they are read when they are first asked for."""

    def __init__(self, path: Path, most: int = _MOST) -> None:
        self._path, self._most = path, most

    def find(self, words: Sequence[str]) -> dict[str, Known]:
        """Those of some words that are kept."""
        if not words or not len(self._digests):
            return {}
        digests = _digests(words)
        rows = np.minimum(np.searchsorted(self._digests, digests), len(self._digests) - 1)
        hits = np.flatnonzero(self._digests[rows] == digests)
        return {words[place]: self._known(int(rows[place])) for place in hits.tolist()}

    def save(self, known: Mapping[str, Known]) -> None:
        """Keep words for the next process, and of those before as many as there is room for; else nothing is kept."""
        words = list(known)[: self._most]
        found = [known[word] for word in words]
        digests, scores, figures, forms = _digests(words), _scores(found), _figures(found), _forms(found)
        others = np.flatnonzero(~np.isin(self._digests, digests))[: self._most - len(words)]
        digests = np.concatenate([digests, self._digests[others]])
        order = np.argsort(digests)
        forms += [self._words.forms[place] for place in others.tolist()]
        merged = _Words(
            digests=digests[order].tobytes(),
            scores=np.concatenate([scores, self._scores[others]])[order].tobytes(),
            figures=np.concatenate([figures, self._figures[others]])[order].tobytes(),
            forms=[forms[place] for place in order.tolist()],
        )
        with suppress(OSError, StoreError):
            write(self._path, msgspec.msgpack.encode(merged))
            _remove_old(self._path)

    def _known(self, row: int) -> Known:
        cost, frequency = self._figures[row].tolist()
        meant = None if isnan(cost) else Meant(self._words.forms[row], cost, frequency)
        return Known(self._scores[row].copy(), meant)

    @cached_property
    def _words(self) -> _Words:
        try:
            return msgspec.msgpack.decode(self._path.read_bytes(), type=decodable(_Words))
        except (OSError, *UNDECODABLE):
            return _NONE

    @cached_property
    def _digests(self) -> NDArray[np.uint64]:
        return np.frombuffer(self._words.digests, np.uint64)

    @cached_property
    def _scores(self) -> Scores:
        return np.frombuffer(self._words.scores, np.float64).reshape(-1, len(TOLD_APART))

    @cached_property
    def _figures(self) -> Scores:
        return np.frombuffer(self._words.figures, np.float64).reshape(-1, 2)


def _digests(words: Sequence[str]) -> NDArray[np.uint64]:
    return np.array([xxhash.xxh3_64_intdigest(word.encode("utf-8", "surrogatepass")) for word in words], np.uint64)


def _scores(found: Sequence[Known]) -> Scores:
    return np.array([one.scores for one in found], np.float64).reshape(-1, len(TOLD_APART))


def _figures(found: Sequence[Known]) -> Scores:
    rows = [(one.meant.cost, one.meant.frequency) if one.meant else (nan, nan) for one in found]
    return np.array(rows, np.float64).reshape(-1, 2)


def _forms(found: Sequence[Known]) -> list[str]:
    return [one.meant.form if one.meant else "" for one in found]


def _remove_old(path: Path) -> None:
    """Files of editions that nobody has written to for long are of no use any more."""
    code = path.name.partition("-")[0]
    written = sorted((other.stat().st_mtime, other) for other in path.parent.glob(f"{code}-*{_SUFFIX}") if other != path)
    for _, other in written[: 1 - _EDITIONS]:
        other.unlink(missing_ok=True)


def kept_words(code: str) -> KeptWords:
    """Those of a language folder; another lexicon, model, rule or version has others."""
    language, made_from = languages.load(code), xxhash.xxh3_128(_FORMAT + __version__.encode() + digest_of(code).encode())
    for name in languages.FILES:
        made_from.update(name.encode() + language.content(name))
    for path in sorted(path for folder in _CODE for path in (Path(__file__).parents[1] / folder).glob("*.py")):
        state = path.stat()
        made_from.update(f"{path.name} {state.st_size} {state.st_mtime_ns}".encode())
    return KeptWords(cache_folder() / f"{code}-{made_from.hexdigest()[:16]}{_SUFFIX}")
