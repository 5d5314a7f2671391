"""Records: what goes in comes out, whatever it is, and others read it too."""

from __future__ import annotations

import base64
import gzip
import hashlib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.warc_answers import SOFTWARE, answer, fetch_of, files_of, fill, is_accepted
from trasmallo.store.archive import Archive, ArchiveReader, records
from trasmallo.store.gzip_members import ReadWindow, read_member
from trasmallo.store.warc import first, payload_digest
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import NO_ORIGIN, Origin, Reached


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
