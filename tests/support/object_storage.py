"""A storage server that speaks S3, on loopback, in a thread of the tests; tests skip where moto or obstore is not installed."""

from __future__ import annotations

import logging
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

KEY = {"AWS_ACCESS_KEY_ID": "tester", "AWS_SECRET_ACCESS_KEY": "never-to-be-shown", "AWS_REGION": "us-east-1"}


class StorageServer:
    """A server by its address."""

    def __init__(self, address: str) -> None:
        self.address = address

    def make_bucket(self, name: str) -> None:
        """A bucket without anything in it."""
        self._ask("PUT", f"/{name}")

    def refuse_keys(self, *, after: int = 0) -> None:
        """From so many requests on, refuse all keys: it knows none."""
        self._ask("POST", "/moto-api/reset-auth", str(after).encode())

    def empty(self) -> None:
        """Forget all buckets: those of a process are one memory, whichever server is asked."""
        self._ask("POST", "/moto-api/reset")

    def _ask(self, method: str, path: str, body: bytes | None = None) -> None:
        request = urllib.request.Request(self.address + path, body, {"Content-Type": "text/plain"}, method=method)
        with urllib.request.urlopen(request) as answer:
            answer.read()


@contextmanager
def running_storage(monkeypatch: pytest.MonkeyPatch) -> Iterator[StorageServer]:
    """A server for a block; the environment leads to it."""
    pytest.importorskip("obstore", reason="obstore is not installed: python3 go.py test --cluster")
    moto = pytest.importorskip("moto.server", reason="moto is not installed: python3 go.py test --cluster")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    found = StorageServer(f"http://{host}:{port}")
    for name, value in {**KEY, "AWS_ENDPOINT_URL": found.address}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setenv("AWS_METADATA_ENDPOINT", "http://127.0.0.1:9")
    found.empty()
    try:
        yield found
    finally:
        found.refuse_keys(after=10**9)  # it is a setting of the whole process
        server.stop()
