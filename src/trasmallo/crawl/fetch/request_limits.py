"""What one request may cost."""

from __future__ import annotations

import msgspec


class RequestLimits(msgspec.Struct, frozen=True):
    """Time in seconds and size in bytes that one request may take; beyond them it ends as TIMED_OUT or TOO_LARGE.

    `connect` covers asking the DNS, TCP, the proxy and the TLS handshake, all addresses of a host together; `first_byte` runs
    from the request to the first byte of the answer; `idle` is the longest silence after it; `total` covers everything,
    a second attempt included. Once an answer has run for `grace` seconds, its average must be `slowest` bytes a second.

    `header_bytes` counts the heads of one answer together, the interim ones (1xx) too; `wire_bytes` counts all that comes,
    chunk framing included; `body_bytes` counts the body once it is decompressed. An open request therefore holds at most
    2 x wire_bytes + 3 x body_bytes + 8 MB (the growing buffer and its copy, the same for each coding, and a window): 70 MB with
    these defaults. A connection that waits for the next request holds about 7 kB, with TLS 55 kB (measured on uvloop); at most
    `most_idle` wait, each for at most `keep_idle` seconds.
    """

    connect: float = 10.0
    first_byte: float = 30.0
    idle: float = 20.0
    total: float = 120.0
    slowest: float = 256.0
    grace: float = 10.0
    header_bytes: int = 65_536
    body_bytes: int = 10_000_000
    wire_bytes: int = 16_000_000
    keep_idle: float = 15.0
    most_idle: int = 512

    @property
    def tick(self) -> float:
        """Seconds between two looks at the clock: no limit is passed by more than this."""
        return min(0.25, min(self.first_byte, self.idle, self.total, self.keep_idle) / 4)
