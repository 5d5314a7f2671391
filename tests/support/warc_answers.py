"""Answers for archives, and what other programs say of them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from warcio.checker import Checker

from trasmallo.store.archive import Archive
from trasmallo.values.model import Fetch, Locator, Outcome, Response

SOFTWARE = "trasmallo/test"


def answer(number: int = 0, body: bytes | None = None, **values: object) -> Response:
    body = f"<p>page {number}, ñandú</p>".encode() * 20 if body is None else body
    given: dict[str, object] = {
        "url": f"http://example.org/{number}",
        "at": 1_700_000_000.25 + number,
        "status": 200,
        "reason": "OK",
        "headers": (("Content-Type", "text/html"), ("Content-Length", str(len(body)))),
        "body": body,
        "content": body,
        "request": b"GET /%d HTTP/1.1\r\nHost: example.org\r\n\r\n" % number,
        "address": "192.0.2.7",
    }
    return Response(**(given | values))  # type: ignore[arg-type]


def fetch_of(response: Response, digest: str) -> Fetch:
    return Fetch(response.url, response.at, Outcome.FETCHED, response.status, digest=digest)


def is_accepted(*files: Path) -> bool:
    """Whether `warcio check` says yes, with every digest compared."""

    command = SimpleNamespace(inputs=[str(file) for file in files], verbose=False)
    return bool(Checker(command).process_all() == 0)


def files_of(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.warc.gz"))


def fill(folder: Path, count: int, roll_at: int = 10**9) -> list[Locator]:
    with Archive(folder, software=SOFTWARE, roll_at=roll_at) as archive:
        return [archive.append(answer(number))[0] for number in range(count)]
