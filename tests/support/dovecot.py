"""An IMAP server of one account on loopback: Debian's dovecot, started for a test in a folder of its own.

It needs no rights: all its processes run as who runs the tests; as root, which dovecot refuses, as its own users and nobody.
Where it is not installed, tests that ask for it are skipped.
"""

from __future__ import annotations

import getpass
import grp
import itertools
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

USER, PASSWORD = "ana", "s3creto"

_CONFIG = """
{version}
base_dir = {home}/run
state_dir = {home}/state
log_path = {home}/log
protocols = imap
listen = 127.0.0.1
ssl = no
{plain}
{internal}
{mail}
first_valid_uid = 0
first_valid_gid = 0
{auth}
service imap-login {{
  chroot =
  inet_listener imap {{
    port = {port}
  }}
}}
service anvil {{
  chroot =
}}
service stats {{
  chroot =
}}
"""

_OLD = {
    "version": "",
    "plain": "disable_plaintext_auth = no",
    "mail": "mail_location = maildir:{home}/Maildir",
    "auth": """
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={me} gid={group} home={home}
}}
""",
}
_NEW = {
    "version": "dovecot_config_version = 2.4.0\ndovecot_storage_version = 2.4.0",
    "plain": "auth_allow_cleartext = yes",
    "mail": "mail_driver = maildir\nmail_path = {home}/Maildir",
    "auth": """
passdb static {{
  password = {password}
}}
userdb static {{
  fields {{
    uid = {me}
    gid = {group}
    home = {home}
  }}
}}
""",
}


class Dovecot:
    """A server that runs: its `port`, and the Maildir of its one account."""

    def __init__(self, home: Path, port: int, owner: tuple[int, int]) -> None:
        self.home, self.port, self._owner = home, port, owner
        self.maildir = home / "Maildir"
        self._numbers = itertools.count()

    def deliver(self, content: bytes, folder: str = "") -> Path:
        """Put a letter into a folder, as a program that delivers mail does."""
        home = self.maildir / f".{folder}" if folder else self.maildir
        for name in ("cur", "new", "tmp"):
            (home / name).mkdir(parents=True, exist_ok=True)
        path = home / "tmp" / f"{time.time_ns()}.{next(self._numbers)}.test"
        path.write_bytes(content)
        for each in (home, home / "cur", home / "new", home / "tmp", path):
            os.chown(each, *self._owner)
        return path.rename(home / "new" / path.name)

    @property
    def seed(self) -> str:
        return f"imap://{USER}@127.0.0.1:{self.port}"


@contextmanager
def running() -> Iterator[Dovecot]:
    """A server while the block lasts."""
    with tempfile.TemporaryDirectory(prefix="dovecot-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o755)
        with _running(Path(folder)) as server:
            yield server


@contextmanager
def _running(home: Path) -> Iterator[Dovecot]:
    program = shutil.which("dovecot", path=os.environ.get("PATH", "") + ":/usr/sbin")
    if program is None:
        pytest.skip("dovecot is not installed (Debian: dovecot-imapd)")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout
    me, group = getpass.getuser(), grp.getgrgid(os.getgid()).gr_name
    internal = f"default_internal_user = {me}\ndefault_internal_group = {group}\ndefault_login_user = {me}"
    if os.geteuid() == 0:
        me, internal = "nobody", ""
        group = grp.getgrgid(pwd.getpwnam(me).pw_gid).gr_name
    owner = pwd.getpwnam(me).pw_uid, grp.getgrnam(group).gr_gid
    values = {"home": home, "me": me, "group": group, "password": PASSWORD, "internal": internal}
    shape = {name: text.format(**values) for name, text in (_OLD if version.startswith("2.3") else _NEW).items()}
    (home / "dovecot.conf").write_text(_CONFIG.format(**values, **shape, port=port))
    for folder in ("", "cur", "new", "tmp"):
        (home / "Maildir" / folder).mkdir()
        os.chown(home / "Maildir" / folder, *owner)
    with (home / "stderr").open("w") as said:
        server = subprocess.Popen([program, "-F", "-c", str(home / "dovecot.conf")], stderr=said)
    try:
        _await(port, server, home)
        yield Dovecot(home, port, owner)
    finally:
        server.terminate()
        server.wait(20)


def _await(port: int, server: subprocess.Popen[bytes], home: Path) -> None:
    until = time.monotonic() + 60
    while time.monotonic() < until:
        if server.poll() is not None:
            said = (home / "stderr").read_text()
            log = (home / "log").read_text() if (home / "log").exists() else ""
            pytest.skip(f"dovecot does not start here: {said[-300:]} {log[-300:]}")
        with socket.socket() as probe:
            probe.settimeout(1)
            with suppress(TimeoutError):
                if probe.connect_ex(("127.0.0.1", port)) == 0 and probe.recv(10).startswith(b"* OK"):
                    return
        server_pause()
    raise TimeoutError("dovecot does not answer")


def server_pause() -> None:
    """A moment in which another process may begin."""
    subprocess.run(["sleep", "0.1"], check=True)


def letter(number: int, text: str, *, head: str = "") -> bytes:
    """A letter with its own name and text."""
    date = f"Mon, {1 + number % 28:02d} Jan 2024 10:00:00 +0000"
    people = f"From: Ana <ana@example.org>\nTo: bea@example.org\nSubject: Carta {number}\n"
    lines = f"{people}Date: {date}\nMessage-ID: <{number}@example.org>\n"
    return (lines + head + "\n" + text + "\n").encode()
