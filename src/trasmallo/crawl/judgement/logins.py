"""Answers that ask for a name and a password where a page should be.

A page with a field for a password is none of them by that: many sites have one in every header. It must call itself a log-in,
by its title, its heading or its address, and say little else. A redirect is one when it leads to such an address and takes the
address that was asked for along, to come back to. The words are in `logins.toml`.
"""

from __future__ import annotations

import re
import tomllib
from functools import cache
from importlib.resources import files
from urllib.parse import parse_qsl, unquote, urlsplit

import msgspec

from trasmallo.crawl.judgement.page_facts import heading_of, says_little, title_labels, title_octets
from trasmallo.values.decodable import decodable

# At most so much of a tag is read: a page of tags that never end would take the square of its length else.
_PASSWORD = re.compile(rb"""<input\b[^<>]{0,1000}?\btype\s{0,9}=\s{0,9}["']?password\b""", re.IGNORECASE)
_MOST_WORDS = 80
"""Words outside of links on a page that is a log-in. Judgement: labels, a note on cookies and one on lost passwords."""

_SMALL_PAGE = 16_384  # judgement: octets of a page whose heading is looked for, which takes longer than its title
_ENDING = re.compile(r"\.(?:php|aspx?|html?|jsp|do|action|cgi)$")
_IS_INDEX = re.compile(r"(?:index|default)\.[a-z]{2,5}|[a-z]{2}").fullmatch


class LoginWords(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What log-ins are called: their labels, the parts of their paths, and parameters that say where to go afterwards.

    `weak_segments` are parts of paths that other pages have, too.
    """

    labels: frozenset[str]
    segments: frozenset[str]
    weak_segments: frozenset[str]
    parameters: frozenset[str]


@cache
def login_words() -> LoginWords:
    """The words that are known."""
    table = tomllib.loads((files(__package__) / "logins.toml").read_text(encoding="utf-8"))
    return msgspec.convert(table, decodable(LoginWords))


def has_password(content: bytes) -> bool:
    """Whether a page has a field for a password; the cheap question first, since most have none."""
    return (b"assword" in content or b"ASSWORD" in content) and _PASSWORD.search(content) is not None


def is_login_page(content: bytes, url: str) -> bool:
    """Whether a page is a log-in: it asks for a password, calls itself so, and says little else."""
    labels = login_words().labels
    names_itself = not labels.isdisjoint(title_labels(title_octets(content))) or _last_segment(url) in login_words().segments
    if not (names_itself or len(content) <= _SMALL_PAGE) or not has_password(content):
        return False
    return (names_itself or heading_of(content) in labels) and says_little(content, _MOST_WORDS)


def leads_to_login(asked: str, location: str) -> bool:
    """Whether a redirect sends who asked for an address to a log-in from which they would come back to it."""
    words, segment = login_words(), _last_segment(location)
    if segment not in words.segments and segment not in words.weak_segments:
        return False
    parts, query = urlsplit(asked), parse_qsl(urlsplit(location).query)
    path = unquote(parts.path) + ("?" + unquote(parts.query) if parts.query else "")
    own = {unquote(asked), path, path.removeprefix("/"), unquote(parts.path)} - {""}
    return any(name.lower() in words.parameters and unquote(value) in own for name, value in query)


def _last_segment(url: str) -> str:
    """The last part of a path without its ending, or the one before where the last is but an index or a language."""
    parts = url.partition("?")[0].partition("#")[0].rstrip("/").rsplit("/", 2)
    last = parts[-2] if len(parts) > 2 and _IS_INDEX(parts[-1]) else parts[-1]
    return _ENDING.sub("", unquote(last).lower())
