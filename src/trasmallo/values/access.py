"""Who may read a document: the rights of the file, or of the mailbox, that it was made of, as POSIX has them.

A document without an `Access` is public, as pages of the web are. Rights are asked by `Asker`, a user with the groups that the
system gives to it; `project.permissions` looks at the files afresh.
"""

from __future__ import annotations

import re
from typing import NamedTuple

import msgspec

from trasmallo.values.decodable import UNDECODABLE, decodable

READ, EXECUTE = 4, 1
"""The bits of a right, as in a mode."""

_ENTRY = re.compile(r"(user|group|mask|other):(\d*):([r-][w-][x-])")
_LETTERS = ((4, "r"), (2, "w"), (1, "x"))


class Access(msgspec.Struct, frozen=True, kw_only=True):
    """The rights of a document: owner, group and mode of its file, the entries of its POSIX ACL, the owner of its mailbox.

    `acl` has entries that the mode does not tell ("user:1000:r--", "group:5:r--", "mask::r--"), `mailbox` is the name of the
    system's user whose mailbox it was found in, "" for none. `path` is that of the file, percent-encoded, so that its rights
    can be looked at again; "" where there is none on this machine.
    """

    uid: int
    gid: int
    mode: int
    acl: tuple[str, ...] = ()
    mailbox: str = ""
    path: str = ""


class Asker(msgspec.Struct, frozen=True, kw_only=True):
    """Who asks: a user of the system, by number and name, and the numbers of all its groups."""

    uid: int
    name: str = ""
    groups: frozenset[int] = frozenset()


class _Acl(NamedTuple):
    users: dict[int, int]
    groups: dict[int, int]
    mask: int


def may(access: Access, asker: Asker, right: int = READ) -> bool:
    """Whether somebody has a right, by the algorithm of POSIX.1e (draft 17, 23.3): owner, named user, groups, others.

    The superuser may read everything.
    """
    if asker.uid == 0:
        return True
    if access.mailbox and asker.name != access.mailbox:
        return False
    return bool(_bits(access, asker) & right)


def _bits(access: Access, asker: Asker) -> int:
    if asker.uid == access.uid:
        return access.mode >> 6 & 7
    acl = _read_acl(access)
    if asker.uid in acl.users:
        return acl.users[asker.uid] & acl.mask
    of_groups = [bits for gid, bits in acl.groups.items() if gid in asker.groups]
    if of_groups:
        return _union(of_groups) & acl.mask
    return access.mode & 7


def _union(bits: list[int]) -> int:
    """What any of several entries gives; only single rights are asked for, so that they may be put together."""
    found = 0
    for one in bits:
        found |= one
    return found


def _read_acl(access: Access) -> _Acl:
    """The entries by their numbers. Where there are named ones, the group's bits of the mode are those of the mask."""
    users, groups, mask = dict[int, int](), {access.gid: access.mode >> 3 & 7}, 7
    for text in access.acl:
        found = _ENTRY.fullmatch(text)
        if found is None:
            continue
        kind, number, bits = found[1], found[2], _number(found[3])
        if kind == "mask":
            mask = bits
        elif kind == "user" and number:
            users[int(number)] = bits
        elif kind == "group":
            groups[int(number) if number else access.gid] = bits
    return _Acl(users, groups, mask)


def _number(letters: str) -> int:
    return sum(bit for bit, letter in _LETTERS if letter in letters)


def written_rights(bits: int) -> str:
    """Three bits as letters: "r-x"."""
    return "".join(letter if bits & bit else "-" for bit, letter in _LETTERS)


_encoder, _decoder = msgspec.json.Encoder(), msgspec.json.Decoder(decodable(Access))


def access_text(access: Access | None) -> str:
    """Rights as rows and records have them, "" for what is public."""
    return _encoder.encode(access).decode() if access is not None else ""


NOBODYS = Access(uid=0, gid=0, mode=0)
"""The rights of what only the superuser may read."""


def access_of(text: str) -> Access | None:
    """Rights that a row or a record tells, None for what is public; those that cannot be read are nobody's."""
    if not text:
        return None
    try:
        return _decoder.decode(text)
    except UNDECODABLE:
        return NOBODYS
