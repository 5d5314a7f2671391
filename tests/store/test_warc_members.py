"""Records as they are written: nothing that an answer says breaks out of its place, and others read them."""

from __future__ import annotations

import gzip
import random
from pathlib import Path
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.warc_answers import SOFTWARE, answer, fetch_of, files_of, fill, is_accepted
from trasmallo.store.archive import Archive, records
from trasmallo.store.warc import IDENTICAL, NOT_MODIFIED, first
from trasmallo.values.model import Origin, Reached


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


def test_ids_are_random_uuids(tmp_path: Path) -> None:
    fill(tmp_path, 40)
    ids = [record.id for _, record in records(tmp_path)]
    assert len(set(ids)) == 81
    assert {UUID(name.strip("<>")).version for name in ids} == {4}


def test_no_value_breaks_out_of_the_head_of_a_revisit(tmp_path: Path) -> None:
    unchanged = answer(1, b"", status=304, address="127.0.0.1\r\nWARC-Type: response")
    origin = Origin("http://example.org/", Reached.LINK, "http://example.org/via\nTrasmallo-Run: other", 2)
    with Archive(tmp_path, software=SOFTWARE) as archive:
        _, digest = archive.append(answer(1))
        place = archive.append_revisit(unchanged, fetch_of(answer(1), digest), run="one", origin=origin, judged="a\r\n\r\nb")
        record = archive.read(place)
    assert (record.kind, record.run, record.judged) == ("revisit", "one", "a b")
    assert record.field("WARC-IP-Address") == "127.0.0.1 WARC-Type: response"
    assert record.origin.via == "http://example.org/via Trasmallo-Run: other"
    assert is_accepted(*files_of(tmp_path))
