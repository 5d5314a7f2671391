"""Writing, reading and looking up pages in WARC files, beside warcio and FastWARC: one run, one table, CPU seconds.

Everybody writes the same answers with their requests, gzip member by member, with block and payload digests in sha1, and
reads all of them back: kind and URL of every record, status, media type and body of every answer. Once as each does it by
default, which compares no digests; once with the digests of block and payload compared (FastWARC knows only that of the
block); and once with the content of the bodies, what a server compressed unpacked again.
"""

from __future__ import annotations

import argparse
import gzip
import io
import random
import statistics
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from trasmallo.store.archive import Archive, ArchiveReader, records
from trasmallo.store.warc import payload_digest
from trasmallo.values.model import Locator, Response

DEFAULT = "as each does by default"
DIGESTS = "block and payload digests"
CONTENT = "bodies decoded"
MEDIA = "text/html; charset=utf-8"
REQUEST = (
    b"GET /%d HTTP/1.1\r\nHost: www.example.org\r\nUser-Agent: bench\r\nAccept: text/html\r\nAccept-Encoding: gzip\r\n\r\n"
)


def make_pages(count: int, packed: bool) -> list[Response]:
    """Pages of some 30 kB: words by Zipf's law between the usual markup; `packed` as servers send them."""
    chance = random.Random(20261115)
    words = ["".join(chance.choices("aeiorsnltdcmpubgvyqhfzjñ", k=chance.randint(2, 11))) for _ in range(20_000)]
    weights = [1 / (rank + 3) for rank in range(len(words))]
    return [_page(number, chance, words, weights, packed) for number in range(count)]


def _page(number: int, chance: random.Random, words: list[str], weights: list[float], packed: bool) -> Response:
    blocks = []
    for _ in range(max(3, int(chance.lognormvariate(4.3, 0.5)))):
        text = " ".join(chance.choices(words, weights, k=chance.randint(5, 70)))
        link = f"/{chance.choice(words)}/{chance.randint(1, 99999)}"
        blocks.append(
            f'<div class="entry col-{chance.randint(1, 12)}"><p>{text}</p><a href="{link}">{chance.choice(words)}</a></div>\n'
        )
    content = f"<!doctype html><html><head><title>{number}</title></head><body>{''.join(blocks)}</body></html>".encode()
    body = gzip.compress(content, 6) if packed else content
    headers = (
        ("Date", "Sun, 15 Nov 2026 10:00:00 GMT"),
        ("Server", "nginx"),
        ("Content-Type", "text/html; charset=utf-8"),
        *((("Content-Encoding", "gzip"),) if packed else ()),
        ("Content-Length", str(len(body))),
        ("ETag", f'"{chance.getrandbits(64):x}"'),
    )
    url = f"http://www.example.org/{number}"
    return Response(url, 1.79e9 + number, 200, "OK", headers, body, content, REQUEST % number, "192.0.2.1")


def write_ours(pages: list[Response], folder: Path) -> list[Locator]:
    with Archive(folder, software="bench") as archive:
        return [archive.append(page)[0] for page in pages]


def write_warcio(pages: list[Response], folder: Path) -> None:
    with (folder / "w.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="WARC/1.1")
        for page in pages:
            head = StatusAndHeaders("200 OK", list(page.headers), protocol="HTTP/1.1")
            lines = [line.split(": ", 1) for line in page.request.decode().split("\r\n")[1:] if line]
            asked = StatusAndHeaders(
                page.request.decode().split("\r\n", 1)[0], [(a, b) for a, b in lines], is_http_request=True
            )
            fields = {"WARC-IP-Address": page.address}
            answer = writer.create_warc_record(
                page.url, "response", io.BytesIO(page.body), len(page.body), http_headers=head, warc_headers_dict=dict(fields)
            )
            request = writer.create_warc_record(page.url, "request", http_headers=asked, warc_headers_dict=dict(fields))
            writer.write_request_response_pair(request, answer)
            answer.raw_stream.close()
            request.raw_stream.close()


def read_ours(folder: Path, mode: str) -> Iterator[int]:
    for _, record in records(folder, verify=mode == DIGESTS):
        if record.kind == "response" and record.url and record.status == 200 and record.header("Content-Type") == MEDIA:
            yield len((record.content() or b"") if mode == CONTENT else record.body)


def read_warcio(folder: Path, mode: str) -> Iterator[int]:
    for path in folder.glob("*.gz"):
        with path.open("rb") as file:
            for record in ArchiveIterator(file, check_digests=mode == DIGESTS):
                body = record.content_stream().read() if mode == CONTENT else record.raw_stream.read()
                assert record.digest_checker.passed is not False
                if record.rec_type == "response" and record.rec_headers.get_header("WARC-Target-URI"):
                    head = record.http_headers
                    if head.get_statuscode() == "200" and head.get_header("Content-Type") == MEDIA:
                        yield len(body)


def read_fastwarc(folder: Path, mode: str) -> Iterator[int]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        from fastwarc.warc import ArchiveIterator as FastIterator
    decoding = "all" if mode == CONTENT else "none"
    for path in folder.glob("*.gz"):
        with path.open("rb") as file:
            for record in FastIterator(file, parse_http=True, verify_digests=mode == DIGESTS, auto_decode=decoding):
                body = record.reader.read()
                if record.headers["WARC-Type"] == "response" and record.headers["WARC-Target-URI"]:
                    head = record.http_headers
                    if head.status_code == 200 and head["Content-Type"] == MEDIA:
                        yield len(body)


def cpu(job: Callable[[], object], times: int = 5) -> float:
    """The best of some runs in CPU seconds of this process, the kernel's part for it included."""
    best = float("inf")
    for _ in range(times):
        start = time.process_time()
        job()
        best = min(best, time.process_time() - start)
    return best


def measure_writing(pages: list[Response], where: Path) -> dict[str, float]:
    size = sum(len(page.body) for page in pages) / 1e6

    def into_new(write: Callable[[list[Response], Path], object]) -> Callable[[], object]:
        return lambda: write(pages, Path(tempfile.mkdtemp(dir=where)))

    return {"trasmallo": size / cpu(into_new(write_ours)), "warcio": size / cpu(into_new(write_warcio))}


def measure_appending(pages: list[Response], where: Path) -> float:
    """CPU microseconds for one page in a crawl, which knows the digest of the payload already."""
    digests = [payload_digest(page.body) for page in pages]

    def append_all() -> None:
        with Archive(Path(tempfile.mkdtemp(dir=where)), software="bench") as archive:
            for page, digest in zip(pages, digests, strict=True):
                archive.append(page, run="bench", digest=digest)

    return cpu(append_all) / len(pages) * 1e6


def measure_reading(pages: list[Response], folder: Path, mode: str) -> dict[str, float]:
    """MB of bodies as they are stored, or of content, per CPU second; everybody in turn, the best turn of each."""
    size = sum(len(page.content if mode == CONTENT else page.body) for page in pages)
    readers = {"trasmallo": read_ours, "warcio": read_warcio, "fastwarc": read_fastwarc}
    best = dict.fromkeys(readers, float("inf"))
    for _ in range(5):
        for name, read in readers.items():
            start = time.process_time()
            assert sum(read(folder, mode)) == size, name
            best[name] = min(best[name], time.process_time() - start)
    return {name: size / 1e6 / seconds for name, seconds in best.items()}


def measure_lookups(folder: Path, locators: list[Locator]) -> tuple[float, float]:
    """CPU microseconds for one record somewhere, median and 99th of a hundred; a clock would count the other programs too."""
    asked = random.Random(7).choices(locators, k=5000)
    times = []
    with ArchiveReader(folder) as reader:
        for locator in asked:
            start = time.process_time()
            reader.read(locator)
            times.append((time.process_time() - start) * 1e6)
    return statistics.median(times), statistics.quantiles(times, n=100)[98]


def measure_recovery(folder: Path) -> tuple[float, float]:
    """MB of the newest file, and CPU seconds to open it after its end was torn."""
    newest = max(folder.glob("*.gz"))
    with newest.open("r+b") as file:
        file.truncate(newest.stat().st_size - 10)
    return newest.stat().st_size / 1e6, cpu(lambda: Archive(folder, software="bench").close(), 1)


def report(label: str, pages: list[Response], where: Path) -> None:
    folder = Path(tempfile.mkdtemp(dir=where))
    locators = write_ours(pages, folder)
    size = sum(len(page.body) for page in pages) / 1e6
    stored = sum(path.stat().st_size for path in folder.glob("*.gz")) / 1e6
    print(f"\n{label}: {len(pages)} pages, {size:.1f} MB, {stored / size:.2f} of it on disk")
    jobs = (
        ("write", measure_writing(pages, where)),
        *((f"read, {mode}", measure_reading(pages, folder, mode)) for mode in (DEFAULT, DIGESTS, CONTENT)),
    )
    for job, speeds in jobs:
        for name, speed in speeds.items():
            print(f"  {job:40}{name:12}{speed:8.0f} MB per CPU s {speed / speeds['warcio']:6.1f}x warcio")
    print(f"  one page appended by a crawl: {measure_appending(pages, where):.0f} CPU µs")
    p50, p99 = measure_lookups(folder, locators)
    print(f"  one record somewhere: p50 {p50:.0f} CPU µs, p99 {p99:.0f}")
    megabytes, seconds = measure_recovery(folder)
    print(f"  opened after a kill: {seconds * 1000:.1f} CPU ms for a file of {megabytes:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    count = parser.parse_args().pages
    with tempfile.TemporaryDirectory() as where:
        report("pages as text", make_pages(count, packed=False), Path(where))
        report("pages as gzip from the server", make_pages(count, packed=True), Path(where))


if __name__ == "__main__":
    main()
