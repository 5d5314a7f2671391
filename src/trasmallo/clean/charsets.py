"""Names, labels and codecs of encodings, from `encodings.tsv`."""

from __future__ import annotations

import codecs
from functools import cache
from importlib import resources


@cache
def _table() -> tuple[dict[str, str], dict[str, str]]:
    """The name of each label, and the codec of each name."""
    names, codec_of = {}, {}
    table = resources.files(__package__).joinpath("encodings.tsv").read_text("utf-8")
    for line in table.splitlines()[1:]:
        name, codec, labels = line.split("\t")
        codec_of[name] = codec
        names.update(dict.fromkeys(labels.split(" "), name))
    return names, codec_of


def charset_name(label: str) -> str:
    """The standard's name of an encoding label, "" for a label it does not know (WHATWG Encoding, "get an encoding")."""
    return _table()[0].get(label.strip("\t\n\x0c\r ").lower(), "")


def codecs_by_name() -> dict[str, str]:
    """The codec of each encoding by its name."""
    return _table()[1]


def decode_strictly(body: bytes, charset: str) -> str | None:
    """The text, or None when bytes do not fit; a character cut off at the very end is dropped."""
    try:
        return codecs.getincrementaldecoder(codecs_by_name()[charset])("strict").decode(body, False)
    except (UnicodeError, ValueError):
        return None


def decode_leniently(body: bytes, charset: str) -> str:
    """The text, with U+FFFD in place of what does not fit."""
    return body.decode(codecs_by_name()[charset], "replace")


def is_ebcdic(charset: str) -> bool:
    """Whether a name is that of one of IBM's encodings in which even the letters of ASCII stand elsewhere."""
    return charset.startswith("ibm") and charset != "ibm866"


def is_wide(charset: str) -> bool:
    """Whether a name is that of an encoding in which every character has two or four bytes at least."""
    return charset.startswith(("utf-16", "utf-32"))
