from __future__ import annotations

import re
import unicodedata

from trasmallo.study.characters import classes


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
