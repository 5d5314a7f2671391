"""Files in a bucket: sent in pieces before a commit, put together by the first machine, cut where a worker died."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.object_storage import running_storage
from support.warc_answers import answer
from trasmallo.crawl.shared.blobs import Bucket
from trasmallo.pipeline.bucket_storage import SharedBucket
from trasmallo.store.archive import Archive, records
from trasmallo.values.errors import StoreDamaged


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[Bucket]:
    with running_storage(monkeypatch) as server:
        server.make_bucket("corpus")
        yield Bucket("s3://corpus/x")


def test_what_is_sent_in_pieces_is_the_same_file(bucket: Bucket, tmp_path: Path) -> None:
    worker, project = SharedBucket(bucket), tmp_path / "project"
    project.mkdir()
    worker.check()
    with Archive(worker.place(tmp_path), software="test", prefix="trasmallo-a1", roll_at=1_500) as archive:
        worker.saving(archive)()
        for _ in range(5):
            archive.append(answer())
            worker.saving(archive)()
            worker.saving(archive)()
        name, size = archive.end
        kept = (tmp_path / "archive" / name).read_bytes()
    assert [path.name for path in (tmp_path / "archive").glob("*.gz")] == [name], "a file that was sent whole leaves the disk"
    first = SharedBucket(bucket)
    first.show(project, name, size)
    assert (project / name).read_bytes() == kept
    first.complete(project, 0xA1, name, size)
    assert bucket.list("pieces") == []
    whole = [blob.name.removeprefix("archive/") for blob in bucket.list("archive")]
    assert sorted(path.name for path in project.iterdir()) == whole
    assert len(whole) > 1
    assert sum(record.kind == "response" for _, record in records(project)) == 5
    (project / name).unlink()
    first.show(project, name, size)
    assert (project / name).read_bytes() == kept, "also from the whole object"


def test_a_first_machine_that_was_killed_goes_on_in_the_middle_of_a_piece(bucket: Bucket, tmp_path: Path) -> None:
    name = "trasmallo-a1-20260101000000-00000.warc.gz"
    for start in (0, 4, 8):
        bucket.put(f"pieces/trasmallo-a1/{name}/{start:015}", b"0123456789ab"[start : start + 4])
    (tmp_path / name).write_bytes(b"012345")
    SharedBucket(bucket).show(tmp_path, name, 7)
    assert (tmp_path / name).read_bytes() == b"01234567", "no more than what rows need"
    SharedBucket(bucket).show(tmp_path, name, 12)
    assert (tmp_path / name).read_bytes() == b"0123456789ab"


def test_pieces_of_a_dead_worker_that_no_commit_counts_are_removed(bucket: Bucket, tmp_path: Path) -> None:
    names = [f"trasmallo-a1-20260101000000-0000{number}.warc.gz" for number in range(3)]
    for name in names:
        for start in (0, 4):
            bucket.put(f"pieces/trasmallo-a1/{name}/{start:015}", b"0123")
    bucket.put("pieces/trasmallo-b2/trasmallo-b2-20260101000000-00000.warc.gz/000000000000000", b"0123")
    first = SharedBucket(bucket)
    first.cut(0xA1, names[1], 4)
    first.complete(tmp_path, 0xA1, names[1], 4)
    assert [(path.name, path.stat().st_size) for path in sorted(tmp_path.iterdir())] == [(names[0], 8), (names[1], 4)]
    first.cut(0xB2, "", 0)
    assert bucket.list("pieces") == []


def test_bytes_that_the_storage_lost_are_told(bucket: Bucket, tmp_path: Path) -> None:
    name = "trasmallo-a1-20260101000000-00000.warc.gz"
    bucket.put(f"pieces/trasmallo-a1/{name}/{4:015}", b"0123")
    with pytest.raises(StoreDamaged, match=f"the storage lacks bytes of {name} from 0 on"):
        SharedBucket(bucket).show(tmp_path, name, 8)
