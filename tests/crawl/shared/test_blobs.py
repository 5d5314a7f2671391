"""Objects in a bucket: written whole, read by ranges, listed in order; what is refused is told in one line without a key."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.object_storage import KEY, StorageServer, running_storage
from trasmallo.crawl.shared.blobs import Blob, Bucket, check_bucket
from trasmallo.values.errors import ConfigError, StoreFull


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[StorageServer]:
    with running_storage(monkeypatch) as found:
        yield found


@pytest.fixture
def bucket(server: StorageServer) -> Bucket:
    server.make_bucket("corpus")
    return Bucket("s3://corpus/some/prefix")


def test_objects_are_listed_in_order_and_read_by_ranges(bucket: Bucket) -> None:
    for name in ("a/2", "a/1", "b/1"):
        bucket.put(name, b"0123456789")
    assert bucket.list("a") == [Blob("a/1", 10), Blob("a/2", 10)]
    assert bucket.list("a", "a/1") == [Blob("a/2", 10)]
    assert bucket.get_range("b/1", 3, 4) == b"3456"
    bucket.delete(["a/1"])
    bucket.delete([])
    assert [blob.name for blob in bucket.list("a")] == ["a/2"]
    assert Bucket("s3://corpus").list("some/prefix/b") == [Blob("some/prefix/b/1", 10)]


def test_a_file_takes_the_place_of_its_pieces(bucket: Bucket, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 7_000_000)  # more than one request takes
    bucket.put("pieces/1", b"x")
    bucket.commit("whole", tmp_path / "file", ["pieces/1"])
    assert bucket.list("pieces") == []
    assert bucket.get_range("whole", 6_999_999, 1) == b"x"


def test_a_bucket_that_does_not_exist_is_told(server: StorageServer) -> None:
    with pytest.raises(StoreFull, match=r"the bucket of the storage s3://nowhere/x does not exist: make it, or mend `storage`"):
        Bucket("s3://nowhere/x").put("a", b"")
    assert server.address


def test_a_key_that_is_refused_is_told_and_not_shown(server: StorageServer, bucket: Bucket) -> None:
    server.refuse_keys()
    with pytest.raises(StoreFull, match="refuses this key .*AWS_ACCESS_KEY_ID") as told:
        bucket.put("a", b"")
    assert "\n" not in str(told.value)
    assert [value for value in KEY.values() if value in str(told.value)] == []


@pytest.mark.parametrize(
    "missing", [["AWS_ACCESS_KEY_ID"], ["AWS_SECRET_ACCESS_KEY"], ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"]]
)
def test_a_missing_key_is_told(missing: list[str], server: StorageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in missing:
        monkeypatch.delenv(name)
    with pytest.raises(StoreFull, match="there is no key for the storage s3://corpus: set AWS_ACCESS_KEY_ID"):
        Bucket("s3://corpus", tries=0).put("a", b"")
    assert server.address


def test_a_server_that_is_away_is_told(server: StorageServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(StoreFull, match=r"nobody answers.*AWS_ENDPOINT_URL.*nothing that was committed is lost"):
        Bucket("s3://corpus", tries=0).put("a", b"")
    assert server.address


@pytest.mark.parametrize(
    "address", ["s3://", "s3:///x", "s3://key:secret@bucket/x", "s3://bucket/x?key=1", "s3://Bad_name/", "/x"]
)
def test_what_is_no_bucket_is_refused_without_being_shown(address: str) -> None:
    with pytest.raises(ConfigError, match="such as s3://bucket/prefix") as told:
        check_bucket(address)
    assert "secret" not in str(told.value)
