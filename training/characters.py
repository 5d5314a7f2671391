"""Write the table of characters that slicing shares between Python and the browser.

    python training/characters.py

Both copies come from Python's Unicode data: `characters.json` in the package, and `tables.js` in the extension, which also
carries the tags of `kinds.json`. Each language has other opinions on letters, blanks and lower case; here they have none.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "trasmallo" / "clean" / "slicing"
SCRIPT = ROOT / "extension" / "core" / "tables.js"

# Accents and points; the vowel signs of Indic scripts are letters of their own and no accents.
_ACCENTS = [(0x300, 0x36F), (0x591, 0x5C7), (0x64B, 0x652), (0x670, 0x670), (0x1AB0, 0x1AFF), (0x1DC0, 0x1DFF),
            (0x20D0, 0x20FF), (0xFE20, 0xFE2F)]  # fmt: skip
# What nobody sees: soft hyphens, zero-width and direction marks, variation selectors.
_IGNORED = [(0xAD, 0xAD), (0x61C, 0x61C), (0x200B, 0x200F), (0x202A, 0x202E), (0x2060, 0x2064), (0x2066, 0x206F),
            (0xFE00, 0xFE0F), (0xFEFF, 0xFEFF)]  # fmt: skip
# Scripts that write no blanks between words; each of their characters counts as a word.
_IDEOGRAPHS = [(0x2E80, 0x2FDF), (0x3005, 0x3007), (0x3021, 0x3029), (0x3041, 0x3096), (0x309D, 0x309F), (0x30A1, 0x30FA),
               (0x30FC, 0x30FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFF66, 0xFF9D),
               (0x20000, 0x3FFFD)]  # fmt: skip
# Letters whose stroke or ligature is no combining mark in Unicode.
_STROKES = {"ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d", "Đ": "D", "ħ": "h", "Ħ": "H", "ŧ": "t", "Ŧ": "T", "ı": "i",
            "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ß": "ss", "ẞ": "SS", "ŀ": "l", "Ŀ": "L"}  # fmt: skip
_LAST = 0x110000


def among(spans: list[tuple[int, int]]) -> Callable[[int], bool]:
    """Whether a code point is in one of the ranges, both ends included."""
    codes = {code for low, high in spans for code in range(low, high + 1)}
    return codes.__contains__


def spans_of(wanted: Callable[[int], bool]) -> list[int]:
    """The code points as pairs of gap and length, each gap counted from the end of the range before."""
    found: list[int] = []
    end = 0
    code = 0
    while code < _LAST:
        if wanted(code):
            start = code
            while code < _LAST and wanted(code):
                code += 1
            found += [start - end, code - start]
            end = code
        code += 1
    return found


def fold_case(code: int) -> str:
    """A character without its case, as Unicode's full case folding has it."""
    return chr(code).casefold()


def fold_accents(code: int) -> str:
    """A character without its accents; itself when it has none."""
    character = chr(code)
    if character in _STROKES:
        return _STROKES[character]
    if 0xAC00 <= code <= 0xD7A3:
        return character
    dropped = among(_ACCENTS)
    parts = unicodedata.normalize("NFD", character)
    kept = "".join(part for part in parts if not dropped(ord(part)))
    return kept if len(kept) < len(parts) and len(parts) > 1 and kept else character


def mapping(fold: Callable[[int], str]) -> dict[str, str]:
    """The characters that change, and what they become."""
    codes: Iterable[int] = (code for code in range(_LAST) if not 0xD800 <= code <= 0xDFFF)
    return {chr(code): folded for code in codes if (folded := fold(code)) != chr(code)}


def table() -> dict[str, Any]:
    """The whole table; `case` is applied before `accents`."""
    ignored, ideograph = among(_IGNORED), among(_IDEOGRAPHS)
    letters = {code for code in range(_LAST) if unicodedata.category(chr(code))[0] in "LMN"}
    global_accents = among(_ACCENTS)
    accents = {}
    for code in range(_LAST):
        if (0xD800 <= code <= 0xDFFF) or not (unicodedata.decomposition(chr(code)) or chr(code) in _STROKES):
            continue
        folded = fold_accents(code)
        if folded != chr(code):
            accents[chr(code)] = folded
    return {
        "unicode": unicodedata.unidata_version,
        "space": spans_of(lambda code: chr(code).isspace()),
        "word": spans_of(lambda code: code in letters and not ideograph(code) and not ignored(code)),
        "ideograph": spans_of(ideograph),
        "ignored": spans_of(ignored),
        "accent": spans_of(lambda code: global_accents(code) and unicodedata.category(chr(code)) == "Mn"),
        "case": mapping(fold_case),
        "accents": accents,
    }


def texts() -> dict[Path, str]:
    """Each file and what stands in it."""
    characters = table()
    written = json.dumps(characters, ensure_ascii=True, separators=(",", ":"))
    kinds = json.loads((PACKAGE / "kinds.json").read_text("utf-8"))
    tags = json.dumps(kinds, separators=(",", ":"))
    script = (
        "// Written by training/characters.py; do not edit.\n"
        '"use strict";\n'
        "globalThis.trasmallo = globalThis.trasmallo || {};\n"
        f"globalThis.trasmallo.characters = {written};\n"
        f"globalThis.trasmallo.kinds = {tags};\n"
    )
    return {PACKAGE / "characters.json": written + "\n", SCRIPT: script}


if __name__ == "__main__":
    for path, text in texts().items():
        path.write_text(text, "utf-8")
