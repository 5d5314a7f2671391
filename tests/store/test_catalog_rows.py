from __future__ import annotations

import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.store import catalog_rows
from trasmallo.values.access import Access
from trasmallo.values.errors import StoreDamaged, StoreTooNew, UrlError
from trasmallo.values.model import NO_ORIGIN, Fetch, Locator, Origin, Outcome, Reached

NAMES = {1: "text/html", 2: "a.warc.gz", 70_000: "z.warc.gz"}
TIMES = st.floats(allow_nan=False, allow_infinity=False)
DIGESTS = st.one_of(
    st.just(""),
    st.binary(min_size=20, max_size=20).map(catalog_rows.sha1_text),
    st.sampled_from(["sha1:" + "a" * 32, "sha1:" + "_" * 32, "sha1:" + "+1" * 16, "sha256:" + "0" * 64, "md5:x", "\ud800"]),
)
LINKS = st.sampled_from(["", "http://a/", "https://b.es/%C3%B1?x=1"])
FETCHES = st.builds(
    Fetch,
    url=st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=40),
    at=TIMES,
    outcome=st.sampled_from(Outcome),
    status=st.integers(0, 1 << 20),
    media=st.sampled_from(["", "text/html", "x/" + "y" * 300]),
    digest=DIGESTS,
    size=st.integers(0, 1 << 40),
    locator=st.none()
    | st.builds(Locator, st.sampled_from(["a.warc.gz", "z.warc.gz"]), st.integers(0, 1 << 40), st.integers(0, 1 << 33)),
    location=st.text(max_size=20),
    cause=st.text(max_size=20),
    origin=st.just(NO_ORIGIN)
    | st.builds(Origin, LINKS, st.sampled_from(Reached).filter(bool), LINKS, st.none() | st.integers(0, 99)),
    etag=st.sampled_from(["", '"x-1"', 'W/"á"']),
    modified=st.sampled_from(["", "Mon, 16 Nov 2026 10:00:00 GMT"]),
    access=st.sampled_from([None, Access(uid=1, gid=2, mode=0o640, acl=("user:7:r--",), mailbox="ana", path="/a%FF")]),
)


def pack(fetch: Fetch) -> bytes:
    numbers = {name: number for number, name in NAMES.items()}
    file = numbers[fetch.locator.file] if fetch.locator else 0
    return catalog_rows.pack(
        fetch, fetch.url.encode(), catalog_rows.sha1_bytes(fetch.digest), numbers.get(fetch.media, 0), file
    )


def unpack(row: bytes) -> Fetch:
    return catalog_rows.unpack(row, NAMES.__getitem__, NAMES.__getitem__)


@settings(max_examples=60, deadline=None)
@given(FETCHES)
def test_a_row_comes_back_as_it_was(fetch: Fetch) -> None:
    assert unpack(pack(fetch)) == fetch


@settings(max_examples=60, deadline=None)
@given(FETCHES)
def test_parts_of_a_row_are_those_of_the_whole(fetch: Fetch) -> None:
    row = pack(fetch)
    assert catalog_rows.origin_in(row) == fetch.origin
    assert NAMES.get(catalog_rows.media_in(row), "") == (fetch.media if len(fetch.media) < 60 else "")
    for cut in (0, 2, 5):
        with pytest.raises(StoreDamaged):
            catalog_rows.media_in(row[:cut])
        with pytest.raises(StoreDamaged):
            catalog_rows.origin_in(row[:cut])


@settings(max_examples=40, deadline=None)
@given(FETCHES, st.integers(9, 255), st.binary(max_size=30))
def test_fields_of_later_versions_are_skipped(fetch: Fetch, tag: int, content: bytes) -> None:
    assert unpack(pack(fetch) + struct.pack("<BI", tag, len(content)) + content) == fetch


def test_an_ordinary_row_is_short() -> None:
    place = Locator("a.warc.gz", 1 << 29, 9000)
    fetch = Fetch("http://a/", 1.7e9, Outcome.FETCHED, 200, "text/html", catalog_rows.sha1_text(bytes(20)), 40_000, place)
    assert len(pack(fetch)) - len(fetch.url) == 53


def test_a_seed_is_not_written_twice() -> None:
    seed = Fetch("http://a.es/", 1.0, Outcome.TIMED_OUT, origin=Origin("http://a.es/", Reached.SEED, "", 0))
    assert unpack(pack(seed)) == seed
    assert pack(seed).count(b"http://a.es/") == 1


def test_every_way_to_an_address_has_its_own_code() -> None:
    assert set(catalog_rows.REACHED_CODES) == set(Reached) - {Reached.UNKNOWN}
    assert len(set(catalog_rows.REACHED_CODES.values())) == len(catalog_rows.REACHED_CODES)


def test_every_outcome_has_its_own_code() -> None:
    assert set(catalog_rows.OUTCOME_CODES) == set(Outcome)
    assert len(set(catalog_rows.OUTCOME_CODES.values())) == len(Outcome)


def test_a_row_of_a_later_format_is_refused() -> None:
    row = pack(Fetch("http://a/", 1.0, Outcome.FETCHED))
    with pytest.raises(StoreTooNew):
        unpack(bytes((catalog_rows.FORMAT + 1,)) + row[1:])
    with pytest.raises(StoreTooNew):
        unpack(row[:1] + b"\xff" + row[2:])


@pytest.mark.parametrize("length", [0, 1, 10, 30])
def test_a_row_cut_short_is_damage(length: int) -> None:
    row = pack(Fetch("http://a/", 1.0, Outcome.FETCHED))
    with pytest.raises(StoreDamaged, match="trasmallo repair"):
        unpack(row[:length])


def test_a_row_cut_within_the_url_or_a_field_is_damage() -> None:
    row = pack(Fetch("http://a/", 1.0, Outcome.TLS, cause="expired"))
    for length in range(len(row)):
        if length != len(row) - len("expired") - 5:  # there it ends like a row without a cause
            with pytest.raises(StoreDamaged):
                unpack(row[:length])


@given(TIMES, TIMES)
def test_time_keys_sort_the_newest_first(one: float, other: float) -> None:
    assert (catalog_rows.time_key(one) > catalog_rows.time_key(other)) == (one < other)
    assert (catalog_rows.time_key(one) == catalog_rows.time_key(other)) == (one == other)


@given(
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
    st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])),
)
def test_text_keys_sort_as_bytes_and_none_begins_another(one: str, other: str) -> None:
    assert (catalog_rows.text_key(one) < catalog_rows.text_key(other)) == (one.encode() < other.encode())
    assert one == other or not catalog_rows.text_key(one).startswith(catalog_rows.text_key(other))


@pytest.mark.parametrize("text", ["http://a/\0b", "http://a/\udcff"])
def test_what_no_url_can_hold_is_refused_with_the_repair(text: str) -> None:
    with pytest.raises(UrlError, match="write"):
        catalog_rows.text_key(text)


@given(DIGESTS, DIGESTS)
def test_digest_keys_have_eight_bytes_and_follow_the_digest(one: str, other: str) -> None:
    key, other_key = (catalog_rows.digest_key(digest, catalog_rows.sha1_bytes(digest)) for digest in (one, other))
    assert len(key) == 8
    assert (key == other_key) == (one == other)
