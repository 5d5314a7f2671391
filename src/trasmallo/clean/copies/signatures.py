"""The signatures that find copies, as the tables keep them: in hex."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from trasmallo.clean.copies.minhash import Signatures


def sign(text: str) -> str:
    """The signature of a text."""
    from trasmallo.clean.copies import minhash

    return minhash.sign([text]).tobytes().hex()


def unpack(signatures: Iterable[str]) -> Signatures:
    """Signatures from the tables; one of another version, or a damaged one, is like nothing."""
    import numpy as np

    from trasmallo.clean.copies.minhash import SIGNATURE

    size = SIGNATURE.itemsize
    found = (text if len(text) == 2 * size else "00" * size for text in signatures)
    return np.frombuffer(bytes.fromhex("".join(found)), dtype=SIGNATURE)
