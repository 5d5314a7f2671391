"""A PostgreSQL server of the tests' own, on a socket in a folder, as an ordinary user; tests skip where there is none."""

from __future__ import annotations

import os
import secrets
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

import pytest

from support.waiting import until

_PLACES = ("/usr/lib/postgresql/*/bin", "/usr/local/pgsql/bin", "/opt/homebrew/opt/postgresql*/bin")
_START_SECONDS = 30.0


@cache
def programs() -> Path | None:
    """Where initdb and postgres are, of the newest version."""
    found = [path.parent for place in _PLACES for path in Path("/").glob(place.lstrip("/") + "/postgres")]
    on_path = shutil.which("postgres")
    return max(
        found,
        default=Path(on_path).parent if on_path else None,
        key=lambda path: int("0" + "".join(filter(str.isdigit, str(path)))),
    )


def need_postgres() -> Path:
    """The programs, or a test that is skipped."""
    pytest.importorskip("psycopg", reason="psycopg is not installed: python3 go.py test --cluster")
    place = programs()
    if place is None:
        pytest.skip("PostgreSQL is not installed: apt-get install postgresql")
    return place


def _ordinary_user() -> list[str]:
    """What runs a program as somebody who is not root, since PostgreSQL refuses that."""
    return ["setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups"] if os.getuid() == 0 else []


class Server:
    """A server in a folder of its own. `port` listens on loopback too, if it is not 0; with `network` there and everywhere."""

    def __init__(self, place: Path, *, port: int = 0, durable: bool = False, network: str = "") -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="tpg-", dir="/tmp"))
        self.port = port or 5432
        self._loopback = bool(port)
        self._place = place
        self._durable = durable
        self._network = network
        self._process: subprocess.Popen[bytes] | None = None
        if os.getuid() == 0:
            shutil.chown(self.folder, "nobody", "nogroup")
        self._run("initdb", "-D", str(self.folder / "data"), "-U", "tester", "--auth=trust", "-E", "UTF8", "--no-sync")
        if network:
            with (self.folder / "data" / "pg_hba.conf").open("a") as rules:
                rules.write(f"host all all {network} trust\n")

    def _run(self, program: str, *arguments: str) -> None:
        subprocess.run(
            [*_ordinary_user(), str(self._place / program), *arguments], check=True, stdout=subprocess.DEVNULL, cwd=self.folder
        )

    def start(self) -> None:
        """Start it, and wait until it answers."""
        # What a server that was killed left of its children would hold its memory.
        options = [] if self._durable else ["-F"]
        where = ["-c", f"listen_addresses={'*' if self._network else '127.0.0.1' if self._loopback else ''}"]
        settings = ["-c", "max_connections=100", "-c", "shared_buffers=64MB", "-c", "autovacuum_naptime=10s"]
        command = [str(self._place / "postgres"), "-D", str(self.folder / "data"), "-k", str(self.folder), "-p", str(self.port)]
        log = (self.folder / "log").open("ab")
        self._process = subprocess.Popen(
            [*_ordinary_user(), *command, *options, *where, *settings],
            stdout=log,
            stderr=log,
            cwd=self.folder,
            start_new_session=True,
        )
        log.close()
        self._wait()

    def _wait(self) -> None:
        import psycopg

        def answers() -> bool:
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=2).close()
            except psycopg.OperationalError:
                return False
            return True

        until(answers, "PostgreSQL to answer", _START_SECONDS)

    def address(self, database: str) -> str:
        """The address of a database, by the socket or by loopback."""
        if self._loopback:
            return f"postgresql://tester@127.0.0.1:{self.port}/{database}"
        return f"postgresql://tester@/{database}?host={self.folder}&port={self.port}"

    def make_database(self, place: Path | None = None) -> str:
        """The address of a new database, which lies in a folder of its own where one is given."""
        import psycopg

        name = "t" + secrets.token_hex(6)
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            where = ""
            if place is not None:
                connection.execute(f"create tablespace {place.name} location '{place}'")  # type: ignore[arg-type]
                where = f"tablespace {place.name}"
            connection.execute(f"create database {name} template template0 {where}")  # type: ignore[arg-type]
        return self.address(name)

    def drop_database(self, address: str) -> None:
        """Remove a database, whoever is connected."""
        import psycopg

        name = address.split("?")[0].rpartition("/")[2]
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"drop database {name} with (force)")  # type: ignore[arg-type]

    def forget_place(self, place: Path) -> None:
        """Let go of a folder that a database lay in."""
        import psycopg

        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"drop tablespace {place.name}")  # type: ignore[arg-type]

    def cpu_seconds(self) -> float:
        """What its processes that live have used."""
        assert self._process is not None
        fields = []
        for path in Path("/proc").glob("[0-9]*/stat"):
            with suppress(OSError):
                fields.append(path.read_text().rpartition(")")[2].split())
        own = [each for each in fields if int(each[2]) == self._process.pid or int(each[1]) == self._process.pid]
        return sum(int(each[11]) + int(each[12]) + int(each[13]) + int(each[14]) for each in own) / os.sysconf("SC_CLK_TCK")

    def kill(self) -> None:
        """End it as a power cut would: all of its processes at once."""
        assert self._process is not None
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None

    def remove(self) -> None:
        """Stop it, and remove its folder."""
        if self._process is not None:
            self._process.send_signal(signal.SIGQUIT)  # at once: nothing in it is wanted any more
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def running_server(*, port: int = 0, durable: bool = False, network: str = "") -> Iterator[Server]:
    """A server for a block."""
    server = Server(need_postgres(), port=port, durable=durable, network=network)
    try:
        server.start()
        yield server
    finally:
        server.remove()


class SmallDisk:
    """A disk in memory, at a folder that PostgreSQL may write."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def resize(self, megabytes: int) -> None:
        """Give it another size."""
        subprocess.run(["mount", "-o", f"remount,size={megabytes}m", str(self.folder)], check=True)


@contextmanager
def small_disk(megabytes: int) -> Iterator[SmallDisk]:
    """A disk of some megabytes for a block; tests skip where none can be mounted."""
    folder = Path("/tmp") / f"tpgdisk{secrets.token_hex(6)}"
    folder.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={megabytes}m,uid=nobody,mode=700", "tmpfs", str(folder)]
    try:
        if os.getuid() or subprocess.run(["mount", *options], check=False, stderr=subprocess.DEVNULL).returncode:
            pytest.skip("a small disk cannot be mounted here: it needs root")
        try:
            yield SmallDisk(folder)
        finally:
            subprocess.run(["umount", str(folder)], check=True)
    finally:
        folder.rmdir()
