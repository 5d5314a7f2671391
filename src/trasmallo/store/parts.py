"""Results arrive in parts: a folder a batch of documents, with a file of JSON lines a table and the columns of their tokens.

A part exists when its folder has been renamed into place, all of it or none of it: a crash costs the documents of the batch
at work, and they are read again. So every document is in exactly one part, however often the program was killed.
Small parts are merged into larger ones, so that a slow crawl of weeks leaves some hundred folders and not a million.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec
import xxhash

from trasmallo.values.errors import disk_errors

if TYPE_CHECKING:
    from trasmallo.store.tokens import Builder

TOKENS = "tokens.columns"
"""What the file of tokens is called, in a part and in the folder of a finished run."""

_DRAFT = ".draft"
_REPLACES = "replaces"
"""In a merged part: the names of the parts it stands for. They count no more, and go next."""
_PROVISIONAL = "provisional-"
"""What the names of parts begin with whose pages the next session reads once more."""
_MOST_PARTS = 128  # judgement: folders that a question can open without waiting


class _Key(msgspec.Struct):
    document: str


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
    before()
    with disk_errors(draft):
        draft.rename(parts / name)


def finished_parts(parts: Path) -> list[Path]:
    """The parts that are whole and not replaced, in order."""
    if not parts.is_dir():
        return []
    found = sorted(path for path in parts.iterdir() if path.is_dir() and path.suffix != _DRAFT)
    replaced = {name for part in found for name in _replaced_by(part)}
    return [part for part in found if part.name not in replaced]


def provisional_name(name: str) -> str:
    """The name of a part that counts until the next session, which reads its pages once more."""
    return _PROVISIONAL + name


def next_serial(parts: Path) -> int:
    """A number above those that names of parts begin with."""
    return 1 + max((int(part.name[:8]) for part in finished_parts(parts) if part.name[:8].isdigit()), default=0)


def merge_parts(parts: Path, most: int = _MOST_PARTS) -> int:
    """When there are more than `most`, put the smaller ones into one; returns how many were merged.

    Half of `most` at a time and the smallest first, so that a row is copied about as often as the number of parts has digits
    to the base of 64. Killed at any point it leaves either the small parts or the merged one, never both.
    """
    found = [part for part in finished_parts(parts) if not part.name.startswith(_PROVISIONAL)]
    if len(found) <= most:
        return 0
    small = sorted(sorted(found, key=_size)[: max(2, most // 2)])
    merged = parts / f"{small[0].name.partition('.')[0]}.{1 + max(map(_generation, small))}"
    with disk_errors(merged):
        _write_merged(parts / (merged.name + _DRAFT), small).rename(merged)
        _remove_replaced(merged)
    return len(small)


def token_files(parts: Sequence[Path]) -> list[Path]:
    """The columns of tokens in some parts; a part without documents has none."""
    return [path for part in parts if (path := part / TOKENS).exists()]


def remove_drafts(parts: Path) -> None:
    """Clear what a crash left, and what was provisional; no other process may be writing."""
    for draft in [*parts.glob("*" + _DRAFT), *parts.glob(_PROVISIONAL + "*")]:
        shutil.rmtree(draft, ignore_errors=True)
    for part in finished_parts(parts):
        _remove_replaced(part)


def documents_done(parts: Path) -> Iterator[str]:
    """Ids of the documents that have their rows."""
    decoder = msgspec.json.Decoder(_Key)
    for part in finished_parts(parts):
        path = part / "pages.jsonl"
        if path.exists():
            yield from (row.document for row in map(decoder.decode, path.read_bytes().splitlines()))


def _write_merged(draft: Path, small: Sequence[Path]) -> Path:
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir()
    (draft / _REPLACES).write_text("\n".join(part.name for part in small))
    for table in sorted({path.name for part in small for path in part.glob("*.jsonl")}):
        with (draft / table).open("wb") as out:
            for path in (part / table for part in small):
                if path.exists():
                    with path.open("rb") as rows:
                        shutil.copyfileobj(rows, out)
    _merge_tokens(token_files(small), draft / TOKENS)
    return draft


def _merge_tokens(files: Sequence[Path], target: Path) -> None:
    from trasmallo.store.tokens import merge

    if files:
        merge(files, target)


def _replaced_by(part: Path) -> list[str]:
    try:
        return (part / _REPLACES).read_text().splitlines()
    except FileNotFoundError:
        return []


def _remove_replaced(part: Path) -> None:
    for name in _replaced_by(part):
        shutil.rmtree(part.parent / name, ignore_errors=True)
    (part / _REPLACES).unlink(missing_ok=True)


def _size(part: Path) -> int:
    return sum(path.stat().st_size for path in part.iterdir())


def _generation(part: Path) -> int:
    """How often the rows of a part were merged."""
    return int(part.suffix[1:] or 0)
