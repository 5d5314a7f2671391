from __future__ import annotations

import gzip
import io
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from trasmallo.store.archive import Archive
from trasmallo.store.foreign import Revisit, read_foreign
from trasmallo.values.errors import DocumentError, StoreDamaged
from trasmallo.values.model import Failure, Fetch, Outcome, Response

PAGE = b"<p>caf\xe9</p>"


def written(path: Path, data: bytes) -> Path:
    path.write_bytes(data)
    return path


def warc(kind: str, url: str, block: bytes, media: str = "application/http; msgtype=response", **fields: str) -> bytes:
    lines = {"WARC-Type": kind, "WARC-Target-URI": url, "WARC-Date": "2020-05-06T07:08:09Z", "Content-Type": media}
    lines |= {name.replace("_", "-"): value for name, value in fields.items()} | {"Content-Length": str(len(block))}
    head = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
    return b"WARC/1.0\r\n" + head.encode() + b"\r\n" + block + b"\r\n\r\n"


def http(body: bytes, head: str = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n") -> bytes:
    return head.encode() + b"\r\n" + body


WARC = [
    warc("warcinfo", "", b"software: other\r\n", "application/warc-fields"),
    warc("request", "http://a.org/", b"GET / HTTP/1.1\r\n\r\n", "application/http; msgtype=request"),
    warc("response", "<http://a.org/>", http(PAGE), WARC_IP_Address="192.0.2.1"),
    warc("response", "dns:a.org", b"20200506070809\na.org. 1 IN A 192.0.2.1\n", "text/dns"),
    warc("resource", "https://a.org/r", b"plain", "text/plain"),
    warc("conversion", "http://a.org/c", b"text of it", "text/plain"),
    warc(
        "revisit",
        "http://a.org/again",
        http(b"", "HTTP/1.1 200 OK\r\nETag: x\r\n"),
        WARC_Refers_To_Target_URI="http://a.org/",
        WARC_Refers_To_Date="2020-05-06T07:08:09Z",
    ),
]


def arc(url: str, block: bytes) -> bytes:
    return f"{url} 192.0.2.1 20200506070809 text/html {len(block)}\n".encode() + block + b"\n"


VERSION = b"1 0 crawler\nURL IP-address Archive-date Content-type Archive-length\n"
ARC = [
    arc("filedesc://x.arc", VERSION).replace(b"text/html", b"text/plain"),
    arc("http://a.org/with space", http(PAGE)),
    arc("dns:a.org", b"20200506070809\n"),
    arc("http://a.org/2", http(b"second", "HTTP/1.0 404 Not here\nX: y\n").replace(b"\r\n", b"\n")),
    arc("http://a.org/old", b"<html>no head at all"),
]


@pytest.mark.parametrize("packed", ["plain", "whole", "members"])
def test_warc_files_are_read(packed: str, tmp_path: Path) -> None:
    found = list(read_foreign(written(tmp_path / "f", pack(WARC, packed))))
    page, resource, conversion, revisit = found
    assert isinstance(page, Response)
    assert (page.url, page.at, page.status, page.reason) == ("http://a.org/", 1588748889.0, 200, "OK")
    assert (page.body, page.content, page.address) == (PAGE, PAGE, "192.0.2.1")
    assert page.headers == (("Content-Type", "text/html"),)
    assert isinstance(resource, Response)
    assert (resource.status, resource.body, resource.header("content-type")) == (200, b"plain", "text/plain")
    assert isinstance(conversion, Response)
    assert conversion.body == b"text of it"
    assert isinstance(revisit, Revisit)
    assert revisit.original is not None
    assert (revisit.response.url, revisit.original.url, revisit.original.at) == (
        "http://a.org/again",
        "http://a.org/",
        1588748889.0,
    )


def pack(parts: list[bytes], how: str) -> bytes:
    if how == "plain":
        return b"".join(parts)
    return gzip.compress(b"".join(parts)) if how == "whole" else b"".join(map(gzip.compress, parts))


@pytest.mark.parametrize("packed", ["plain", "members"])
def test_arc_files_are_read_as_warcio_reads_them(packed: str, tmp_path: Path) -> None:
    data = pack(ARC, packed)
    found = list(read_foreign(written(tmp_path / "f", data)))
    assert [(one.url, one.status, one.body) for one in found if isinstance(one, Response)] == [
        ("http://a.org/with space", 200, PAGE),
        ("http://a.org/2", 404, b"second"),
        ("http://a.org/old", 200, b"<html>no head at all"),
    ]
    assert {(one.at, one.address) for one in found if isinstance(one, Response)} == {(1588748889.0, "192.0.2.1")}
    theirs = [
        (record.rec_headers.get_header("uri"), record.http_headers.get_statuscode(), record.raw_stream.read())
        for record in ArchiveIterator(io.BytesIO(pack(ARC[:2] + ARC[3:4], packed)))
        if record.rec_type == "response"
    ]
    assert theirs == [(one.url, str(one.status), one.body) for one in found[:2] if isinstance(one, Response)]


def test_arc_of_version_two_is_read(tmp_path: Path) -> None:
    version = (
        b"2 0 crawler\nURL IP-address Archive-date Content-type Result-code Checksum Location Offset Filename Archive-length\n"
    )
    block = http(PAGE)
    line = b"http://a.org/ 192.0.2.1 20200506070809 text/html 200 c - 0 x.arc %d\n" % len(block)
    first = b"filedesc://x.arc 0.0.0.0 20200506070809 text/plain %d\n" % len(version) + version + b"\n"
    (page,) = read_foreign(written(tmp_path / "f", first + line + block + b"\n"))
    assert isinstance(page, Response)
    assert (page.url, page.body, page.at) == ("http://a.org/", PAGE, 1588748889.0)


def test_our_own_files_come_in_again(tmp_path: Path) -> None:
    response = Response("http://a.org/", 5.5, 200, "OK", (("X", "y"),), PAGE, PAGE, b"GET / HTTP/1.1\r\n\r\n", "192.0.2.1")
    again = Response("http://a.org/b", 6.5, 200, "OK", (("X", "z"),), PAGE, PAGE)
    with Archive(tmp_path, software="test") as archive:
        locator, digest = archive.append(response)
        archive.append_revisit(again, Fetch(response.url, response.at, Outcome.FETCHED, digest=digest))
    one, two = read_foreign(tmp_path / locator.file)
    assert isinstance(one, Response)
    assert (one.url, one.at, one.headers, one.body, one.address) == ("http://a.org/", 5.5, (("X", "y"),), PAGE, "192.0.2.1")
    assert isinstance(two, Revisit)
    assert two.original is not None
    assert two.original.at == 5.5


def test_chunks_and_codings_are_undone(tmp_path: Path) -> None:
    packed = gzip.compress(PAGE)
    chunks = b"%x;q=1\r\n%b\r\n%X\r\n%b\r\n0\r\n\r\n" % (5, packed[:5], len(packed) - 5, packed[5:])
    head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Encoding: gzip\r\n"
    data = warc("response", "http://a.org/1", http(chunks, head)) + warc("response", "http://a.org/2", http(packed, head))
    for page in read_foreign(written(tmp_path / "f", data)):
        assert isinstance(page, Response)
        assert (page.body, page.content) == (packed, PAGE)


def test_what_is_too_large_or_broken_is_a_value(tmp_path: Path) -> None:
    bomb = http(gzip.compress(bytes(100_000)), "HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n")
    data = [
        warc("response", "http://a.org/large", http(bytes(3000))),
        warc("response", "http://a.org/bomb", bomb),
        warc("response", "http://a.org/odd", b"HTTP/1.1 what\r\n\r\n"),
        warc("response", "http://a.org/fine", http(PAGE)),
    ]
    found = list(read_foreign(written(tmp_path / "f", b"".join(data)), limit=2000))
    assert [one.outcome if isinstance(one, Failure) else one.url for one in found if not isinstance(one, Revisit)] == [
        Outcome.TOO_LARGE,
        Outcome.TOO_LARGE,
        Outcome.BROKEN,
        "http://a.org/fine",
    ]


def read_until_damage(path: Path) -> tuple[int, str]:
    count = 0
    try:
        for _ in read_foreign(path):
            count += 1
    except (StoreDamaged, DocumentError) as error:
        return count, str(error)
    return count, ""


@pytest.mark.parametrize("parts", [WARC, ARC], ids=["warc", "arc"])
@pytest.mark.parametrize("packed", ["plain", "members"])
def test_a_cut_file_is_read_up_to_the_cut_wherever_it_is(parts: list[bytes], packed: str, tmp_path: Path) -> None:
    data = pack(parts, packed)
    sizes = [len(pack([part], packed)) for part in parts]
    pages = [read_until_damage(written(tmp_path / "one", pack([parts[0], part], packed)))[0] for part in parts]
    pages[0] = 0
    for cut in range(sizes[0] + 8, len(data), 3):
        whole = max(n for n in range(len(parts)) if sum(sizes[:n]) <= cut)
        count, said = read_until_damage(written(tmp_path / "f", data[:cut]))
        # The blank lines that end a record may be missing.
        assert count in (sum(pages[:whole]), sum(pages[: whole + 1]))
        if count == sum(pages[:whole]) and cut - sum(sizes[:whole]) > 4:
            assert "is damaged at byte" in said or pages[whole] == 0
            assert not said or said.endswith(": get the file again; all before the damage was read")


def test_nonsense_is_refused_with_the_repair(tmp_path: Path) -> None:
    for data in (b"", b"hello", b"\x1f\x8b", gzip.compress(b"hello"), b"<html><DOC>"):
        with pytest.raises((DocumentError, StoreDamaged), match=r": g[ie][vt]"):
            list(read_foreign(written(tmp_path / "f", data)))
    with pytest.raises(DocumentError, match="check the path"):
        list(read_foreign(tmp_path / "missing"))


@settings(max_examples=150, deadline=None)
@given(
    start=st.sampled_from([b"WARC/1.0\r\n", b"filedesc://x 0 0 t 3\n", b"<DOC>", b"\x1f\x8b\x08\x00"]),
    rest=st.binary(max_size=200),
)
def test_hostile_bytes_only_bring_our_errors(start: bytes, rest: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    count, error = read_until_damage(written(tmp_path_factory.getbasetemp() / "hostile", start + rest))
    assert count <= len(start + rest)
    assert "\n" not in error
