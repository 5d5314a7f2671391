"""Write the tables that finding blocks shares between Python and the browser.

    python training/browser_tables.py

The classes of tags, the signs of elements and what Python's methods of texts say of characters, as one script.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from characters import fold_case, mapping, spans_of

from trasmallo.clean.content import outline

ROOT = Path(__file__).resolve().parents[1]

SCRIPT = ROOT / "extension" / "core" / "blocks" / "tables.js"
TAGS = ROOT / "src" / "trasmallo" / "clean" / "tags.json"
BOILERPLATE = ROOT / "src" / "trasmallo" / "clean" / "content" / "boilerplate.json"
_WANTED = ("raw", "silent", "inline", "void", "heading", "grid", "structure", "content-free")
_LETTER, _DIGIT = re.compile(r"[^\W\d_]"), re.compile(r"\d")


def is_title(code: int) -> bool:
    """Whether a letter is neither small nor capital, such as the titlecase digraphs."""
    return chr(code).istitle() and not chr(code).isupper()


def characters() -> dict[str, Any]:
    """Classes of characters, and the small letters of those that folding makes something else of."""
    folded, lower = mapping(fold_case), mapping(lambda code: chr(code).lower())
    return {
        "letter": spans_of(lambda code: _LETTER.match(chr(code)) is not None),
        "digit": spans_of(lambda code: _DIGIT.match(chr(code)) is not None),
        "lower": spans_of(lambda code: chr(code).islower()),
        "upper": spans_of(lambda code: chr(code).isupper()),
        "title": spans_of(is_title),
        "lowered": {c: lower.get(c, c) for c in sorted({*folded, *lower}) if lower.get(c, c) != folded.get(c, c)},
    }


def signs() -> dict[str, Any]:
    """What `outline` knows of tags, roles and names."""
    return {
        "flags": outline.FLAGS,
        "byTag": outline._BY_TAG,
        "byRole": outline._BY_ROLE,
        "plain": sorted(outline._PLAIN),
        "bodyProperties": sorted(outline._BODY_PROPERTIES),
        "comment": outline._COMMENT.pattern,
        "forum": outline._FORUM.pattern,
    }


def tags() -> dict[str, list[str]]:
    """The classes of tags that blocks are found by."""
    table = json.loads(TAGS.read_text("utf-8"))
    return {name: table[name] for name in _WANTED}


def text() -> str:
    """What stands in the script."""
    boilerplate = json.loads(BOILERPLATE.read_text("utf-8"))
    written = [json.dumps(table, separators=(",", ":")) for table in (characters(), tags(), signs(), boilerplate)]
    return (
        "// Written by training/browser_tables.py; do not edit.\n"
        '"use strict";\n'
        f"Object.assign(globalThis.trasmallo.characters, {written[0]});\n"
        f"globalThis.trasmallo.content = {{ tags: {written[1]},\nsigns: {written[2]},\nboilerplate: {written[3]} }};\n"
    )


if __name__ == "__main__":
    SCRIPT.write_text(text(), "utf-8")
