from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from trasmallo.store.key_value_tables import KeyValueTables, lock_holder
from trasmallo.values.errors import ProjectBusy, StoreDamaged, StoreError


def fill(tables: KeyValueTables, count: int, name: str = "t") -> None:
    batch, handle = tables.batch(), tables.handle(name)
    for number in range(count):
        batch.put(b"%08d" % number, os.urandom(60), handle)
    tables.write(batch)


def run_python(code: str, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, **options)  # type: ignore[call-overload,no-any-return]


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """A folder whose largest table has one wrong byte in the middle of its blocks."""
    tables = KeyValueTables(tmp_path / "db", ["t"])
    fill(tables, 5000)
    tables.compact()
    tables.close()
    path = max((tmp_path / "db").glob("*.sst"), key=lambda path: path.stat().st_size)
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 0xFF
    path.write_bytes(content)
    return tmp_path / "db"


def test_scans_have_bounds_and_order(tmp_path: Path) -> None:
    tables = KeyValueTables(tmp_path, ["t"])
    batch = tables.batch()
    keys = [b"a", b"a\xff", b"a\xff\xff", b"b", b"\xff", b"\xff\xff"]
    for key in reversed(keys):
        batch.put(key, key, tables.handle("t"))
    tables.write(batch)
    assert [key for key, _ in tables.scan("t")] == keys
    assert [key for key, _ in tables.scan("t", b"a")] == keys[:3]
    assert [key for key, _ in tables.scan("t", b"a\xff")] == keys[1:3]
    assert [key for key, _ in tables.scan("t", b"\xff")] == keys[4:]
    assert [key for key, _ in tables.scan("t", b"a", b"a\xff\xff")] == keys[2:3]
    assert tables.first("t", b"aa", b"a") == (b"a\xff", b"a\xff")
    assert tables.first("t", b"c", b"c") is None
    assert tables.last_key("t") == b"\xff\xff"
    tables.close()


def test_a_scan_survives_writes_and_says_when_the_store_was_closed(tmp_path: Path) -> None:
    tables = KeyValueTables(tmp_path, ["t"])
    fill(tables, 1000)
    scan = iter(tables.scan("t"))
    next(scan)
    fill(tables, 2000)
    tables.close()
    KeyValueTables(tmp_path, ["t"]).close()
    with pytest.raises(ValueError, match="closed"):
        list(scan)
    with pytest.raises(ValueError, match="closed"):
        tables.get("t", b"x")


READS: list[Callable[[KeyValueTables], object]] = [
    lambda tables: list(tables.scan("t")),
    lambda tables: [tables.get("t", b"%08d" % number) for number in range(5000)],
    lambda tables: tables.get_many("t", [b"%08d" % number for number in range(5000)]),
    lambda tables: [tables.first("t", b"%08d" % number, b"") for number in range(5000)],
]


@pytest.mark.parametrize("read", READS)
def test_a_damaged_block_is_never_read_as_the_end(damaged: Path, read: Callable[[KeyValueTables], object]) -> None:
    tables = KeyValueTables(damaged, ["t"], read_only=True)
    with pytest.raises(StoreDamaged, match="trasmallo repair"):
        read(tables)
    tables.close()


@pytest.mark.parametrize("pattern", ["*.sst", "MANIFEST-*"])
def test_missing_files_are_damage(damaged: Path, pattern: str) -> None:
    for path in damaged.glob(pattern):
        path.unlink()
    with pytest.raises(StoreDamaged):
        KeyValueTables(damaged, ["t"])


def test_a_manifest_cut_short_is_damage(damaged: Path) -> None:
    os.truncate(next(damaged.glob("MANIFEST-*")), 40)
    with pytest.raises(StoreDamaged):
        KeyValueTables(damaged, ["t"])


def test_a_reader_needs_a_store(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="crawl or import"):
        KeyValueTables(tmp_path / "none", ["t"], read_only=True)
    assert not (tmp_path / "none").exists()


def test_two_writers_of_one_process_are_refused(tmp_path: Path) -> None:
    tables = KeyValueTables(tmp_path, ["t"])
    with pytest.raises(ProjectBusy, match=f"process {os.getpid()} "):
        KeyValueTables(tmp_path, ["t"])
    tables.close()
    KeyValueTables(tmp_path, ["t"]).close()


OPEN = """
import os, pickle, sys
from pathlib import Path
from trasmallo.values.errors import TrasmalloError
from trasmallo.store.key_value_tables import KeyValueTables
if "nobody" in sys.argv and os.getuid() == 0:
    os.setuid(65534)
try:
    KeyValueTables(Path(sys.argv[1]), ["t"], read_only="read" in sys.argv).close()
    print("opened")
except TrasmalloError as error:
    print(type(error).__name__, error)
"""


def test_a_second_writing_process_is_refused_with_the_first_ones_id(tmp_path: Path) -> None:
    tables = KeyValueTables(tmp_path, ["t"])
    answer = run_python(OPEN, str(tmp_path)).stdout
    assert answer.startswith(f"ProjectBusy process {os.getpid()} is writing to {tmp_path}: wait")
    tables.close()
    assert run_python(OPEN, str(tmp_path)).stdout == "opened\n"


def test_nobody_holds_a_lock_that_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "LOCK").touch()
    assert lock_holder(tmp_path / "LOCK") == 0
    assert lock_holder(tmp_path / "missing") == 0


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that another user can reach; pytest's own are closed to others."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_a_folder_without_permission(open_folder: Path) -> None:
    folder = open_folder / "db"
    KeyValueTables(folder, ["t"]).close()
    for path in (*folder.iterdir(), folder):
        path.chmod(0o555)
    try:
        for arguments in ([folder], [folder / "new"]):
            answer = run_python(OPEN, *map(str, arguments), "nobody").stdout
            assert answer.startswith("StoreFull cannot write"), arguments
        assert run_python(OPEN, str(folder), "read", "nobody").stdout == "opened\n", "reading needs no writing"
    finally:
        folder.chmod(0o755)


FILL_DISK = """
import os, sys
from pathlib import Path
from trasmallo.values.errors import TrasmalloError
from trasmallo.store.key_value_tables import KeyValueTables
folder = Path(sys.argv[1]) / "db"
written = 0
try:
    tables = KeyValueTables(folder, ["t"])
    while True:
        batch, handle = tables.batch(), tables.handle("t")
        batch.put(b"%08d" % written, os.urandom(20_000), handle)
        del handle
        tables.write(batch)
        written += 1
except TrasmalloError as error:
    print(type(error).__name__, error)
tables.close()
(Path(sys.argv[1]) / "ballast").unlink()
tables = KeyValueTables(folder, ["t"])
print(written, [key for key, _ in tables.scan("t")] == [b"%08d" % number for number in range(written)])
tables.close()
"""


def test_a_full_disk_is_told_and_loses_nothing(tmp_path: Path) -> None:
    mount = f'mount -t tmpfs -o size=20m none "{tmp_path}" && head -c 13000000 /dev/zero > "{tmp_path}/ballast"'
    if not shutil.which("unshare") or subprocess.run(["unshare", "-rm", "sh", "-c", mount], capture_output=True).returncode:
        pytest.skip("no small disk can be made here")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "CODE": FILL_DISK}
    command = ["unshare", "-rm", "sh", "-c", f'{mount} && "{sys.executable}" -c "$CODE" "{tmp_path}"']
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert answer.returncode == 0, answer.stderr
    told, kept = answer.stdout.splitlines()
    assert told.startswith("StoreFull cannot write") and told.endswith("nothing stored is lost"), answer
    assert kept.endswith("True") and int(kept.split()[0]) > 100


def test_a_file_in_the_place_of_the_folder_stays(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        KeyValueTables(tmp_path / "file", ["t"])


def test_a_writer_killed_before_it_made_its_tables_leaves_none(tmp_path: Path) -> None:
    KeyValueTables(tmp_path, ()).close()
    reader = KeyValueTables(tmp_path, ("rows",), read_only=True)
    assert reader.get("rows", b"key") is None
    reader.close()
    with pytest.raises(ValueError, match="the catalog is closed"):
        reader.get("rows", b"key")
