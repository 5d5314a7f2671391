"""An IMAP account, read and never changed: folders are opened with EXAMINE, bodies are fetched with PEEK.

What was read is remembered by folder as UIDVALIDITY and the highest UID (RFC 9051, 2.3.1.1): only messages with a higher one
are fetched, and all anew where the folder was made again. A wrong password is tried once.
"""

from __future__ import annotations

import fcntl
import imaplib
import os
import re
import select
import socket
import ssl
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urlsplit

import msgspec

from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import ProjectBusy, ProjectError
from trasmallo.values.sealed_json import decode_sealed, encode_sealed

_TIMEOUT = 60.0  # judgement: seconds that a server may take for an answer
_AT_ONCE = 50  # judgement: messages that are fetched with one command
_MOST_OCTETS = 20_000_000  # judgement: of those messages together, unless one alone has more; all of them are in memory
_LONGEST_LINE = 1_000_000  # octets; as the library has it
_POLLING = 60.0  # judgement: seconds between two looks at a server that knows no IDLE
_COMES_OR_GOES = re.compile(rb"\* (?:\d+ (?:EXISTS|EXPUNGE)|VANISHED )", re.IGNORECASE)
"""What a server says when a letter comes or goes (RFC 9051, 7.4 and 7.5; RFC 7162); flags concern nobody here."""
_SHIFTED = re.compile(r"&([^-]*)-")  # letters beyond ASCII in names of folders (RFC 3501, 5.1.3)
_LITERAL = re.compile(rb"\{\d+\+?\}$")
_LISTED = re.compile(rb'\((?P<flags>[^)]*)\) (?:"(?:[^"\\]|\\.)*"|NIL) (?P<name>.+)', re.DOTALL)
_UID = re.compile(rb"\bUID (\d+)")
_SIZE = re.compile(rb"\bRFC822\.SIZE (\d+)")
_TROUBLES = (OSError, imaplib.IMAP4.error, ValueError, LookupError, TypeError, AttributeError, MemoryError, OverflowError)
"""What the library raises: its own errors, and whatever an answer that is none makes of its parsing (found by fuzzing)."""
_PRIVATE = 0o600  # the mode of a file that its owner alone may read


class MailServer(NamedTuple):
    """Where an account is: `folder` is "" for all of them."""

    seed: str
    secure: bool
    user: str
    host: str
    port: int
    folder: str


class FetchedMessage(NamedTuple):
    """A message of a folder; `content` is None for one that is larger than is wanted."""

    folder: str
    uid: int
    size: int
    content: bytes | None


class FolderState(msgspec.Struct):
    """What is known of a folder: its validity, its highest UID, and the messages by UID with their addresses."""

    validity: int = 0
    highest: int = 0
    messages: dict[int, list[str]] = {}


def server_of(seed: str) -> MailServer:
    """The account that an address names."""
    parts = urlsplit(seed)
    secure = parts.scheme == "imaps"
    folder = unquote(parts.path.strip("/"))
    user = unquote(parts.username or os.environ.get("USER", ""))
    return MailServer(seed, secure, user, parts.hostname or "", parts.port or (993 if secure else 143), folder)


class _Account(msgspec.Struct, frozen=True):
    """What the file of an account holds, with a digest of it; the first version was the bare dictionary."""

    folders: dict[str, FolderState]


class ImapState:
    """What was read of the folders of one account, in a file that only its owner may read.

    `is_lost` says that nothing can be read of it: no pass has ended yet, or the file is damaged or gone. Then all is fetched
    again.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        found = _folders_in(path)
        self.is_lost = found is None
        self.folders: dict[str, FolderState] = found or {}

    def of(self, folder: str) -> FolderState:
        """What is known of a folder."""
        return self.folders.setdefault(folder, FolderState(messages={}))

    def save(self) -> None:
        """Write it down."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(self._path, encode_sealed(_Account(self.folders)))
        self._path.chmod(_PRIVATE)

    @contextmanager
    def locked(self) -> Iterator[None]:
        """Keep everybody else from the account while the block lasts."""
        self._path.parent.mkdir(parents=True, exist_ok=True)
        with self._path.with_suffix(".lock").open("a") as file:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                raise ProjectBusy("another program reads this account", "wait until it has ended") from None
            yield


def _folders_in(path: Path) -> dict[str, FolderState] | None:
    """The folders in the file of an account; None where nothing can be read."""
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    with suppress(msgspec.DecodeError):
        return decode_sealed(content, _Account).folders
    with suppress(*UNDECODABLE):
        return msgspec.json.decode(content, type=decodable(dict[str, FolderState]))
    return None


class WaitEnd:
    """What ends waits for letters, from any thread and for good: they would last until the server says something."""

    def __init__(self) -> None:
        self._reader, self._writer = socket.socketpair()

    def fileno(self) -> int:
        """What can be read once the end has come, as `select` asks for it."""
        return self._reader.fileno()

    def set(self) -> None:
        """End the waits, those that begin later too."""
        self._writer.close()

    def close(self) -> None:
        """Give back what the system lent; nobody may wait any more."""
        self._writer.close()
        self._reader.close()


class ImapAccount:
    """An account that is logged in; raises ProjectError in one line for whatever the server or the network do."""

    def __init__(self, server: MailServer, password: str) -> None:
        self._server = server
        try:
            self._connection = self._connect()
        except _TROUBLES as error:
            raise self._trouble(error) from None
        try:
            self._log_in(password)
        except _TROUBLES as error:
            self.close()
            raise self._trouble(error) from None

    def _connect(self) -> imaplib.IMAP4:
        host, port = self._server.host, self._server.port
        if self._server.secure:
            return imaplib.IMAP4_SSL(host, port, ssl_context=ssl.create_default_context(), timeout=_TIMEOUT)
        plain = imaplib.IMAP4(host, port, timeout=_TIMEOUT)
        if "STARTTLS" in plain.capabilities and not _is_loopback(plain):
            plain.starttls(ssl.create_default_context())
        if not isinstance(plain.sock, ssl.SSLSocket) and not _is_loopback(plain):
            plain.shutdown()
            raise ProjectError(
                "{host} offers no secure connection, and a password is never sent over an open one",
                "write the address as imaps://",
                host=host,
            )
        return plain

    def _log_in(self, password: str) -> None:
        try:
            if "AUTH=PLAIN" in self._connection.capabilities:  # any letters; LOGIN has ASCII alone
                said = f"\0{self._server.user}\0{password}".encode()
                self._connection.authenticate("PLAIN", lambda _challenge: said)
            else:
                self._connection.login(self._server.user, password)
        except imaplib.IMAP4.error:
            self.close()
            raise ProjectError(
                "{host} does not let {user} in",
                "give the password again with: trasmallo login DIR {host} --basic {user}",
                host=self._server.host,
                user=self._server.user,
            ) from None

    def _trouble(self, error: Exception) -> ProjectError:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        return ProjectError(
            "the mail of {user} at {host} cannot be read ({said})",
            "check the address and the network, and give the same command again",
            user=self._server.user,
            host=self._server.host,
            said=said[:120],
        )

    def close(self) -> None:
        """Log out, and hang up whatever the server answers."""
        for leave in (self._connection.logout, self._connection.shutdown):
            with suppress(*_TROUBLES):
                leave()

    def folders(self) -> list[str]:
        """The folders that hold messages: the one that the address names and those below it, else all of them."""
        try:
            _, listed = self._connection.list()
        except _TROUBLES as error:
            raise self._trouble(error) from None
        return [name for line in listed if (name := _folder_in(line)) and self.covers(name)]

    def covers(self, folder: str) -> bool:
        """Whether a folder is the one that the address names, or below it."""
        wanted, name = self._server.folder, shown_name(folder)
        return not wanted or name == wanted or name.startswith((wanted + "/", wanted + "."))

    def changes(self, folder: str, known: FolderState, largest: int) -> tuple[set[int], Iterator[list[FetchedMessage]]]:
        """The UIDs that are there now, and the messages that are new, some at a time; `known` becomes that of the folder."""
        try:
            validity = self._examine(folder)
            if validity != known.validity:
                known.validity, known.highest = validity, 0
                known.messages.clear()
            _, (listed, *_) = self._connection.uid("SEARCH", "ALL")
            there = {int(uid) for uid in (listed or b"").split()}
        except _TROUBLES as error:
            raise self._trouble(error) from None
        new = sorted(uid for uid in there if uid > known.highest or uid not in known.messages)
        return there, self._fetch(folder, new, largest)

    def _examine(self, folder: str) -> int:
        """Open a folder to look only; its validity."""
        status, said = self._connection.select(_quoted(folder), readonly=True)  # type: ignore[arg-type]
        if status != "OK":
            raise imaplib.IMAP4.error(f"{folder}: {said}")
        _, told = self._connection.response("UIDVALIDITY")
        return int(told[0]) if told and told[0] else 0

    def _fetch(self, folder: str, uids: list[int], largest: int) -> Iterator[list[FetchedMessage]]:
        for start in range(0, len(uids), _AT_ONCE):
            some = uids[start : start + _AT_ONCE]
            sizes = self._sizes(some)
            large = [FetchedMessage(folder, uid, sizes[uid], None) for uid in some if sizes.get(uid, 0) > largest]
            if large:
                yield large
            for group in _groups([uid for uid in some if sizes.get(uid, 0) <= largest], sizes):
                yield [FetchedMessage(folder, uid, len(content), content) for uid, content in self._bodies(group)]

    def _sizes(self, uids: list[int]) -> dict[int, int]:
        found = (line for line in self._ask(uids, "(UID RFC822.SIZE)") if isinstance(line, bytes))
        pairs = ((_UID.search(line), _SIZE.search(line)) for line in found)
        return {int(uid[1]): int(size[1]) for uid, size in pairs if uid and size}

    def _bodies(self, uids: list[int]) -> Iterator[tuple[int, bytes]]:
        for part in self._ask(uids, "(UID BODY.PEEK[])") if uids else ():
            if isinstance(part, tuple) and (uid := _UID.search(part[0])):
                yield int(uid[1]), part[1].replace(b"\r\n", b"\n")

    def _ask(self, uids: list[int], what: str) -> list[bytes | tuple[bytes, bytes]]:
        try:
            _, found = self._connection.uid("FETCH", ",".join(map(str, uids)), what)
        except _TROUBLES as error:
            raise self._trouble(error) from None
        return [each for each in found or [] if each]

    def idle(self, folder: str, seconds: float, polling: float = _POLLING, ended: WaitEnd | None = None) -> bool:
        """Wait until a letter comes or goes in a folder (RFC 2177), for so long at most; whether one did.

        A server that cannot tell is asked every `polling` seconds. `ended` cuts the wait short.
        """
        try:
            self._examine(folder)
            if "IDLE" in self._connection.capabilities:
                return self._idle(seconds, ended)
            return self._poll(seconds, polling, ended)
        except _TROUBLES as error:
            raise self._trouble(error) from None

    def _idle(self, seconds: float, ended: WaitEnd | None) -> bool:
        until, tag = time.monotonic() + seconds, self._connection._new_tag()  # the library has no IDLE before 3.14
        said = _SocketLines(self._connection.sock)
        self._connection.send(tag + b" IDLE\r\n")
        if not (said.next(_TIMEOUT) or b"").startswith(b"+"):
            raise imaplib.IMAP4.error("it does not answer to IDLE")
        happened = False
        while not happened and (line := said.next(until - time.monotonic(), ended)) is not None:
            happened = _COMES_OR_GOES.match(line) is not None
        self._connection.send(b"DONE\r\n")
        while (line := said.next(_TIMEOUT)) is not None and not line.startswith(tag):
            happened |= _COMES_OR_GOES.match(line) is not None
        return happened

    def _poll(self, seconds: float, polling: float, ended: WaitEnd | None) -> bool:
        until, before = time.monotonic() + seconds, self._told()
        while (left := until - time.monotonic()) > 0:
            if _ready_of([ended] if ended else [], min(left, polling)):
                return False
            self._connection.noop()
            if self._told() != before:
                return True
        return False

    def _told(self) -> list[list[object]]:
        """All that the server has said of letters that came and went in the open folder."""
        return [list(self._connection.untagged_responses.get(name, ())) for name in ("EXISTS", "EXPUNGE")]


class _SocketLines:
    """The lines that come from a socket, with no other buffer before it: a line that waits in one would not wake anybody."""

    def __init__(self, sock: socket.socket) -> None:
        self._sock = sock
        self._buffer = b""

    def next(self, seconds: float, ended: WaitEnd | None = None) -> bytes | None:
        """The next line; None when none comes in time or before `ended`.

        Raises ConnectionResetError when the other side has closed.
        """
        until = time.monotonic() + seconds
        while b"\n" not in self._buffer:
            if not self._has_octets(until - time.monotonic(), ended):
                return None
            octets = self._sock.recv(1 << 16)
            if not octets or len(self._buffer) > _LONGEST_LINE:
                raise ConnectionResetError("the server has closed the connection")
            self._buffer += octets
        line, _, self._buffer = self._buffer.partition(b"\n")
        return line

    def _has_octets(self, seconds: float, ended: WaitEnd | None) -> bool:
        if isinstance(self._sock, ssl.SSLSocket) and self._sock.pending():
            return True
        ready = _ready_of([self._sock, ended] if ended else [self._sock], seconds)
        return self._sock in ready and ended not in ready


def _ready_of(awaited: Sequence[socket.socket | WaitEnd], seconds: float) -> Sequence[socket.socket | WaitEnd]:
    """Those of which something can be read, after so long at most."""
    return select.select(awaited, [], [], max(0.0, seconds))[0]


def _is_loopback(connection: imaplib.IMAP4) -> bool:
    return str(connection.sock.getpeername()[0]) in ("127.0.0.1", "::1")


def _quoted(name: str) -> bytes:
    """The name of a folder as commands have it: octets, which the library sends as they are."""
    return b'"' + name.replace("\\", "\\\\").replace('"', '\\"').encode("latin-1") + b'"'


def _groups(uids: list[int], sizes: dict[int, int]) -> Iterator[list[int]]:
    """Messages that are fetched together, by their sizes."""
    group, octets = list[int](), 0
    for uid in uids:
        octets += sizes.get(uid, 0)
        if group and octets > _MOST_OCTETS:
            yield group
            group, octets = [], sizes.get(uid, 0)
        group.append(uid)
    if group:
        yield group


def shown_name(folder: str) -> str:
    """The name of a folder as people read it; servers write letters beyond ASCII in a UTF-7 of their own."""
    try:
        return _SHIFTED.sub(lambda found: _unshifted(found[1]), folder)
    except UnicodeError:
        return folder


def _unshifted(text: str) -> str:
    return f"+{text.replace(',', '/')}-".encode().decode("utf-7") if text else "&"


def _folder_in(line: object) -> str:
    """The name in a line of LIST; "" for one that holds no messages. Names stay as they are written (modified UTF-7)."""
    octets = _LITERAL.sub(b"", line[0]) + line[1] if isinstance(line, tuple) else line
    found = _LISTED.fullmatch(octets) if isinstance(octets, bytes) else None
    if found is None or b"\\noselect" in found["flags"].lower():
        return ""
    name = found["name"].decode("latin-1").strip()
    return name[1:-1].replace('\\"', '"').replace("\\\\", "\\") if name.startswith('"') else name
