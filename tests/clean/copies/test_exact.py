from __future__ import annotations

import zlib

from trasmallo.clean.copies import exact


def test_the_same_words_have_the_same_digest() -> None:
    one, same, other, empty = exact.digest(["Uno, dos:\n TRES", "uno dos tres", "uno tres dos", "?!"]).tolist()

    assert one == same != other
    assert empty == [0, 0]


def test_sums_of_bytes() -> None:
    assert exact.byte_sum(b"\xff" * 3) == 765
    assert exact.SUMS["crc32"](b"uno dos") == zlib.crc32(b"uno dos")
    assert exact.SUMS["xxh3"](b"uno") != exact.SUMS["xxh3"](b"dos")


def test_the_byte_sum_takes_anagrams_for_copies_and_the_others_do_not() -> None:
    texts = ["Roma", "amor", "¡ROMA!"]
    found = {name: exact.all_pairs(exact.sums(texts, name)) for name in ("crc32", "bytesum")}

    assert found["crc32"].second.tolist() == exact.all_pairs(exact.digest(texts)).second.tolist() == [2]
    assert found["bytesum"].second.tolist() == [1, 2]


def test_each_copy_is_paired_with_the_first_and_nothing_with_nothing() -> None:
    pairs = exact.all_pairs(exact.digest(["a b", "", "A B!", "c", "...", "a-b"]))

    assert list(zip(pairs.first.tolist(), pairs.second.tolist(), strict=True)) == [(0, 2), (0, 5)]
    assert pairs.similarity.tolist() == [1.0, 1.0]


def test_a_text_without_characters_sums_to_nothing() -> None:
    assert not exact.sums(["", "?"], "crc32").any()
    assert len(exact.all_pairs(exact.digest([])).first) == 0
