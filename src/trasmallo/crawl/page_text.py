"""The text of a page as its octets tell it, without a tree: quick, and good enough to count and compare words."""

from __future__ import annotations

import re

_TAGS = re.compile(rb"<(/?[A-Za-z][A-Za-z0-9]*|!--)[^<>]*>?")
_UNREAD = frozenset([b"script", b"style", b"a"])


def text_outside(content: bytes, unread: frozenset[bytes] = _UNREAD) -> bytes:
    """The text of a page outside of some elements: scripts, styles and links; linear in its length, whatever it holds."""
    pieces = _TAGS.split(content)
    kept, inside = [pieces[0]], b""
    for tag, text in zip(pieces[1::2], pieces[2::2], strict=True):
        name = tag.lower()
        if not inside and name in unread:
            inside = name
        elif inside and name == b"/" + inside:
            inside = b""
        if not inside:
            kept.append(text)
    return b" ".join(kept)
