"""Subcorpora of a project that somebody saved by name: which documents belong to them, as conditions on the table `pages`."""

from __future__ import annotations

from pathlib import Path

import msgspec

from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE
from trasmallo.values.errors import NotFound, StoreDamaged
from trasmallo.values.nearest import nearest
from trasmallo.values.sealed_json import decode_sealed, encode_sealed

FILE = "subcorpora.json"
"""What the file is called in a project."""


class Scope(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which documents are asked about: those that meet every condition that is told; of several values any will do.

    `sites` are hosts, with all below them where one begins with a dot; `starts` are start addresses, `since` and `until` days
    of the table `dates` as YYYY-MM-DD, both included, `where` conditions on `pages` ("words>100"). `as_of` is a run, a snapshot
    or a date whose results answer, "" the collection as it is.
    """

    languages: tuple[str, ...] = ()
    sites: tuple[str, ...] = ()
    starts: tuple[str, ...] = ()
    since: str = ""
    until: str = ""
    where: tuple[str, ...] = ()
    as_of: str = ""

    def __bool__(self) -> bool:
        return self != EVERYTHING


EVERYTHING = Scope()
"""The scope of who asks about all documents."""


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """What belongs to a subcorpus: documents in the `scope`, but none at an address that is `denied` to who asks."""

    denied: frozenset[str] = frozenset()
    scope: Scope = Scope()


class _Saved(msgspec.Struct, frozen=True):
    """What the file holds, with a digest of it."""

    scopes: dict[str, Scope]


def saved_scopes(project: Path) -> dict[str, Scope]:
    """The subcorpora of a project by their names; raises StoreDamaged for a file that cannot be read."""
    path = project / FILE
    try:
        return decode_sealed(path.read_bytes(), _Saved).scopes
    except FileNotFoundError:
        return {}
    except UNDECODABLE as error:
        repair = "bring it back from a copy, or remove it and save the subcorpora again"
        raise StoreDamaged("{path} is damaged ({error})", repair, path=path, error=error) from None


def save_scopes(project: Path, scopes: dict[str, Scope]) -> None:
    """Keep these subcorpora and no others."""
    write_whole(project / FILE, msgspec.json.format(encode_sealed(_Saved(dict(sorted(scopes.items()))))), durable=True)


def find_scope(project: Path, name: str) -> Scope:
    """The subcorpus of a name; raises NotFound that names the nearest."""
    known = saved_scopes(project)
    if name not in known:
        near = nearest(name, list(known)) if known else ""
        repair = "did you mean {near!r}? `trasmallo subcorpus DIR` lists them" if near else "save one with: trasmallo subcorpus"
        raise NotFound("there is no subcorpus {name!r}", repair, name=name[:80], near=near)
    return known[name]
