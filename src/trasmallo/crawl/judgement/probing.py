"""Judge of a crawl's answers, with what it knows of each host: a probe a host at most, kept in a file of the run.

A line of the file is the answer of one host, so that a crawl that was killed asks none twice.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import BinaryIO
from urllib.parse import urlsplit

import msgspec

from trasmallo.crawl.judgement.judge import judge
from trasmallo.crawl.judgement.judgement import Judgement
from trasmallo.crawl.judgement.soft_404 import ProbeAnswer, probe_of, read_probe
from trasmallo.crawl.judgement.suspicion import Suspicion
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.errors import disk_errors
from trasmallo.values.model import Failure, Response, Target
from trasmallo.values.urls import host_key

_MOST_HOSTS = 20_000
"""Hosts whose answers are remembered, the last ones; 5 kB at most, some hundred bytes where they say 404."""

Allows = Callable[[str], bool]
"""Whether an address may be asked for: robots.txt and the border of the crawl have a say."""


class AnswerJudge:
    """Judges answers; without `probes` no host is ever probed. A context manager that closes its file, if it has one."""

    def __init__(self, path: Path | None = None, *, probes: bool = True, most: int = _MOST_HOSTS) -> None:
        self._probes = probes
        self._most = most
        self._path = path
        self._suspicion = Suspicion()
        self._known: dict[str, ProbeAnswer | None] = {}
        self._file: BinaryIO | None = None
        if path is not None and probes:
            self._open(path)

    def __enter__(self) -> AnswerJudge:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self._file is not None:
            self._file.close()

    def judge(self, target: Target, answer: Response | Failure) -> Judgement:
        """What the answer to a target is. Start addresses and roots of hosts are no soft 404."""
        known = self._known.get(host_key(target.url)) if self._known else None
        return judge(answer, known if known and not _is_meant(target) else None)

    def probe_for(self, target: Target, answer: Response | Failure, judgement: Judgement, allows: Allows) -> str:
        """An address to ask for before the answer is believed, "" when there is no reason or the host was asked; it is now."""
        if not self._probes or isinstance(answer, Failure) or not self._suspicion.rises(answer, judgement.outcome):
            return ""
        host = host_key(target.url)
        if host in self._known or _is_meant(target):
            return ""
        self._keep(host, None)
        return next(filter(allows, (probe_of(target.url), probe_of(host + "/"))), "")

    def learn(self, url: str, answer: Response | Failure) -> None:
        """Keep what a host answered to a probe; a failure tells nothing, and is not asked again in this session."""
        read = read_probe(url, answer) if isinstance(answer, Response) else None
        if read is None:
            return
        self._keep(read.host, read)
        if self._file is not None and self._path is not None:
            with disk_errors(self._path):
                self._file.write(msgspec.json.encode(read) + b"\n")

    def _keep(self, host: str, answer: ProbeAnswer | None) -> None:
        self._known.pop(host, None)
        if len(self._known) >= self._most:
            del self._known[next(iter(self._known))]
        self._known[host] = answer if answer is not None and answer.is_soft else None

    def _open(self, path: Path) -> None:
        decode = msgspec.json.Decoder(decodable(ProbeAnswer)).decode
        with disk_errors(path):
            self._file = path.open("a+b", buffering=0)
            self._file.seek(0)
            for line in self._file.read().split(b"\n"):
                with suppress(*UNDECODABLE):  # what a kill has torn
                    read = decode(line)
                    self._keep(read.host, read)
            if self._file.tell():
                self._file.write(b"\n")


def _is_meant(target: Target) -> bool:
    """Whether a person means an address: a seed or where it leads, and the root of a host."""
    return target.depth == 0 or (target.url.endswith("/") and urlsplit(target.url).path == "/")
