"""Corpus queries of a project that somebody saved by name, and those that were asked last.

They are in the folder `queries` of a project as JSON Lines, which other programs can read: `saved.jsonl` in alphabetical
order of the names, `history.jsonl` with the latest last.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec

from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import NotFound, StoreDamaged, UsageError, disk_errors
from trasmallo.values.folder_lock import locked
from trasmallo.values.nearest import nearest

FOLDER = "queries"
LONGEST_HISTORY = 1_000
"""Queries that are remembered. Judgement: some months of work; at most some 100 kB to write at every query."""

MOST_SAVED = 5_000
"""Queries that are saved at most. Judgement: more than anybody names."""

_SAVED, _HISTORY = "saved.jsonl", "history.jsonl"
_NAME = re.compile(r"[^\W_][\w .-]{0,59}")

Value = str | int | bool | tuple[str, ...]


class KeptQuery(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A corpus query with the choice of its hits, which are `results.concordance.Options` that differ from the usual.

    `scope` is what it was asked about, as it is typed, `when` a time as ISO 8601 writes it; `hits` are those it had then, None
    where nobody counted. `name` is "" in the history.
    """

    name: str = ""
    query: str
    options: dict[str, Value] = {}
    scope: str = ""
    hits: int | None = None
    when: str = ""

    @property
    def flags(self) -> list[str]:
        """The choice of hits as the command line takes it."""
        found: list[str] = []
        for name, value in self.options.items():
            flag = "--" + ("in" if name == "in_group" else name.replace("_", "-"))
            for one in value if isinstance(value, tuple) else (value,):
                found += [flag] if one is True else [flag, str(one)]
        return found

    @property
    def asked(self) -> tuple[object, ...]:
        """By what it is one query."""
        return self.query, tuple(sorted(self.options.items())), self.scope


def saved_queries(project: Path) -> list[KeptQuery]:
    """The saved queries in alphabetical order; raises StoreDamaged for a file that cannot be read."""
    return _read(project / FOLDER / _SAVED)


def find_query(project: Path, name: str) -> KeptQuery:
    """The saved query of a name; raises NotFound that names the nearest."""
    known = {one.name: one for one in saved_queries(project)}
    if name not in known:
        near = nearest(name, list(known)) if known else ""
        repair = "did you mean {near!r}? `trasmallo queries DIR` lists them" if near else "save one with: trasmallo kwic --save"
        raise NotFound("there is no saved query {name!r}", repair, name=name[:80], near=near)
    return known[name]


def save_query(project: Path, query: KeptQuery) -> None:
    """Save a query under its name, in the place of one that had it; raises UsageError for what cannot be a name."""
    if not _NAME.fullmatch(query.name) or query.name != query.name.strip():
        repair = "begin with a letter or digit; blanks, -, _ and . may follow"
        raise UsageError("{name!r} is no name for a query", repair, name=query.name[:80])
    with _changing(project) as folder:
        kept = {one.name: one for one in saved_queries(project)} | {query.name: query}
        if len(kept) > MOST_SAVED:
            raise UsageError("more than {most:,} queries would be saved", "remove some of them", most=MOST_SAVED)
        _write(folder / _SAVED, [kept[name] for name in sorted(kept)])


def remove_query(project: Path, name: str) -> KeptQuery:
    """Forget a saved query, and tell what it was."""
    with _changing(project) as folder:
        gone = find_query(project, name)
        _write(folder / _SAVED, [one for one in saved_queries(project) if one.name != name])
    return gone


def query_history(project: Path) -> list[KeptQuery]:
    """What was asked, the latest first; raises StoreDamaged for a file that cannot be read."""
    return _read(project / FOLDER / _HISTORY)[::-1]


def remember_query(project: Path, query: KeptQuery) -> None:
    """Add a query to the history; one that was asked before counts as asked now."""
    with _changing(project) as folder:
        kept = [one for one in _read(folder / _HISTORY) if one.asked != query.asked]
        _write(folder / _HISTORY, [*kept, query][-LONGEST_HISTORY:])


def forget_history(project: Path) -> int:
    """Forget what was asked; how many queries that were. Saved ones stay."""
    with _changing(project) as folder:
        number = len(_read(folder / _HISTORY))
        (folder / _HISTORY).unlink(missing_ok=True)
    return number


def _read(path: Path) -> list[KeptQuery]:
    try:
        return msgspec.json.Decoder(decodable(KeptQuery)).decode_lines(path.read_bytes())
    except FileNotFoundError:
        return []
    except UNDECODABLE as error:
        mend = "mend that line of the file, or remove the file and the queries with it"
        raise StoreDamaged("{path} is damaged ({error})", mend, path=path, error=error) from None


@contextmanager
def _changing(project: Path) -> Iterator[Path]:
    """The folder of the queries, for one program at a time."""
    folder = project / FOLDER
    with disk_errors(folder):
        folder.mkdir(exist_ok=True, mode=0o700)
        with locked(folder):
            yield folder


def _write(path: Path, queries: Iterable[KeptQuery]) -> None:
    write_whole(path, msgspec.json.Encoder().encode_lines(queries))
