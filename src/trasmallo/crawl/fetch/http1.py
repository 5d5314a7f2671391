"""Read an HTTP/1 answer as it comes in pieces (RFC 9112), forgiving what browsers forgive.

Forgiven: bare LF as line end, header lines without a colon (left out), folded lines, blanks before the colon, control
characters in headers (read as blanks), a Content-Length that is no number (the body then ends with the connection), both
framings at once (chunks win and the connection is not used again), bytes after the answer (same), a missing reason, any
status from 100 to 999.

Not forgiven: no "HTTP/" in front, a NUL in the headers, two different lengths, broken chunks, an end before the promised one.
"""

from __future__ import annotations

import re
from typing import NoReturn

from trasmallo.crawl.fetch.misfortune import Misfortune
from trasmallo.crawl.fetch.request_limits import RequestLimits
from trasmallo.values.model import Outcome

_HEAD_END = re.compile(rb"\n\r?\n").search
_STATUS_LINE = re.compile(r"HTTP/(\d)(?:\.(\d))?[ \t]+([1-9]\d\d)(?:[ \t]+(.*))?", re.DOTALL).fullmatch
_FOLD = re.compile(r"\r?\n[ \t]+")
_CONTROL = re.compile(r"[\x01-\x08\x0b-\x1f\x7f]")
_READ_CHUNK_SIZE = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t\r]*(?:;.*)?", re.DOTALL).fullmatch
_LONGEST_CHUNK_LINE = 4096  # judgement: bytes; a size in hex and extensions that nobody sends
# Chunks cost 2 µs each: a body of single bytes would be ten seconds of work.
_MOST_CHUNKS = 100_000
_FRAMING = frozenset(("content-length", "transfer-encoding", "connection", "content-encoding"))
_MAGIC = b"HTTP/"

Headers = tuple[tuple[str, str], ...]


# What the next byte belongs to. Plain numbers: members of an enum are five times as slow to look up.
_HEAD, _COUNTED, _UNTIL_CLOSE, _CHUNK_SIZE, _CHUNK, _CHUNK_END, _TRAILER, _DONE = range(8)


def parse_head(head: bytes) -> tuple[int, int, str, Headers]:
    """Version (10 or 11), status, reason and headers of an answer's head without its empty line; raises `Misfortune` BROKEN."""
    text = head.decode("latin-1")
    if "\0" in text:
        raise _broken("a NUL character in the headers")
    if "\n " in text or "\n\t" in text:
        text = _FOLD.sub(" ", text)
    text = text.replace("\r\n", "\n").removesuffix("\r")
    if _CONTROL.search(text):
        text = _CONTROL.sub(" ", text)
    first, *lines = text.split("\n")
    found = _STATUS_LINE(first)
    if found is None:
        raise _broken("the status line is not HTTP's")
    pairs = [line.partition(":") for line in lines]
    headers = [(name, value.strip()) for before, colon, value in pairs if colon and (name := before.strip())]
    version = 11 if (found[1], found[2] or "0") >= ("1", "1") else 10
    return version, int(found[3]), (found[4] or "").strip(), tuple(headers)


def _broken(cause: str) -> Misfortune:
    return Misfortune(Outcome.BROKEN, cause)


class ResponseParser:
    """One answer on its way in. Feed it until `feed` says True, or call `end` when the connection ends.

    `bodiless` is for what never has a body, whatever the headers say: answers to HEAD, and to CONNECT when it succeeds.
    `expected` is the promised length of the body, 0 when unknown; `reusable` says whether the connection can be used again.
    """

    __slots__ = (
        "_bodiless",
        "_chunks",
        "_heads",
        "_held",
        "_left",
        "_limits",
        "_most",
        "_part",
        "_payload",
        "coding",
        "expected",
        "headers",
        "reason",
        "received",
        "reusable",
        "status",
    )

    def __init__(self, limits: RequestLimits, *, bodiless: bool = False) -> None:
        self._limits = limits
        self._bodiless = bodiless
        self._part = _HEAD
        self._held = bytearray()
        self._payload = bytearray()
        self._heads = self._left = self._most = self._chunks = 0
        self.received = self.status = self.expected = 0
        self.reason = self.coding = ""
        self.headers: Headers = ()
        self.reusable = False

    @property
    def body(self) -> bytes:
        """The payload without transfer coding, still compressed."""
        return bytes(self._payload)

    @property
    def loaded(self) -> int:
        """Bytes of the payload so far."""
        return len(self._payload)

    def feed(self, data: bytes) -> bool:
        """Take the next bytes; True when the answer is whole. Raises `Misfortune` BROKEN or TOO_LARGE."""
        self.received += len(data)
        if self.received > self._limits.wire_bytes:
            self._refuse_size(self._limits.wire_bytes)
        if self._part == _HEAD:
            data = self._feed_head(data)
        if self._part == _COUNTED:
            self._feed_counted(data)
        elif self._part == _UNTIL_CLOSE:
            self._take(data)
        elif self._part != _HEAD:
            self._feed_chunks(data)
        return self._part == _DONE

    def end(self) -> None:
        """The connection ended: right for a body that ends with it, else raises `Misfortune` BROKEN."""
        if self._part == _HEAD:
            raise _broken("the connection ended within the headers")
        if self._part == _COUNTED:
            raise _broken(f"the connection ended after {self.loaded} of {self.expected} bytes")
        if self._part not in (_UNTIL_CLOSE, _DONE):
            raise _broken(f"the connection ended within a chunk, after {self.loaded} bytes")
        self._part = _DONE

    def _feed_head(self, data: bytes) -> bytes:
        """Collect heads until the final one; what follows it is returned. Most come in one piece, which is not copied."""
        held = self._held
        if not held and data.startswith(_MAGIC) and (whole := _HEAD_END(data)):
            self._check_head_size(whole.end())
            if self._take_head(data[: whole.start()]):
                return data[whole.end() :]
            self._heads += whole.end()
            data = data[whole.end() :]
        start = max(0, len(held) - 3)
        held += data
        if not self._heads and held.startswith((b"\r", b"\n")):
            held[:] = held.lstrip(b"\r\n")
        while held:
            if not held.startswith(_MAGIC[: len(held)]):
                raise _broken("the answer is not HTTP")
            found = _HEAD_END(held, start)
            self._check_head_size(found.end() if found else len(held))
            if found is None:
                break
            head, start = bytes(held[: found.start()]), 0
            del held[: found.end()]
            if self._take_head(head):
                rest = bytes(held)
                held.clear()
                return rest
            self._heads += found.end()
        return b""

    def _check_head_size(self, size: int) -> None:
        if self._heads + size > self._limits.header_bytes:
            raise Misfortune(Outcome.TOO_LARGE, f"more than {self._limits.header_bytes} bytes of headers")

    def _take_head(self, head: bytes) -> bool:
        """Read a head; False for an interim one, which only says that the final one will come."""
        version, self.status, self.reason, self.headers = parse_head(head)
        if self.status == 101:
            raise _broken("the server switches to another protocol")
        if self.status < 200:
            return False
        self._frame(version)
        return True

    def _frame(self, version: int) -> None:
        """Find out where the body ends (RFC 9112, section 6.3)."""
        fields: dict[str, str] = {}
        for name, value in self.headers:
            low = name.lower()
            if low in _FRAMING:
                fields[low] = f"{fields[low]},{value}" if low in fields else value
        self.coding = fields.get("content-encoding", "")
        self._most = self._limits.wire_bytes if self.coding else self._limits.body_bytes
        options = [option.strip() for option in fields.get("connection", "").lower().split(",")]
        self.reusable = "close" not in options if version == 11 else "keep-alive" in options
        transfer = fields.get("transfer-encoding", "").lower().strip() if version == 11 else ""
        if self._bodiless or self.status in (204, 304):
            self._finish(b"")
        elif transfer not in ("", "identity"):
            self.reusable = self.reusable and "content-length" not in fields
            self._part = _CHUNK_SIZE if transfer.endswith("chunked") else _UNTIL_CLOSE
        else:
            self._count(fields.get("content-length"))
        if self._part == _UNTIL_CLOSE:
            self.reusable = False

    def _count(self, length: str | None) -> None:
        values = {value.strip() for value in (length or "").split(",")}
        if len(values) > 1:
            raise _broken("the headers promise two different lengths")
        value = values.pop()
        if not (value.isascii() and value.isdigit()):
            self._part = _UNTIL_CLOSE
            return
        if len(value) > 18 or int(value) > self._most:
            self._refuse_size(self._most)
        self._part = _COUNTED
        self.expected = self._left = int(value)

    def _feed_counted(self, data: bytes) -> None:
        if len(data) < self._left:
            self._left -= len(data)
            self._take(data)
            return
        self._take(data[: self._left])
        self._finish(data[self._left :])

    def _feed_chunks(self, data: bytes) -> None:
        if self._held:
            data = bytes(self._held) + data
            self._held.clear()
        position = 0
        while position < len(data) and self._part != _DONE:
            if self._part == _CHUNK:
                position += self._feed_chunk(data[position : position + self._left])
                continue
            line_end = data.find(b"\n", position)
            if line_end < 0:
                self._hold(data[position:])
                return
            self._take_chunk_line(data[position:line_end])
            position = line_end + 1
        if self._part == _DONE:
            self._finish(data[position:])

    def _feed_chunk(self, piece: bytes) -> int:
        self._take(piece)
        self._left -= len(piece)
        if not self._left:
            self._part = _CHUNK_END
        return len(piece)

    def _hold(self, line: bytes) -> None:
        """Keep the beginning of a line until its end comes."""
        if len(line) > _LONGEST_CHUNK_LINE:
            raise _broken("the size of a chunk is not written as HTTP does")
        self._held += line

    def _take_chunk_line(self, line: bytes) -> None:
        if self._part == _TRAILER:
            self._heads += len(line)
            self._check_head_size(0)
            if line in (b"", b"\r"):
                self._part = _DONE
        elif self._part == _CHUNK_END:
            if line not in (b"", b"\r"):
                raise _broken("a chunk is longer than it says")
            self._part = _CHUNK_SIZE
        else:
            self._take_chunk_size(line)

    def _take_chunk_size(self, line: bytes) -> None:
        found = _READ_CHUNK_SIZE(line)
        if found is None:
            raise _broken("the size of a chunk is not written as HTTP does")
        self._chunks += 1
        if self._chunks > _MOST_CHUNKS:
            raise _broken(f"more than {_MOST_CHUNKS} chunks")
        self._left = int(found[1], 16)
        if self.loaded + self._left > self._most:
            self._refuse_size(self._most)
        self._part = _CHUNK if self._left else _TRAILER

    def _take(self, data: bytes) -> None:
        self._payload += data
        if len(self._payload) > self._most:
            self._refuse_size(self._most)

    def _finish(self, rest: bytes) -> None:
        """The answer is whole; whatever follows was not asked for, so the connection cannot be trusted any more."""
        self._part = _DONE
        if rest:
            self.reusable = False

    def _refuse_size(self, limit: int) -> NoReturn:
        raise Misfortune(Outcome.TOO_LARGE, f"more than {limit} bytes")
