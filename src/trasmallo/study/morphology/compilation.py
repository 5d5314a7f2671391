"""Compiles a lexicon once for a user: its rows become tables in the cache folder, which every later process maps.

The file's name holds a digest of all that it is made from. It is written beside its place and then renamed, so that two
processes that compile at once both end with a whole file; where nothing can be written the tables live in memory. Threads of
one process wait for the first of them: compiling takes 20 s of a processor, which they would take from each other.
"""

from __future__ import annotations

import gc
import hashlib
import threading
from collections.abc import Callable
from pathlib import Path

from trasmallo.study import languages
from trasmallo.study.morphology.conventions import Conventions
from trasmallo.study.morphology.lexicon_files import LexiconFiles, find
from trasmallo.study.morphology.supplements import supplement
from trasmallo.study.morphology.tables import MAGIC, LexiconTables, Readings, pack
from trasmallo.study.morphology.tags import Tags
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.errors import StoreError, disk_errors
from trasmallo.values.scratch import cache_folder

Report = Callable[[int, int], None]
"""Called now and then with what is done and all there is to do."""

_MADE_FROM = ("affixes.toml", "conventions.tsv", "lexicon.toml", "tags.tsv", "words.tsv")
_ROWS_A_REPORT = 20_000
"""Forms between two reports. Judgement: some reports a second."""
_compiling = threading.Lock()
# The share of the work that reading the rows is.
_READING = 0.2


def open_tables(code: str, report: Report | None = None) -> LexiconTables:
    """The tables of a language, compiled when they are not there yet; `report` then hears of the progress."""
    source = find(code)
    if source is None:
        return LexiconTables(b"".join(pack(entries(code, {}))))
    path = cache_folder() / f"{code}-{_digest(code, source)}.lexicon"
    found = _compiled_before(path)
    if found is None:
        with _compiling:
            found = _compiled_before(path) or _compile(code, source, path, report or _silent)
    return found


def _compiled_before(path: Path) -> LexiconTables | None:
    """The tables in a file; None when there is none, or it is damaged."""
    try:
        return LexiconTables.open(path)
    except (OSError, ValueError):
        return None


def _silent(_done: int, _total: int) -> None:
    """Nobody listens."""


def digest_of(code: str) -> str:
    """What changes when the lexicon of a language or the rules that it is compiled with change."""
    source = find(code)
    return _digest(code, source) if source is not None else ""


def _digest(code: str, source: LexiconFiles) -> str:
    ours = b"".join(languages.load(code).content(name) for name in _MADE_FROM)
    return hashlib.sha256(MAGIC + source.digest.encode() + ours).hexdigest()[:16]


def _compile(code: str, source: LexiconFiles, path: Path, report: Report) -> LexiconTables:
    data = _without_collector(lambda: _compiled(code, source, report))
    try:
        write(path, data)
        return LexiconTables.open(path)
    except (OSError, StoreError):
        return LexiconTables(data)


def _without_collector(work: Callable[[], bytes]) -> bytes:
    """Work that makes millions of small values and no circles of them: looking for circles would take a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        return work()
    finally:
        if enabled:
            gc.enable()


def _compiled(code: str, source: LexiconFiles, report: Report) -> bytes:
    total = source.size
    listed: dict[str, list[tuple[str, str]]] = {}
    for rows, done in source.rows():
        report(int(_READING * done), total)
        for form, lemma, tag in rows:
            listed.setdefault(form, []).append((lemma, tag))
    forms = entries(code, listed, lambda share: report(int(total * (_READING + (1 - _READING) * share)), total))
    data = b"".join(pack(forms))
    report(total, total)
    return data


def entries(
    code: str, listed: dict[str, list[tuple[str, str]]], report: Callable[[float], None] = lambda _: None
) -> dict[str, Readings]:
    """The readings of all forms, those of `words.tsv` and those that rules add too."""
    tags = Tags(code)
    conventions = Conventions(code, tags)
    for form in conventions.words:
        listed.setdefault(form, [])
    forms: dict[str, Readings] = {}
    for number, (form, its) in enumerate(listed.items()):
        forms[form] = conventions.readings(form, its)
        if number % _ROWS_A_REPORT == 0:
            report(number / len(listed))
    supplement(code, tags, forms)
    return forms


def write(path: Path, data: bytes) -> None:
    """A file that is there whole or not at all, in a folder that is made for it; several processes may compile at once."""
    with disk_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, data, contested=True)
