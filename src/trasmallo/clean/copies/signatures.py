"""The signatures that find copies, as the tables keep them: in hex."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from trasmallo.clean.copies import minhash
from trasmallo.clean.copies.minhash import SIGNATURE, Signatures


def sign(text: str) -> str:
    """The signature of a text."""
    return minhash.sign([text]).tobytes().hex()


def unpack(signatures: Iterable[str]) -> Signatures:
    """Signatures from the tables; one of another version, or a damaged one, is like nothing."""
    size = SIGNATURE.itemsize
    found = (text if len(text) == 2 * size else "00" * size for text in signatures)
    return np.frombuffer(bytes.fromhex("".join(found)), dtype=SIGNATURE)
