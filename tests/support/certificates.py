"""Certificates made on the spot with the openssl program, for servers on loopback."""

from __future__ import annotations

import shutil
import ssl
import subprocess
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
