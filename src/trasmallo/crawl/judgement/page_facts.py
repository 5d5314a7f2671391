"""Cheap facts about a page, from its octets: its title and first heading, how much it says, whether there is anything at all.

They are asked of every answer before anything else is done with it, so none of them needs a tree, and the dear ones are asked
only where a cheap one gives a reason.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from html import unescape

from trasmallo.crawl.page_text import text_outside

_TITLE = (b"<title", b"<TITLE", b"<Title")
_HEADINGS = re.compile(rb"<h1\b[^<>]{0,1000}>(.{0,400}?)</h1\s{0,9}>", re.IGNORECASE | re.DOTALL)
_TAG = re.compile(r"<[^>]*>")
_HEAD = 65_536  # judgement: octets in which a title stands, behind however many styles
_LONGEST_TITLE = 400  # judgement: octets; longer ones are no titles
_BETWEEN = re.compile(r"\s+[-|–—·»«•:/]+\s+|[|»«•]|:\s+")
"""What stands between a page's own title and the name of its site."""

_BLANK_PAGE = 4_096  # judgement: octets; a page without a text, a picture or a script is a template of some lines
_SHOWS = re.compile(
    rb"<(?:img|i?frame|frameset|script|object|embed|svg|video|audio|canvas|picture|applet|a|area|input|button|select)\b|"
    rb"http-equiv=.?refresh",
    re.IGNORECASE,
)
"""What a page may have instead of a text: then it is not empty."""

_ACCENTS = dict.fromkeys(range(0x300, 0x370))
"""The combining marks of Latin letters, which are left out."""

_NOT_READ = frozenset([b"script", b"style", b"a", b"noscript", b"template", b"select", b"title"])
_NOT_SHOWN = frozenset([b"script", b"style", b"title", b"template"])
_MOST_COUNTED = 262_144  # judgement: octets, scripts included, of a page that may say little; of a larger one nobody is sure


def title_octets(content: bytes) -> bytes:
    """What stands in the first title element, as it is written; b"" without one."""
    for written in _TITLE:
        begin = content.find(written, 0, _HEAD)
        if begin >= 0:
            begin = content.find(b">", begin, begin + 200) + 1
            end = content.find(b"<", begin, begin + _LONGEST_TITLE) if begin else -1
            return content[begin:end].strip() if end > 0 else b""
    return b""


def heading_of(content: bytes) -> str:
    """The first heading of a page, plain; "" without one."""
    heading = _HEADINGS.search(content)
    return plain(_TAG.sub(" ", _decoded(heading[1]))) if heading else ""


@lru_cache(maxsize=256)
def title_text(title: bytes) -> str:
    """What a title says, plain. Remembered, since it is asked more than once of a page."""
    return plain(_decoded(title))


def title_labels(title: bytes) -> set[str]:
    """What a title says, plain: all of it, and its parts beside the name of the site."""
    text = title_text(title)
    return {text, *map(str.strip, _BETWEEN.split(text))} - {""}


def plain(text: str) -> str:
    """A text in small letters without accents and signs at its ends, blanks as one."""
    text = (unescape(text) if "&" in text else text).lower()
    if not text.isascii():
        text = unicodedata.normalize("NFD", text).translate(_ACCENTS)
    return " ".join(text.split()).strip(" .!¡¿?…*")


def text_of(content: bytes) -> str:
    """What a page says outside of links and scripts, plain."""
    return plain(_decoded(text_outside(content, _NOT_READ)))


def says_little(content: bytes, most: int) -> bool:
    """Whether a page has at most so many words outside of links; a very large one is not looked at."""
    return len(content) <= _MOST_COUNTED and len(text_of(content).split()) <= most


def is_blank(content: bytes) -> bool:
    """Whether a page has neither a text nor anything else to show, be it made by a script."""
    if len(content) > _BLANK_PAGE or _SHOWS.search(content):
        return False
    return not any(character.isalnum() for character in unescape(_decoded(text_outside(content, _NOT_SHOWN))))


def _decoded(octets: bytes) -> str:
    try:
        return octets.decode()
    except UnicodeDecodeError:
        return octets.decode("cp1252", "replace")
