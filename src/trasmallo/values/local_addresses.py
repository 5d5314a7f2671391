"""Addresses of what is no web page: files, what is packed in them, and messages of mailboxes.

    file:///home/ana/notes.txt                       a file; octets beyond ASCII, and `;`, are escaped
    file:///home/ana/old.zip/;member=a/b.txt         a file in an archive
    maildir:///home/ana/Maildir/;mid=ID@HOST         a message, by its Message-ID: one address in whichever folder it lies
    maildir:///home/ana/Maildir/;mid=ID@HOST/;part=2 what is attached to it

Such an address is a seed or comes from one: no page of the web leads to it, since links are resolved by `values.urls`, which
knows http and https alone.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote, quote_from_bytes, unquote, unquote_to_bytes

from trasmallo.values.errors import UrlError
from trasmallo.values.urls import LONGEST, canonical

FILE, MBOX, MAILDIR = "file", "mbox", "maildir"
PLACES = (FILE, MBOX, MAILDIR)
"""Schemes of what lies in the file system."""

SERVERS = ("imap", "imaps")
"""Schemes of servers that are no web servers."""

_MOUNTED = ("sftp", "ssh", "scp", "ftp", "ftps", "smb", "cifs", "nfs", "dav", "davs", "webdav", "afp")
"""Schemes of file servers, which the system mounts."""

_PLAIN = "/!$&'()*+,=:@~"  # what quote leaves as it is, beside letters and digits; `;` begins what is inside a file
_TYPED = re.compile(r"(?:~|\.{0,2}/)")
_SERVER = re.compile(r"(imaps?)://(?:([^/@\s:]+)@)?([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::(\d{1,5}))?(/[^\s?#]*)?")
_INSIDE = re.compile(r"/;(member|mid|part)=")


class LocalPlace(NamedTuple):
    """An address taken apart: the file or folder, and what inside it; "" for what it does not say."""

    scheme: str
    path: str
    member: str = ""
    message: str = ""
    part: str = ""


def is_local(url: str) -> bool:
    """Whether an address is none of the web."""
    return url.partition(":")[0] in (*PLACES, *SERVERS)


def file_address(path: str | bytes, scheme: str = FILE) -> str:
    """The address of an absolute path, whatever octets its names have."""
    return f"{scheme}://" + quote_from_bytes(os.fsencode(path), safe=_PLAIN)


def member_address(url: str, member: str) -> str:
    """The address of a file in an archive."""
    return f"{url}/;member=" + quote(member, safe=_PLAIN, errors="surrogateescape")


def message_address(url: str, message_id: str) -> str:
    """The address of a message in the mailbox at `url`."""
    return f"{url.rstrip('/')}/;mid=" + quote(message_id, safe="@$!*+=.", errors="surrogateescape")


def part_address(url: str, part: str) -> str:
    """The address of what is attached to the message at `url`."""
    return f"{url}/;part={part}"


def place_of(url: str) -> LocalPlace:
    """What an address of the file system names; raises UrlError for another."""
    scheme, _, rest = url.partition("://")
    if scheme not in PLACES or not rest.startswith("/"):
        raise UrlError("{url!r} is no address of a file", "write it in full, such as file:///home/ana", url=url[:200])
    path, *inside = _INSIDE.split(rest)
    told = {name: unquote(text, errors="surrogateescape") for name, text in zip(inside[::2], inside[1::2], strict=True)}
    name = os.fsdecode(unquote_to_bytes(path))
    return LocalPlace(scheme, name, told.get("member", ""), told.get("mid", ""), told.get("part", ""))


def folder_of(url: str) -> str:
    """The folder in which a file lies as people read it, that of the archive or mailbox for what is inside; "" elsewhere."""
    if url.partition(":")[0] not in PLACES:
        return ""
    place = place_of(url)
    path = place.path if place.message else os.path.dirname(place.path)  # noqa: PTH120 - an address is no file
    return os.fsencode(path).decode(errors="replace")


def document_addresses(text: str) -> tuple[str, ...]:
    """The addresses that a document with this one may have: entries of feeds have a fragment, pages and files have none."""
    if is_local(text) or _TYPED.match(text):
        return (_of_document(text),)
    page, (_, mark, fragment) = canonical(text), text.partition("#")
    return (f"{page}#{fragment}", page) if mark and fragment else (page,)


def _of_document(text: str) -> str:
    """The address of a file or message; what is inside a file stays as it is written in addresses."""
    outside, *inside = re.split(r"(?=/;(?:member|mid|part)=)", text, maxsplit=1)
    return canonical_seed(outside) + "".join(inside)


def canonical_seed(text: str) -> str:
    """The address that somebody typed, in its canonical form: of the web, a path, a mailbox or a server's folder."""
    scheme, colon, rest = text.partition(":")
    if _TYPED.match(text):
        return _of_path(FILE, text)
    if colon and scheme.lower() in PLACES:
        return _of_path(scheme.lower(), rest)
    if colon and scheme.lower() in SERVERS:
        return _of_server(text)
    if colon and scheme.lower() in _MOUNTED:
        repair = "mount it as a folder (sshfs does it for sftp) and name that, such as /mnt/files"
        raise UrlError("{text!r} is on a file server, which is read as a folder of this machine", repair, text=text[:200])
    return canonical(text)


def _of_path(scheme: str, rest: str) -> str:
    """The address of a path that is typed as it is, or escaped behind `//`."""
    if rest.startswith("//"):
        host, slash, path = rest[2:].partition("/")
        rest = os.fsdecode(unquote_to_bytes(slash + path)) if host in ("", "localhost") else ""
    if not rest or "\0" in rest:
        repair = "write a path, such as {scheme}:///home/ana/Documents"
        raise UrlError("{text!r} names no file of this machine", repair, text=rest[:200], scheme=scheme)
    found = file_address(str(Path(os.path.abspath(Path(rest).expanduser()))), scheme)  # noqa: PTH100 - links stay as they are
    if len(found) > LONGEST:
        raise UrlError("{text!r} is too long for an address", "choose a folder with a shorter path", text=rest[:80])
    return found


def _of_server(text: str) -> str:
    found = _SERVER.fullmatch(text)
    if found is None or ":" in (found[2] or ""):
        repair = "write it as imaps://user@host/folder; the password is given with: trasmallo login DIR HOST"
        raise UrlError("{text!r} is no address of a mailbox", repair, text=text[:200])
    scheme, user, host, port, folder = found.groups()
    name = f"{user}@" if user else ""
    return f"{scheme}://{name}{host.lower()}" + (f":{port}" if port else "") + (folder or "/").rstrip("/")
