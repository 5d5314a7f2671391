"""The command that serves the app: on this machine, with a token that only its owner can read."""

from __future__ import annotations

import json
import os
import socket
import stat
import subprocess
import urllib.request
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

import pytest

from support.command_line import PROGRAM, Done
from trasmallo.project.project import Project
from trasmallo.values.errors import UsageError
from trasmallo.web.serve import listen, read_token

Command = Callable[..., Done]


def test_the_app_is_there_when_its_address_is_printed(cats: Project, tmp_path: Path) -> None:
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path / "data")}
    command = [*PROGRAM, "serve", str(cats.folder), "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        assert told["address"].startswith("http://127.0.0.1:")
        origin = told["address"].partition("/?")[0]
        request = urllib.request.Request(origin + "/api/projects", headers={"Authorization": f"Bearer {told['token']}"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert [card["name"] for card in json.load(answer)["known"]] == ["cats"]
        process.terminate()
    assert json.loads((tmp_path / "data" / "trasmallo" / "projects.json").read_text()) == {"cats": str(cats.folder.resolve())}


def test_half_sent_requests_do_not_lock_it(cats: Project, tmp_path: Path) -> None:
    environment = os.environ | {"XDG_DATA_HOME": str(tmp_path / "data")}
    command = [*PROGRAM, "serve", str(cats.folder), "--port", "0", "--json"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) as process, ExitStack() as held:
        assert process.stdout is not None
        told = json.loads(process.stdout.readline())
        origin = told["address"].partition("/?")[0]
        for _ in range(510):
            connection = held.enter_context(socket.create_connection(("127.0.0.1", int(origin.rpartition(":")[2]))))
            connection.sendall(b"GET / HTTP/1.1\r\nHost: ")
        request = urllib.request.Request(origin + "/api/projects", headers={"Authorization": f"Bearer {told['token']}"})
        with urllib.request.urlopen(request, timeout=20) as answer:
            assert [card["name"] for card in json.load(answer)["known"]] == ["cats"]
        process.terminate()


def test_the_token_stays_and_is_the_owner_s(tmp_path: Path) -> None:
    token = read_token(tmp_path / "data")
    assert read_token(tmp_path / "data") == token
    assert stat.S_IMODE((tmp_path / "data" / "token").stat().st_mode) == 0o600
    assert read_token(tmp_path / "data", new=True) != token
    (tmp_path / "data" / "token").write_text("short")
    assert len(read_token(tmp_path / "data")) >= 32


def test_a_port_that_is_taken_is_told() -> None:
    with listen("127.0.0.1", 0) as taken, pytest.raises(UsageError, match="cannot listen"):
        listen("127.0.0.1", taken.getsockname()[1])
    with pytest.raises((UsageError, socket.gaierror)):
        listen("256.0.0.1", 0)


def test_a_folder_that_is_not_there(trasmallo: Command, tmp_path: Path) -> None:
    assert "there is no folder" in trasmallo("serve", tmp_path / "none").refusal()
