"""The fingerprints that find copies, as the tables keep them."""

from __future__ import annotations

from trasmallo.clean.duplicates import Signature

_EXACT = 16
"""Bytes of a signature's checksum, in front of its minima."""


def pack(signature: Signature) -> str:
    """A signature in hex."""
    return (signature.exact + signature.minima).hex()


def unpack(text: str) -> Signature:
    """A signature from the tables."""
    data = bytes.fromhex(text)
    return Signature(data[:_EXACT], data[_EXACT:])
