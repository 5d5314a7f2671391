"""Certificates made on the spot with the openssl program, for servers on loopback."""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


def make_certificate(folder: Path, *, names: str = "DNS:localhost,IP:127.0.0.1", expired: bool = False) -> Path:
    """One file with a key and a certificate signed by itself. Skips the test where openssl is not installed."""
    program = shutil.which("openssl")
    if program is None:
        pytest.skip("the openssl program is not installed: no certificates for tests of TLS")
    both, key, certificate = (folder / name for name in ("both.pem", "key.pem", "certificate.pem"))
    curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subject = ["-subj", "/CN=test", "-addext", f"subjectAltName={names}", "-days", "2"]
    command = [program, "req", "-x509", *curve, *subject, "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    if expired:
        again = [program, "x509", "-in", str(certificate), "-signkey", str(key), "-days", "-1", "-out", str(certificate)]
        subprocess.run(again, check=True, capture_output=True)
    both.write_bytes(key.read_bytes() + certificate.read_bytes())
    return both


def server_context(certificate: Path) -> ssl.SSLContext:
    """What a server needs to show a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    return context


@contextmanager
def old_tls_server(certificate: Path, newest: ssl.TLSVersion) -> Iterator[int]:
    """The port of a server that knows TLS up to a version, and says so as real ones do (asyncio's is silent)."""
    context = server_context(certificate)
    context.set_ciphers("ALL:@SECLEVEL=0")
    context.minimum_version, context.maximum_version = ssl.TLSVersion.TLSv1, newest

    def serve(listening: socket.socket) -> None:
        with suppress(OSError):
            while True:
                connection, _ = listening.accept()
                with connection, suppress(OSError):
                    context.wrap_socket(connection, server_side=True).close()

    with socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=serve, args=(listening,))
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()
