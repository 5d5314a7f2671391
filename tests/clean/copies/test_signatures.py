"""Signatures survive the tables."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from trasmallo.clean.copies import minhash
from trasmallo.clean.copies.signatures import sign, unpack


@given(st.lists(st.text(max_size=300), max_size=4))
def test_signatures_come_back(texts: list[str]) -> None:
    assert unpack(map(sign, texts)).tobytes() == minhash.sign(texts).tobytes()


def test_a_signature_of_another_version_is_like_nothing() -> None:
    signed = unpack(["ab" * 528, sign("a b c"), ""])

    assert signed["words"].tolist() == [0, 3, 0]
    assert len(minhash.all_pairs(signed, 0.1).first) == 0
