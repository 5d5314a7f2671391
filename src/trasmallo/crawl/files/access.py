"""The rights of a file, as the system tells them: owner, group, mode, and the POSIX ACL in its extended attributes."""

from __future__ import annotations

import os
import stat
import struct
from pathlib import Path
from urllib.parse import quote_from_bytes

from trasmallo.values.access import Access, written_rights

_ATTRIBUTE = "system.posix_acl_access"
_VERSION = 2  # linux/posix_acl_xattr.h
_HEAD, _ENTRY = struct.Struct("<I"), struct.Struct("<HHI")  # linux/posix_acl_xattr.h
_KINDS = {0x02: "user", 0x04: "group", 0x08: "group", 0x10: "mask"}
"""Tags of entries that the mode does not tell: a named user, the group of the file, a named group, the mask."""
_NAMED = (0x02, 0x08)  # those of them that name somebody


def read_access(path: Path | str) -> Access:
    """The rights of a file; raises OSError where the system does not tell."""
    told = Path(path).stat()
    return Access(
        uid=told.st_uid,
        gid=told.st_gid,
        mode=stat.S_IMODE(told.st_mode),
        acl=read_acl(path),
        path=quote_from_bytes(os.fsencode(Path(path).absolute())),
    )


def read_acl(path: Path | str) -> tuple[str, ...]:
    """The entries of a file's ACL that its mode does not tell, () where it has none or the file system knows of none."""
    try:
        return parse_acl(os.getxattr(path, _ATTRIBUTE))
    except (OSError, AttributeError):  # no such attribute, no such thing on this file system, or not on this system
        return ()


def parse_acl(content: bytes) -> tuple[str, ...]:
    """The entries in an attribute; one that is not understood gives a mask that lets nobody in by an entry."""
    if len(content) < _HEAD.size or _HEAD.unpack_from(content)[0] != _VERSION or (len(content) - _HEAD.size) % _ENTRY.size:
        return ("mask::---",)
    return tuple(
        f"{_KINDS[tag]}:{number if tag in _NAMED else ''}:{written_rights(bits & 7)}"
        for tag, bits, number in _ENTRY.iter_unpack(content[_HEAD.size :])
        if tag in _KINDS
    )
