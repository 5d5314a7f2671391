"""Formats of prepared texts, told by their first bytes: JSON lines, CoNLL-U, vertical text, TEI."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from trasmallo.store.stream import ByteStream
from trasmallo.store.tei import read_tei
from trasmallo.store.texts import Found, read_conllu, read_json_lines, read_vertical

_CONLLU = re.compile(rb"(?:#[^\n]*\n)*\d+(?:-\d+)?\t(?:[^\t\n]+\t){8}[^\t\n]+\r?\n")
_VERTICAL = re.compile(rb"(?:\s*<(?:corpus|doc|text|p|s)(?:\s[^<>\n]*)?>[ \t]*\r?\n)+[^<\n\t][^\n\t]*(?:\t|\r?\n)")
_TEI = re.compile(rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*|<\?[^>]*>\s*)*<(?:teiCorpus|TEI)[\s>]", re.DOTALL)


def reader_for(start: bytes) -> Callable[[ByteStream, int], Iterator[Found]] | None:
    """The reader of a file with these first bytes, None when it is of no such format."""
    if start.lstrip().startswith(b"{"):
        return read_json_lines
    if _CONLLU.match(start):
        return read_conllu
    if _VERTICAL.match(start):
        return read_vertical
    if _TEI.match(start):
        return read_tei
    return None
