"""Signatures survive the tables."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.clean.duplicates import signature
from trasmallo.project.reading.signatures import pack, unpack


@given(st.text(max_size=300))
def test_a_signature_comes_back(text: str) -> None:
    assert unpack(pack(signature(text))) == signature(text)
