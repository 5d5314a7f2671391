"""Results arrive in parts: a folder a batch of documents, with a file of JSON lines a table and the columns of their tokens.

A part exists when its folder has been renamed into place, all of it or none of it: a crash costs the documents of the batch
at work, and they are read again. So every document is in exactly one part, however often the program was killed.
Small parts are merged into larger ones, so that a slow crawl of weeks leaves some hundred folders and not a million. Those that
were merged count no more, but stay for a while: whoever has listed them reads them in peace.
"""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import xxhash

from trasmallo.store.digests import seal, verify
from trasmallo.values.atomic_files import remove_at_once
from trasmallo.values.decodable import decodable
from trasmallo.values.errors import disk_errors

if TYPE_CHECKING:
    from trasmallo.store.tokens import Builder

TOKENS = "tokens.columns"
"""What the file of tokens is called, in a part and in the folder of a finished run."""

_DRAFT = ".draft"
_REPLACES, _REPLACED = "replaces", "replaced"
"""In a merged part: the names of the parts it stands for, which count no more; and the same when these are gone."""

KEPT_SECONDS = 120.0
"""How long a part stays that was merged into another. Judgement: twice as long as an answer of the app may take."""
_PROVISIONAL = "provisional-"
"""What the names of parts begin with whose pages the next session reads once more."""

_MOST_PARTS = 128  # judgement: folders that a question can open without waiting


class _Key(msgspec.Struct):
    document: str


class _Dropped(msgspec.Struct):
    drop: str = ""


def document_id(url: str) -> str:
    """The id of the document at a URL: 64 bits in hex (at ten million documents, 3 in a million that any two share one)."""
    return xxhash.xxh3_64_hexdigest(url.encode())


def write_part(
    parts: Path,
    name: str,
    tables: Mapping[str, Iterable[msgspec.Struct]],
    tokens: Builder | None = None,
    before: Callable[[], object] = lambda: None,
) -> None:
    """Write a part whole. `name` sorts parts; an existing part of that name stays as it is.

    `before` is called when it is all there but does not count yet; when it raises, it never will.
    """
    draft = parts / (name + _DRAFT)
    with disk_errors(draft):
        shutil.rmtree(draft, ignore_errors=True)
        draft.mkdir(parents=True)
        encoder = msgspec.json.Encoder()
        for table, rows in tables.items():
            (draft / f"{table}.jsonl").write_bytes(encoder.encode_lines(list(rows)))
        if tokens:
            tokens.write(draft / TOKENS)
        seal(draft, draft.iterdir())
    before()
    with disk_errors(draft):
        draft.rename(parts / name)


def finished_parts(parts: Path) -> list[Path]:
    """The parts that are whole and not replaced, in order."""
    found = _folders(parts)
    replaced = {name for part in found for name in _replaced_by(part)}
    return [part for part in found if part.name not in replaced]


def provisional_name(name: str) -> str:
    """The name of a part that counts until the next session, which reads its pages once more."""
    return _PROVISIONAL + name


def next_serial(parts: Path) -> int:
    """A number above those that names of parts begin with, of merged ones too."""
    return 1 + max((int(part.name[:8]) for part in _folders(parts) if part.name[:8].isdigit()), default=0)


def merge_parts(parts: Path, most: int = _MOST_PARTS, kept_seconds: float = KEPT_SECONDS) -> int:
    """When there are more than `most`, put the smaller ones into one; returns how many were merged.

    Half of `most` at a time and the smallest first, so that a row is copied about as often as the number of parts has digits
    to the base of 64. Killed at any point it leaves either the small parts or the merged one, never both. Those that were
    merged `kept_seconds` ago are removed.
    """
    remove_replaced(parts, kept_seconds)
    found = [part for part in finished_parts(parts) if not part.name.startswith(_PROVISIONAL)]
    if len(found) <= most:
        return 0
    small = sorted(sorted(found, key=_size)[: max(2, most // 2)])
    merged = parts / f"{small[0].name.partition('.')[0]}.{1 + max(map(_generation, small))}"
    with disk_errors(merged):
        _write_merged(parts / (merged.name + _DRAFT), small).rename(merged)
    remove_replaced(parts, kept_seconds)
    return len(small)


def remove_replaced(parts: Path, kept_seconds: float = KEPT_SECONDS) -> None:
    """Remove parts that were merged into others so many seconds ago."""
    for part in _folders(parts):
        with suppress(FileNotFoundError):
            if time.time() - (part / _REPLACES).stat().st_mtime >= kept_seconds:
                _remove_replaced(part)


def merged_from(part: Path) -> list[str]:
    """The names of the parts that were merged into this one, none for one that came as it is."""
    return _names(part / _REPLACES) or _names(part / _REPLACED)


def token_files(parts: Sequence[Path]) -> list[Path]:
    """The columns of tokens in some parts, as they were written; a part without documents has none."""
    files = [part / TOKENS for part in parts]
    for path in files:
        verify(path)
    return [path for path in files if path.exists()]


def remove_drafts(parts: Path, kept_seconds: float = KEPT_SECONDS) -> None:
    """Clear what a crash left, and what was provisional; no other process may be writing."""
    for part in parts.glob(_PROVISIONAL + "*"):
        remove_at_once(part)
    for draft in parts.glob("*" + _DRAFT):
        shutil.rmtree(draft, ignore_errors=True)
    remove_replaced(parts, kept_seconds)


def documents_done(parts: Path) -> Iterator[str]:
    """Ids of the documents that have their rows."""
    decoder = msgspec.json.Decoder(decodable(_Key))
    for part in finished_parts(parts):
        path = part / "pages.jsonl"
        verify(path)
        if path.exists():
            yield from (row.document for row in map(decoder.decode, path.read_bytes().splitlines()))


def tally_drops(parts: Path) -> Counter[str]:
    """How many documents were left out for each reason; those that were not are under ""."""
    decoder = msgspec.json.Decoder(decodable(_Dropped))
    files = [part / "pages.jsonl" for part in finished_parts(parts)]
    lines = (line for path in files if path.exists() for line in path.read_bytes().splitlines())
    return Counter(decoder.decode(line).drop for line in lines)


def _write_merged(draft: Path, small: Sequence[Path]) -> Path:
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    for path in (path for part in small for path in part.iterdir()):
        verify(path)
    (draft / _REPLACES).write_text("\n".join(part.name for part in small))
    for table in sorted({path.name for part in small for path in part.glob("*.jsonl")}):
        with (draft / table).open("wb") as out:
            for path in (part / table for part in small):
                if path.exists():
                    with path.open("rb") as rows:
                        shutil.copyfileobj(rows, out)
    _merge_tokens(token_files(small), draft / TOKENS)
    seal(draft, [*draft.glob("*.jsonl"), *draft.glob(TOKENS)])
    return draft


def _merge_tokens(files: Sequence[Path], target: Path) -> None:
    from trasmallo.store.tokens import merge

    if files:
        merge(files, target)


def _folders(parts: Path) -> list[Path]:
    """Everything but drafts, in order; none where there is no such folder, or no longer."""
    try:
        return sorted(path for path in parts.iterdir() if path.is_dir() and path.suffix != _DRAFT)
    except FileNotFoundError:
        return []


def _replaced_by(part: Path) -> list[str]:
    return _names(part / _REPLACES)


def _names(path: Path) -> list[str]:
    try:
        return path.read_text().splitlines()
    except FileNotFoundError:
        return []


def _remove_replaced(part: Path) -> None:
    """Remove what a part stands for; what was merged into these goes first, or it would count again."""
    for name in _replaced_by(part):
        _remove_replaced(part.parent / name)
        remove_at_once(part.parent / name)
    with suppress(FileNotFoundError):
        (part / _REPLACES).replace(part / _REPLACED)


def _size(part: Path) -> int:
    return sum(path.stat().st_size for path in part.iterdir())


def _generation(part: Path) -> int:
    """How often the rows of a part were merged."""
    return int(part.suffix[1:] or 0)
