from __future__ import annotations

import numpy as np

from support.made_prose import edited, prose
from trasmallo.clean.copies.index import Index
from trasmallo.clean.copies.minhash import all_pairs, sign


def some_texts() -> list[str]:
    originals = [prose(seed, 200) for seed in range(70)]
    return [" ".join(words) for words in originals + [edited(words, 0.1, 7) for words in originals]]


def test_growing_finds_what_all_at_once_does() -> None:
    signed = sign(some_texts())
    index = Index(0.5)
    grown = [index.add(signed[start : start + 30]) for start in range(0, len(signed), 30)]
    found = sorted(row for pairs in grown for row in zip(*(column.tolist() for column in pairs), strict=True))

    assert len(index) == len(signed)
    assert found == sorted(zip(*(column.tolist() for column in all_pairs(signed, 0.5)), strict=True))


def test_what_is_like_a_text_that_is_not_in_it() -> None:
    index = Index(0.3)
    index.add(sign([" ".join(prose(1)), " ".join(prose(2)), " ".join(edited(prose(1), 0.3, 1))]))
    (first, one), (second, other) = index.like(sign([" ".join(edited(prose(1), 0.02, 5))]))

    assert (first, second) == (0, 2)
    assert 1 > one > other > 0.3
    assert index.like(sign(["otra cosa"])) == index.like(sign([""])) == []


def test_an_empty_index_knows_nothing() -> None:
    assert Index(0.5).like(sign(["a b c"])) == []
    assert len(Index(0.5).add(sign([])).first) == 0


def test_a_site_of_equal_pages_costs_no_more_than_another() -> None:
    index = Index(0.5)
    words = prose(5, 2_000)
    found = [index.add(sign([" ".join([*words, str(number)])])) for number in range(120)]

    assert all(len(pairs.first) for pairs in found[1:])
    assert np.concatenate([pairs.first for pairs in found]).size < 120 * 120 / 2


def test_runs_are_merged_as_they_grow() -> None:
    index = Index(0.5)
    for text in some_texts():
        index.add(sign([text]))

    assert len(index._runs) < 10
