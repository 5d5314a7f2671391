"""Records: what goes in comes out, whatever it is, and others read it too."""

from __future__ import annotations

import base64
import gzip
import hashlib
import random
import warnings
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.warc_answers import SOFTWARE, answer, fetch_of, files_of, fill, is_accepted
from trasmallo.store.archive import Archive, ArchiveReader, records
from trasmallo.store.gzip_members import ReadWindow, read_member
from trasmallo.store.warc import IDENTICAL, NOT_MODIFIED, first, payload_digest
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import NO_ORIGIN, Origin, Reached

with warnings.catch_warnings():
    # FastWARC warns of its own old names while it is imported.
    warnings.simplefilter("ignore", DeprecationWarning)


def test_an_answer_comes_back_as_it_was(tmp_path: Path) -> None:
    response = answer()
    with Archive(tmp_path, software=SOFTWARE) as archive:
        locator, digest = archive.append(response, run="first")
        record = archive.read(locator, verify=True)
    assert (record.kind, record.url, record.at, record.status, record.reason) == (
        "response", response.url, response.at, 200, "OK",
    )  # fmt: skip
    assert record.headers == response.headers
    assert record.body == response.body
    assert record.content() == response.content
    sha1 = hashlib.sha1(response.body).digest()
    assert record.digest == digest == payload_digest(response.body) == "sha1:" + base64.b32encode(sha1).decode()
    assert first(record.fields, "WARC-IP-Address") == "192.0.2.7"
    assert first(record.fields, "Trasmallo-Run") == "first"


def test_the_way_to_an_address_is_told(tmp_path: Path) -> None:
    way = Origin("http://a.es/", Reached.LINK, "http://a.es/menu?x=%C3%B1", 3)
    with Archive(tmp_path, software=SOFTWARE) as archive:
        place, digest = archive.append(answer(), origin=way)
        again = archive.append_revisit(answer(), fetch_of(answer(), digest), origin=Origin(reached=Reached.IMPORT))
        silent, _ = archive.append(answer())
        origins = [archive.read(where).origin for where in (place, again, silent)]
    assert origins == [way, Origin(reached=Reached.IMPORT), NO_ORIGIN]
    assert is_accepted(*files_of(tmp_path))


latin1 = st.text(st.characters(codec="latin-1", exclude_characters="\r\n"), max_size=30)
tokens = st.text("ABCXYZabcxyz0129!#$%&'*+.^_`|~-", min_size=1, max_size=12)
pairs = st.lists(st.tuples(tokens, latin1.map(lambda value: value.strip(" \t"))), max_size=8).map(tuple)


@settings(max_examples=60, deadline=None)
@given(headers=pairs, body=st.binary(max_size=3000), reason=latin1.map(str.strip), status=st.integers(100, 999))
def test_any_headers_and_body_come_back(
    headers: tuple[tuple[str, str], ...], body: bytes, reason: str, status: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("archive")
    with Archive(folder, software=SOFTWARE) as archive:
        locator, _ = archive.append(answer(body=body, headers=headers, reason=reason, status=status))
        record = archive.read(locator, verify=True)
    assert (record.headers, record.body, record.reason, record.status) == (headers, body, reason, status)
    assert is_accepted(*files_of(folder))


@settings(max_examples=60, deadline=None)
@given(
    url=st.text(max_size=40),
    headers=st.lists(st.tuples(st.text(max_size=12), st.text(max_size=20)), max_size=5).map(tuple),
    reason=st.text(max_size=20),
    body=st.binary(max_size=300),
    coding=st.sampled_from(["gzip", "br", "deflate", "zstd", "nonsense"]),
)
def test_hostile_heads_never_break_out_of_their_record(
    url: str,
    headers: tuple[tuple[str, str], ...],
    reason: str,
    body: bytes,
    coding: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    folder = tmp_path_factory.mktemp("archive")
    response = answer(url=url, headers=(*headers, ("Content-Encoding", coding)), reason=reason, body=body)
    with Archive(folder, software=SOFTWARE) as archive:
        archive.append(response)
        archive.append(answer(7))
    kinds = [record.kind for _, record in records(folder, verify=True)]
    assert kinds == ["warcinfo", "response", "request", "response", "request"]
    bodies = [record.body for _, record in records(folder) if record.kind == "response"]
    assert bodies == [body, answer(7).body]


def test_a_body_without_chunks_is_said_to_have_none(tmp_path: Path) -> None:
    chunked = answer(headers=(("Transfer-Encoding", "chunked"), ("Content-Type", "text/html")))
    cut = answer(1, headers=(("content-length", "999999"),))
    with Archive(tmp_path, software=SOFTWARE) as archive:
        one, two = (archive.read(archive.append(response)[0]).headers for response in (chunked, cut))
    length = str(len(chunked.body))
    assert one == (("X-Crawler-Transfer-Encoding", "chunked"), ("Content-Type", "text/html"), ("Content-Length", length))
    assert two == (("X-Crawler-content-length", "999999"), ("Content-Length", length))
    assert is_accepted(*files_of(tmp_path))


def test_compressed_bodies_are_kept_as_they_came(tmp_path: Path) -> None:
    text = random.Random(3).randbytes(2000).hex().encode()
    body = gzip.compress(text, mtime=0)
    response = answer(body=body, headers=(("Content-Encoding", "gzip"),), content=text)
    with Archive(tmp_path, software=SOFTWARE) as archive:
        locator, _ = archive.append(response)
        record = archive.read(locator)
    assert record.body == body
    assert record.content() == text
    assert record.content(limit=1000) is None
    assert body in files_of(tmp_path)[0].read_bytes()
    assert is_accepted(*files_of(tmp_path))


def test_a_revisit_points_to_the_original(tmp_path: Path) -> None:
    original, again = answer(1), answer(2, body=answer(1).body)
    with Archive(tmp_path, software=SOFTWARE) as archive:
        _, digest = archive.append(original)
        record = archive.read(archive.append_revisit(again, fetch_of(original, digest)))
    assert record.kind == "revisit"
    assert (record.url, record.status, record.headers, record.body) == (again.url, 200, again.headers, b"")
    assert record.original is not None
    assert (record.original.url, record.original.at) == (original.url, original.at)
    assert record.digest == digest
    assert first(record.fields, "WARC-Profile") == IDENTICAL
    assert is_accepted(*files_of(tmp_path))


def test_not_modified_has_its_own_profile(tmp_path: Path) -> None:
    with Archive(tmp_path, software=SOFTWARE) as archive:
        _, digest = archive.append(answer(1))
        unchanged = answer(1, status=304, reason="Not Modified", body=b"", headers=(("ETag", '"x"'),))
        record = archive.read(archive.append_revisit(unchanged, fetch_of(answer(1), digest)))
    assert first(record.fields, "WARC-Profile") == NOT_MODIFIED
    assert (record.status, record.headers) == (304, (("ETag", '"x"'),))
    assert is_accepted(*files_of(tmp_path))


def test_metadata_is_kept(tmp_path: Path) -> None:
    with Archive(tmp_path, software=SOFTWARE) as archive:
        record = archive.read(archive.append_metadata("http://example.org/", (("via", "año\r\nx: y"),), at=5.0))
    assert (record.kind, record.url, record.at) == ("metadata", "http://example.org/", 5.0)
    assert record.body == "via: año x: y\r\n".encode()
    assert is_accepted(*files_of(tmp_path))


@pytest.mark.parametrize("name", ["Block", "Payload"])
def test_a_digest_that_differs_is_damage_only_when_asked(name: str, tmp_path: Path) -> None:
    locator = fill(tmp_path, 1)[0]
    (file,) = files_of(tmp_path)
    with file.open("rb") as stream:
        data = read_member(ReadWindow(stream.fileno()), locator.offset, 10**6)[0]
    wrong = data.replace(b"-%b-Digest: sha1:" % name.encode(), b"-%b-Digest: sha1:X" % name.encode())
    file.write_bytes(gzip.compress(wrong))
    assert len(list(records(file))) == 1
    with pytest.raises(StoreDamaged, match=f"{name.lower()} digest differs"):
        list(records(file, verify=True))


def test_heads_of_other_programs_are_understood(tmp_path: Path) -> None:
    head = (
        b"WARC/1.0\r\nwarc-type:response\r\nWARC-Target-URI: <http://example.org/\r\n\ta>\r\n"
        b"WARC-Date: 2026-01-01T00:00:00Z\r\nCONTENT-TYPE: application/http\r\n"
        b"Content-length : 24\r\nWARC-Block-Digest: md5:00\r\n\r\n"
    )
    path = tmp_path / "other.warc.gz"
    path.write_bytes(gzip.compress(head + b"HTTP/1.0 404 Gone\nA:b\n\nc" + b"\r\n\r\n"))
    ((_, record),) = records(path, verify=True)
    assert (record.kind, record.url, record.at) == ("response", "http://example.org/ a", 1767225600.0)
    assert (record.status, record.reason, record.headers, record.body) == (404, "Gone", (("A", "b"),), b"c")
    assert (record.digest, record.original, record.field("No-Such")) == ("", None, "")


def test_a_record_is_a_frozen_value(tmp_path: Path) -> None:
    locators = fill(tmp_path, 2)
    with ArchiveReader(tmp_path) as reader:
        one, again, other = reader.read(locators[0]), reader.read(locators[0]), reader.read(locators[1])
    assert one == again != other
    assert len({one, again, other}) == 2
    assert one != locators[0]
    assert repr(one) == "Record('response', 'http://example.org/0', 1700000000.25)"
    for name in ("url", "body", "anything"):
        with pytest.raises(AttributeError):
            setattr(one, name, "x")


def test_ids_are_random_uuids(tmp_path: Path) -> None:
    fill(tmp_path, 40)
    ids = [record.id for _, record in records(tmp_path)]
    assert len(set(ids)) == 81
    assert {UUID(name.strip("<>")).version for name in ids} == {4}
