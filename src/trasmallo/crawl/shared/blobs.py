"""Objects of an S3-compatible storage, as a shared crawl keeps its WARC files there.

An address is `s3://bucket/prefix`. Who may write there is told by the usual variables of the environment (AWS_ACCESS_KEY_ID,
AWS_SECRET_ACCESS_KEY, AWS_REGION, and AWS_ENDPOINT_URL for a server other than Amazon's), which are never shown. An object is
there whole or not at all: what is written piece by piece becomes one object by `commit`.
"""

from __future__ import annotations

import importlib.util
import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, Protocol
from urllib.parse import urlsplit

from trasmallo.values.errors import ConfigError, ProjectError, StoreError, StoreFull

if TYPE_CHECKING:
    from obstore.store import S3Store

SCHEME = "s3"
_PATIENCE = timedelta(seconds=60)
"""How long a request that the storage could not answer is repeated. Judgement: twice a lease; who waits longer has lost its."""

_TRIES = 8  # judgement: with pauses that double, about a minute
_ENDPOINTS = ("AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL", "AWS_ENDPOINT")
_NO_KEY = ("AccessDenied", "InvalidAccessKeyId", "SignatureDoesNotMatch", "ExpiredToken", "InvalidToken", "AllAccessDisabled")
_CODE = re.compile(r"<Code>(\w+)</Code>")
_STATUS = re.compile(r"status code: (\d+ [\w ]+)")


class Blob(NamedTuple):
    """An object: its name and its bytes."""

    name: str
    size: int


class Blobs(Protocol):
    """Where objects are; each call may be made by another thread, and raises StoreError or ProjectError with the repair."""

    def put(self, name: str, data: bytes) -> None:
        """Write an object, safe when this returns."""

    def get_range(self, name: str, start: int, length: int) -> bytes:
        """So many bytes of an object from one on."""

    def list(self, folder: str, after: str = "") -> list[Blob]:
        """The objects of a folder in the order of their names, from behind a name on."""

    def commit(self, name: str, file: Path, pieces: Sequence[str]) -> None:
        """Have a file of this machine as one object, which takes the place of its pieces."""

    def delete(self, names: Sequence[str]) -> None:
        """Remove objects; one that is not there is no trouble."""


class Bucket:
    """`Blobs` below an address of S3, asked so many times where nobody answers."""

    def __init__(self, address: str, *, tries: int = _TRIES) -> None:
        _need_obstore()
        self.address = check_bucket(address)
        with self._explained():
            self._store = _connect(self.address, tries)

    def put(self, name: str, data: bytes) -> None:
        """Write an object by one request, so that a death leaves nothing of it."""
        import obstore

        with self._explained():
            obstore.put(self._store, name, data, use_multipart=False)

    def get_range(self, name: str, start: int, length: int) -> bytes:
        """So many bytes of an object from one on."""
        import obstore

        with self._explained():
            return bytes(obstore.get_range(self._store, name, start=start, length=length))

    def list(self, folder: str, after: str = "") -> list[Blob]:
        """The objects of a folder in the order of their names, from behind a name on."""
        import obstore

        with self._explained():
            found = obstore.list(self._store, folder, offset=after or None).collect()
        return sorted(Blob(each["path"], each["size"]) for each in found)

    def commit(self, name: str, file: Path, pieces: Sequence[str]) -> None:
        """Have a file as one object; the pieces are removed when it is there."""
        import obstore

        with self._explained():
            obstore.put(self._store, name, file)
        self.delete(pieces)

    def delete(self, names: Sequence[str]) -> None:
        """Remove objects."""
        import obstore

        if names:
            with self._explained():
                obstore.delete(self._store, list(names))

    @contextmanager
    def _explained(self) -> Iterator[None]:
        """Say what the storage refuses in one line with the repair, and nothing of its long answer."""
        from obstore.exceptions import BaseError

        try:
            yield
        except (BaseError, OSError) as error:
            raise _explain(str(error), self.address) from None


def check_bucket(address: str) -> str:
    """An address of a bucket; raises ConfigError."""
    try:
        parts = urlsplit(address)
        fits = parts.scheme == SCHEME and re.fullmatch(r"[a-z0-9][a-z0-9.-]+", parts.netloc) and not parts.query
    except ValueError:
        fits = False
    if not fits:
        raise ConfigError(
            "`cluster.storage` is no address of a bucket",
            "write one such as s3://bucket/prefix; its key belongs into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        )
    return address


def _need_obstore() -> None:
    if importlib.util.find_spec("obstore") is None:
        raise ProjectError(
            "storage in a bucket needs obstore, which is not installed", "install it with: pip install 'trasmallo[cluster]'"
        )


def _connect(address: str, tries: int) -> S3Store:
    from obstore.store import S3Store

    parts = urlsplit(address)
    endpoint = next((os.environ[name] for name in _ENDPOINTS if os.environ.get(name)), "")
    # A server of one's own in a closed network often has no certificate: who writes http:// means it.
    return S3Store(
        parts.netloc,
        prefix=parts.path.strip("/") or None,
        client_options={"connect_timeout": "5s", "timeout": "60s", "allow_http": endpoint.startswith("http://")},
        retry_config={"max_retries": tries, "retry_timeout": _PATIENCE},
    )


def _explain(said: str, address: str) -> StoreError | ProjectError:
    """The error for what a storage said."""
    code = next(iter(_CODE.findall(said)), "")
    status = next(iter(_STATUS.findall(said)), "")
    if code == "NoSuchBucket":
        return StoreFull(
            "the bucket of the storage {address} does not exist",
            "make it, or mend `storage` in [cluster]; nothing that was committed is lost",
            address=address,
        )
    if code in _NO_KEY or status.startswith(("401", "403")):
        return StoreFull(
            "the storage {address} refuses this key ({reason})",
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY of somebody who may read, write and delete there",
            address=address,
            reason=code or status,
        )
    if "/latest/" in said or re.search(r"Missing \w*(Key|Token)", said):  # it looks for the key of a machine of Amazon's
        return StoreFull(
            "there is no key for the storage {address}", "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY", address=address
        )
    return StoreFull(
        "the storage {address} does not do what it is asked ({reason})",
        "see that AWS_ENDPOINT_URL and AWS_REGION are right and that it has room, and give the same command again; "
        "nothing that was committed is lost",
        address=address,
        reason=code or status or "nobody answers",
    )
