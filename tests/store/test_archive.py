"""Files of records: written, torn, damaged, read beside their writer."""

from __future__ import annotations

import errno
import gzip
import os
import random
import resource
import signal
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from warcio.archiveiterator import ArchiveIterator

from support.warc_answers import SOFTWARE, answer, files_of, fill, is_accepted
from trasmallo.store.archive import Archive, ArchiveReader, records
from trasmallo.store.gzip_members import ReadWindow, read_member
from trasmallo.store.warc import first
from trasmallo.values.errors import StoreDamaged, StoreFull, StoreTooNew
from trasmallo.values.model import Locator

with warnings.catch_warnings():
    # FastWARC warns of its own old names while it is imported.
    warnings.simplefilter("ignore", DeprecationWarning)
    from fastwarc.warc import ArchiveIterator as FastIterator
    from fastwarc.warc import WarcRecordType

PLACES = os.pathsep.join((str(Path(__file__).parents[2] / "src"), str(Path(__file__).parents[1])))


def test_a_file_begins_with_who_wrote_it_and_holds_the_request(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    info, response, request = [record for _, record in records(tmp_path, verify=True)]
    assert (info.kind, response.kind, request.kind) == ("warcinfo", "response", "request")
    assert b"software: trasmallo/test\r\n" in info.body
    assert b"robots: obey\r\n" in info.body
    assert b"format: WARC File Format 1.1\r\n" in info.body
    assert first(info.fields, "WARC-Filename") == files_of(tmp_path)[0].name
    assert first(request.fields, "WARC-Concurrent-To") == response.id
    assert first(response.fields, "WARC-Warcinfo-ID") == info.id
    assert request.body == answer().request


def test_others_read_what_we_write(tmp_path: Path) -> None:
    fill(tmp_path, 5)
    (file,) = files_of(tmp_path)
    assert is_accepted(file)
    with file.open("rb") as stream:
        assert [record.rec_type for record in ArchiveIterator(stream)] == ["warcinfo"] + ["response", "request"] * 5
    with file.open("rb") as stream:
        bodies = [
            record.reader.read()
            for record in FastIterator(stream, record_types=WarcRecordType.response, parse_http=True, strict_mode=True)
        ]
    assert bodies == [answer(number).body for number in range(5)]


def test_warcio_finds_each_record_where_the_locator_says(tmp_path: Path) -> None:
    locators = fill(tmp_path, 3)
    with files_of(tmp_path)[0].open("rb") as stream:
        reader = ArchiveIterator(stream)
        found = [(reader.get_record_offset(), reader.get_record_length()) for record in reader if record.rec_type == "response"]
    assert found == [(locator.offset, locator.length) for locator in locators]


def test_files_are_rolled_and_sort_by_creation(tmp_path: Path) -> None:
    locators = fill(tmp_path, 30, roll_at=4000)
    names = [file.name for file in files_of(tmp_path)]
    assert len(names) > 3
    assert list(dict.fromkeys(locator.file for locator in locators)) == names
    assert is_accepted(*files_of(tmp_path))
    with ArchiveReader(tmp_path) as reader:
        assert [reader.read(locator).url for locator in locators] == [answer(number).url for number in range(30)]
        assert [record.url for _, record in reader.records() if record.kind == "response"] == [
            answer(number).url for number in range(30)
        ]


def test_names_go_on_when_the_clock_was_set_back(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    (file,) = files_of(tmp_path)
    later = file.rename(tmp_path / "trasmallo-29991231235959-00041.warc.gz")
    fill(tmp_path, 3, roll_at=1)
    assert [file.name for file in files_of(tmp_path)] == [
        later.name,
        *(f"trasmallo-29991231235959-{serial:05}.warc.gz" for serial in (42, 43, 44)),
    ]


def test_more_files_than_may_be_open_are_read(tmp_path: Path) -> None:
    locators = fill(tmp_path, 50, roll_at=1)
    assert len(files_of(tmp_path)) == 50
    with ArchiveReader(tmp_path) as reader:
        for locator in locators + locators[::-1]:
            assert reader.read(locator).status == 200
        assert len(reader._files) <= 32


def test_appending_goes_on_in_the_newest_file(tmp_path: Path) -> None:
    before = fill(tmp_path, 2)
    after = fill(tmp_path, 2)
    assert {locator.file for locator in before + after} == {files_of(tmp_path)[0].name}
    infos = {first(record.fields, "WARC-Warcinfo-ID") for _, record in records(tmp_path) if record.kind == "response"}
    assert len(infos) == 1
    assert is_accepted(*files_of(tmp_path))


def test_each_prefix_has_a_writer_of_its_own_and_a_torn_end_is_cut_only_by_it(tmp_path: Path) -> None:
    fill(tmp_path, 2)
    with Archive(tmp_path, software=SOFTWARE, prefix="trasmallo-1") as other:
        locator, _ = other.append(answer(7))
    torn = tmp_path / locator.file
    torn.write_bytes(torn.read_bytes() + b"\x1f\x8b\x08")
    size = torn.stat().st_size
    after = fill(tmp_path, 1)
    assert torn.stat().st_size == size
    assert after[0].file.startswith("trasmallo-20")
    with Archive(tmp_path, software=SOFTWARE, prefix="trasmallo-1") as other:
        assert torn.stat().st_size == size - 3
        again, _ = other.append(answer(8))
    assert again.file == locator.file
    urls = [record.url for _, record in records(tmp_path) if record.kind == "response"]
    assert urls == [answer(number).url for number in (7, 8, 0, 1, 0)]


def test_a_writer_finds_its_own_records_behind_a_place(tmp_path: Path) -> None:
    with (
        Archive(tmp_path, software=SOFTWARE, prefix="ours", roll_at=3_000) as ours,
        Archive(tmp_path, software=SOFTWARE, prefix="ours-2") as others,
    ):
        places = [ours.append(answer(number, os.urandom(700)))[0] for number in range(6)]
        others.append(answer(9))
        assert len({place.file for place in places}) > 1
        for number, place in enumerate(places):
            behind = [record.url for _, record in ours.behind(place) if record.kind == "response"]
            assert behind == [f"http://example.org/{later}" for later in range(number + 1, 6)]
        assert [place for place, record in ours.behind(None) if record.kind == "response"] == places
        assert (ours.owns(places[0].file), others.owns(places[0].file), ours.owns("a.warc.gz")) == (True, False, False)


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, str, list[Locator]]:
    """A file of three answers without requests, so that the last record is the third answer."""
    folder = tmp_path_factory.mktemp("three")
    with Archive(folder, software=SOFTWARE) as archive:
        locators = [archive.append(answer(number, request=b""))[0] for number in range(3)]
    (file,) = files_of(folder)
    return file.read_bytes(), file.name, locators


def test_a_torn_end_is_cut_wherever_it_was_torn(three: tuple[bytes, str, list[Locator]], tmp_path: Path) -> None:
    data, name, locators = three
    last = locators[2]
    for length in range(last.offset, len(data)):
        (tmp_path / name).write_bytes(data[:length])
        with Archive(tmp_path, software=SOFTWARE) as archive:
            assert (tmp_path / name).stat().st_size == last.offset
            locator, _ = archive.append(answer(9, request=b""))
        assert locator.offset == last.offset
        assert [record.url[-1:] for _, record in records(tmp_path)] == ["", "0", "1", "9"]


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(0, 10_000))
def test_what_is_before_the_tear_is_read_and_the_tear_is_named(
    cut: int, three: tuple[bytes, str, list[Locator]], tmp_path: Path
) -> None:
    data, name, locators = three
    cut %= len(data)
    ends = [0, locators[0].offset, *(locator.offset + locator.length for locator in locators)]
    torn_at = max(end for end in ends if end <= cut)
    (tmp_path / name).write_bytes(data[:cut])
    seen = []
    if cut in ends:
        seen = list(records(tmp_path / name, patience=0))
    else:
        with pytest.raises(StoreDamaged, match=f"{name} is damaged at byte {torn_at} .*: put the file back"):
            seen.extend(records(tmp_path / name, patience=0))
    assert len(seen) == ends.index(torn_at)


def test_a_torn_first_record_leaves_no_file(three: tuple[bytes, str, list[Locator]], tmp_path: Path) -> None:
    data, name, locators = three
    for length in (0, 1, 15, 24, locators[0].offset - 1):
        (tmp_path / name).write_bytes(data[:length])
        Archive(tmp_path, software=SOFTWARE).close()
        assert files_of(tmp_path) == []


def test_zeros_that_a_power_cut_left_are_cut(three: tuple[bytes, str, list[Locator]], tmp_path: Path) -> None:
    data, name, locators = three
    middle = locators[2].offset + 100
    (tmp_path / name).write_bytes(data[:middle] + bytes(len(data) - middle))
    with Archive(tmp_path, software=SOFTWARE):
        assert (tmp_path / name).stat().st_size == locators[2].offset


def test_damage_inside_costs_one_record_and_nothing_is_cut(three: tuple[bytes, str, list[Locator]], tmp_path: Path) -> None:
    data, name, locators = three
    length_field = 18
    for place in (0, length_field, 60, locators[1].length - 3):
        broken = bytearray(data)
        broken[locators[1].offset + place] ^= 0x55
        (tmp_path / name).write_bytes(broken)
        damages: list[StoreDamaged] = []
        seen = [record.url[-1:] for _, record in records(tmp_path / name, on_damage=damages.append)]
        assert seen == ["", "0", "2"]
        assert len(damages) == 1
        assert f"byte {locators[1].offset} " in str(damages[0])
        with Archive(tmp_path, software=SOFTWARE) as archive:
            assert archive.append(answer(5))[0].file != name
            if place != length_field:
                with pytest.raises(StoreDamaged, match=f"byte {locators[1].offset} "):
                    archive.read(locators[1])
        assert (tmp_path / name).read_bytes() == broken
        files_of(tmp_path)[1].unlink()


def test_a_missing_file_says_so(tmp_path: Path) -> None:
    with ArchiveReader(tmp_path) as reader, pytest.raises(StoreDamaged, match="is missing: put the file back"):
        reader.read(Locator("gone-20260101000000-00000.warc.gz", 0, 10))


def test_a_locator_that_points_nowhere_is_damage(tmp_path: Path) -> None:
    (locator,) = fill(tmp_path, 1)
    with ArchiveReader(tmp_path) as reader:
        for wrong in (locator._replace(offset=10**9), locator._replace(length=3), locator._replace(offset=locator.offset + 1)):
            with pytest.raises(StoreDamaged):
                reader.read(wrong)


def test_an_archive_of_a_later_version_is_refused(tmp_path: Path) -> None:
    fill(tmp_path, 1)
    (tmp_path / "format").write_text("2\n")
    before = files_of(tmp_path)[0].read_bytes()
    for open_it in (lambda: Archive(tmp_path, software=SOFTWARE), lambda: ArchiveReader(tmp_path)):
        with pytest.raises(StoreTooNew, match="update trasmallo$"):
            open_it()
    assert files_of(tmp_path)[0].read_bytes() == before
    (tmp_path / "format").write_text("two\n")
    with pytest.raises(StoreDamaged, match="write the number 1 into it$"):
        ArchiveReader(tmp_path)


def test_a_folder_that_may_not_be_written_is_refused() -> None:
    with pytest.raises(StoreFull, match="choose"):
        Archive(Path("/sys/trasmallo"), software=SOFTWARE)


def child(code: str, folder: Path, **options: object) -> subprocess.Popen[str]:
    script = textwrap.dedent(code)
    return subprocess.Popen(
        [sys.executable, "-c", script, str(folder)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": PLACES},
        **options,  # type: ignore[call-overload]
    )


WRITER = """
    import sys
    from pathlib import Path
    from support.warc_answers import Archive, answer, SOFTWARE
    with Archive(Path(sys.argv[1]), software=SOFTWARE, roll_at=300_000) as archive:
        for number in range({count}):
            locator, digest = archive.append(answer(number, body=b"%d " % number * {size}))
            print(*locator, digest, flush=True)
"""


def test_reading_goes_on_while_another_process_writes(tmp_path: Path) -> None:
    writer = child(WRITER.format(count=300, size=3000), tmp_path)
    assert writer.stdout is not None
    with writer, ArchiveReader(tmp_path) as reader:
        for number, line in enumerate(writer.stdout):
            file, offset, length, digest = line.split()
            record = reader.read(Locator(file, int(offset), int(length)), verify=True)
            assert (record.url, record.digest) == (answer(number).url, digest)
            if number % 50 == 0:
                seen = [record.url for _, record in reader.records() if record.kind == "response"]
                assert seen[: number + 1] == [answer(known).url for known in range(number + 1)]
    assert writer.returncode == 0
    assert is_accepted(*files_of(tmp_path))


@pytest.mark.parametrize("lines", [1, 7, 40])
def test_a_killed_writer_loses_nothing_it_acknowledged(lines: int, tmp_path: Path) -> None:
    writer = child(WRITER.format(count=10**6, size=20_000), tmp_path)
    assert writer.stdout is not None
    with writer:
        known = [writer.stdout.readline().split() for _ in range(lines)]
        os.kill(writer.pid, signal.SIGKILL)
        known += [words for line in writer.stdout if len(words := line.split()) == 4]
    with Archive(tmp_path, software=SOFTWARE) as archive:
        for number, (file, offset, length, digest) in enumerate(known):
            record = archive.read(Locator(file, int(offset), int(length)), verify=True)
            assert (record.url, record.digest) == (answer(number).url, digest)
        archive.append(answer(1))
    assert is_accepted(*files_of(tmp_path))


def limit_file_size() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000))


FULL = """
    import sys, os
    from pathlib import Path
    from trasmallo.values.errors import StoreFull
    from support.warc_answers import Archive, answer, SOFTWARE
    with Archive(Path(sys.argv[1]), software=SOFTWARE) as archive:
        archive.append(answer(1))
        for number in range(3):
            try:
                archive.append(answer(2, body=os.urandom(3_000_000)))
            except (StoreFull, OSError) as error:
                print(type(error).__name__, error, flush=True)
        archive.append(answer(3))
"""


def assert_only_whole_records(folder: Path) -> None:
    assert [record.url[-1] for _, record in records(folder, verify=True) if record.kind == "response"] == ["1", "3"]
    assert is_accepted(*files_of(folder))


def test_a_write_that_fails_half_way_is_taken_back(tmp_path: Path) -> None:
    with child(FULL, tmp_path, preexec_fn=limit_file_size) as writer:
        assert writer.stdout is not None
        said = writer.stdout.read().splitlines()
    assert writer.returncode == 0
    assert len(said) == 3
    assert all(os.strerror(errno.EFBIG) in line or "StoreFull" in line for line in said)
    assert_only_whole_records(tmp_path)


def test_a_full_disk_is_said_and_leaves_the_file_valid(tmp_path: Path) -> None:
    """On a real file system of one megabyte, in a mount namespace of its own."""
    mount = f"mount -t tmpfs -o size=1m none {tmp_path} && mkdir {tmp_path}/archive"
    if subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True, check=False).returncode:
        pytest.skip("this system lets nobody mount a small file system: unshare -rm is refused")
    keep = tmp_path.with_name(tmp_path.name + "-kept")
    script = f"{mount} && '{sys.executable}' -c \"$CODE\" {tmp_path}/archive; cp -r {tmp_path}/archive {keep}"
    env = {**os.environ, "CODE": textwrap.dedent(FULL), "PYTHONPATH": PLACES}
    said = subprocess.run(["unshare", "-rm", "sh", "-c", script], capture_output=True, text=True, env=env, check=True).stdout
    assert said.count("StoreFull") == 3
    assert said.count("the disk is full: free some space and run the same command again; nothing stored is lost") == 3
    assert_only_whole_records(keep)


def test_a_full_disk_at_the_start_of_a_file_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(fd: int, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with Archive(tmp_path, software=SOFTWARE) as archive:
        with monkeypatch.context() as patch:
            patch.setattr(os, "write", refuse)
            with pytest.raises(StoreFull):
                archive.append(answer(1))
        assert files_of(tmp_path) == []
        archive.append(answer(1))
    assert is_accepted(*files_of(tmp_path))


def test_members_that_state_no_length_are_read_too(tmp_path: Path) -> None:
    with Archive(tmp_path / "own", software=SOFTWARE) as archive:
        for number in range(3):
            archive.append(answer(number, body=random.Random(number).randbytes(400_000)))
    (own,) = files_of(tmp_path / "own")
    other = tmp_path / "other.warc.gz"
    with own.open("rb") as file:
        size = own.stat().st_size
        plain = [read_member(ReadWindow(file.fileno()), locator.offset, size)[0] for locator, _ in records(own)]
    other.write_bytes(b"".join(gzip.compress(data) for data in plain))
    found = list(records(other, verify=True))
    assert [record for _, record in found] == [record for _, record in records(own)]
    with ArchiveReader(tmp_path) as reader:
        assert [reader.read(locator) for locator, _ in found] == [record for _, record in found]


def test_what_belongs_together_is_written_at_once(tmp_path: Path) -> None:
    with Archive(tmp_path, software=SOFTWARE) as archive:
        archive.append(answer(0))
        size = files_of(tmp_path)[0].stat().st_size
        with archive.together():
            locators = [archive.append(answer(number))[0] for number in (1, 2, 3)]
            assert files_of(tmp_path)[0].stat().st_size == size
        assert [archive.read(locator, verify=True).url[-1] for locator in locators] == ["1", "2", "3"]
        assert archive.read(archive.append(answer(4))[0]).url[-1] == "4"
    assert is_accepted(*files_of(tmp_path))


def test_what_belongs_together_may_fill_files(tmp_path: Path) -> None:
    with Archive(tmp_path, software=SOFTWARE, roll_at=4000) as archive:
        with archive.together():
            locators = [archive.append(answer(number))[0] for number in range(20)]
        assert [archive.read(locator, verify=True).url for locator in locators] == [answer(number).url for number in range(20)]
    assert len(files_of(tmp_path)) > 2
    assert is_accepted(*files_of(tmp_path))


def test_an_error_takes_back_all_that_belongs_together(tmp_path: Path) -> None:
    with Archive(tmp_path, software=SOFTWARE) as archive:
        archive.append(answer(0))
        with pytest.raises(RuntimeError), archive.together():
            archive.append(answer(1))
            raise RuntimeError
        locator, _ = archive.append(answer(2))
        assert archive.read(locator).url[-1] == "2"
    assert [record.url[-1] for _, record in records(tmp_path) if record.kind == "response"] == ["0", "2"]
