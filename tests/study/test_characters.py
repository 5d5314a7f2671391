from __future__ import annotations

import re
import unicodedata

from trasmallo.study.characters import BREAK, GAP, IN_GAP, IS_BLANK, IS_BREAK, IS_UNSTABLE, classes, codes, traits


def test_whatever_normalising_changes_is_unstable() -> None:
    unstable = re.compile(f"[{classes().unstable}]")
    missed = [
        hex(code)
        for code in range(0x110000)
        if not unstable.match(chr(code))
        and (unicodedata.combining(chr(code)) or not unicodedata.is_normalized("NFC", chr(code)))
    ]
    assert missed == []


def test_letters_marks_and_numerals() -> None:
    kinds = classes()
    assert all(re.match(f"[{kinds.letter}]", char) for char in "aÑßЖאक\u0301𐐀")
    assert not any(re.match(f"[{kinds.letter}]", char) for char in "1_ ½東。😀\ud800")
    assert all(re.match(f"[{kinds.numeral}]", char) for char in "½²Ⅷ")


def test_traits_are_those_of_the_classes() -> None:
    every = "".join(map(chr, range(0x110000)))
    told = traits()[codes(every)]
    for trait, inside in ((IN_GAP, GAP), (IS_BLANK, r"\s"), (IS_BREAK, BREAK)):
        assert [match.start() for match in re.finditer(f"[{inside}]", every)] == (told & trait).nonzero()[0].tolist()
    unstable = {match.start() for match in re.finditer(f"[{classes().unstable}]", every)}
    assert unstable <= set((told & IS_UNSTABLE).nonzero()[0].tolist())
    assert not (told[: ord("~")] & IS_UNSTABLE).any()
    assert [chr(code) for code in codes("\ud800ñ\U0001f600")] == ["\ud800", "ñ", "\U0001f600"]
