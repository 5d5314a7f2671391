"""Whether a page must be rendered to be read: a pure function from what the server sent to a decision with its reason.

1. A page that says enough is read as it came; most do so plainly, within their first kilobytes.
2. A page without scripts is what it is.
3. Where its scripts hold the text as data, that is read instead, if it also has links.
4. What is left is a shell: an empty root element, a wish for JavaScript, a word such as "loading", an announcement in its head
   that its body does not keep, or next to no text.
5. A page without any link, where the sitemap of its host names many.
"""

from __future__ import annotations

import re
from html import unescape
from typing import NamedTuple

from trasmallo.crawl.page_text import text_outside
from trasmallo.values.embedded_data import Script, embedded_texts, may_hold_texts

ENOUGH_WORDS = 120
"""Words outside of links and scripts with which a page says enough. Judgement, then looked at with
`benchmarks/rendering.py auto`: of 2,088 pages of the extraction sets whose gold text is in the HTML one was rendered, and
so were the four whose text only scripts bring."""
FEW_WORDS = 25
"""Words with which a page with scripts is a shell even without another sign; the same calibration."""
HELD_WORDS = 40
"""Words of data in scripts that are a text; as `clean.embedded` reads them."""
PROMISED = 5
"""Addresses in a sitemap that a page without a single link keeps for itself. Judgement."""

_NOT_SHOWN = frozenset([b"script", b"style", b"title", b"template", b"noscript", b"head", b"svg"])
_NOT_READ = _NOT_SHOWN | {b"a", b"select", b"nav", b"footer", b"button"}
_MOST_OCTETS = 3_000_000  # judgement: a larger page has its text in it
_EMPTY_ROOT = re.compile(
    rb"""<(?:div|main|section|body)\b[^<>]*\bid\s*=\s*["']?(?:root|app|__next|__nuxt|___gatsby|svelte|q-app|main-app|"""
    rb"""react-root|app-root|ember-app|application|mount|vue-app|container-app)["']?[^<>]*>\s*(?:<!--[^<>]*-->\s*)*</""",
    re.IGNORECASE,
)
_EMPTY_COMPONENT = re.compile(rb"<([a-z][a-z0-9]*-[a-z0-9-]+)\b[^<>]*>\s*(?:<!--[^<>]*-->\s*)*</\1\s*>", re.IGNORECASE)
_EMPTY_MAIN = re.compile(
    rb"""<(main|section|article|div)\b(?=[^<>]*(?:\bid\s*=\s*["']?(?:main|content|page|outlet|view|app|root)\b|\brole\s*=\s*["']?main\b)"""
    rb"""|(?<=main)[\s>])[^<>]*>\s*(?:<!--[^<>]*-->\s*)*</\1\s*>""",
    re.IGNORECASE,
)
"""The place for the main content, with nothing in it."""
_FRAGMENT = re.compile(rb"""<meta\b[^<>]*\bname\s*=\s*["']?fragment\b[^<>]*\bcontent\s*=\s*["']?!""", re.IGNORECASE)
"""By this a page says that its text is made by scripts (the former scheme of search engines for `#!`)."""
_META = re.compile(rb"<meta\b([^<>]{0,3000})>", re.IGNORECASE)
_DESCRIPTION = re.compile(rb"""\b(?:name|property)\s*=\s*["']?(?:og:|twitter:)?description\b""", re.IGNORECASE)
_CONTENT = re.compile(rb"""\bcontent\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_WORD = re.compile(r"\w{4,}")
_LONG_ANNOUNCEMENT = 12
"""Words of a description that announce a text; shorter ones are slogans. Judgement, then looked at as ENOUGH_WORDS."""
_KEPT_SHARE = 0.5
"""Share of them that is in the text of a page that keeps what it announces; the same."""
_LOADED_SCRIPT = re.compile(
    rb"""<link\b(?=[^<>]*\b(?:rel\s*=\s*["']?modulepreload\b|as\s*=\s*["']?script\b))[^<>]*>""", re.IGNORECASE
)
"""A script that is fetched ahead for another script to start."""
_WISH = re.compile(
    r"(?:enable|activate|requires?|needs?|turn on|without|activ[ae]r?|habilit[ae]r?|necesitas?|requiere|sin|activez|"
    r"aktivier\w*)[^.]{0,60}\bjava ?script",
    re.IGNORECASE,
)
_LOADING = re.compile(r"\b(?:loading|cargando|chargement|wird geladen|please wait|espere)\b", re.IGNORECASE)
_SCRIPT = re.compile(rb"<script\b([^<>]{0,2000})>", re.IGNORECASE)
_TYPE = re.compile(rb"""\btype\s*=\s*["']?([^"'\s>;]+)""", re.IGNORECASE)
_PROSE = re.compile(rb">([^<>{}=;|]{30,2000})<(?!/(?:script|style|a\b|noscript|title))", re.IGNORECASE)
"""A stretch of running text: what is in scripts has other signs, what is in menus is shorter."""
_LINK = re.compile(rb"<a\b[^<>]{0,2000}\bhref\s*=\s*[\"']?(?!#|javascript:)[^\s\"'>]", re.IGNORECASE)
_OCTETS_A_WORD = 20  # judgement: Greek and Cyrillic words have 14 in the middle, seven Chinese signs 21
_SMALL_SCRIPT = 400  # judgement: octets; shorter ones measure visits or set a class


class Decision(NamedTuple):
    """Whether to render, and why or why not, in words."""

    render: bool
    reason: str


def decide(content: bytes, promised: int = 0) -> Decision:
    """What to do with a page as the server sent it; `promised` addresses of its host are in its sitemap, as far as is known."""
    if _is_prose(content):
        return Decision(render=False, reason=f"its HTML has a text of {ENOUGH_WORDS} words and more")
    scripts = _scripts(content) if len(content) <= _MOST_OCTETS else []
    if not _works(scripts) and not _LOADED_SCRIPT.search(content):
        return Decision(render=False, reason="no scripts that could show more")
    shown = _words(content, _NOT_READ)
    if shown >= ENOUGH_WORDS:
        return Decision(render=False, reason=f"its HTML has a text of {shown} words")
    has_links = _LINK.search(content) is not None
    if (held := _held_words(content, scripts)) >= max(HELD_WORDS, 2 * shown):
        if has_links:
            return Decision(render=False, reason=f"the data in its scripts hold the text ({held} words)")
        return Decision(render=True, reason=f"its links are made by scripts; their data hold {held} words of text")
    if sign := _sign(content, shown):
        return Decision(render=True, reason=sign)
    if _words(content, _NOT_SHOWN) < FEW_WORDS:
        return Decision(render=True, reason=f"little text ({shown} words) and scripts that may show more")
    if not has_links and promised >= PROMISED:
        return Decision(render=True, reason=f"no links, though the sitemap names {promised} addresses")
    return Decision(render=False, reason=f"its HTML has a text of {shown} words and no sign of a shell")


def _is_prose(content: bytes) -> bool:
    """Whether a page plainly says enough: looked at piece by piece, since most pages do so within their first kilobytes.

    Takes some 20 µs of a page of 30 kB where all that follows takes 6 ms.
    """
    words = 0
    for piece in _PROSE.finditer(content, max(0, content.find(b"<body"))):
        words += _count(piece[1])
        if words >= ENOUGH_WORDS:
            return True
    return False


def word_count(content: bytes) -> int:
    """Words that a page shows outside of its scripts."""
    return _words(content, _NOT_SHOWN)


def _words(content: bytes, without: frozenset[bytes]) -> int:
    return _count(text_outside(content, without))


def _count(text: bytes) -> int:
    """Words in a text; where none are set apart, as in Chinese, one for so many octets."""
    words = text.split()
    return max(len(words), sum(map(len, words)) // _OCTETS_A_WORD)


def _sign(content: bytes, shown: int) -> str:
    """What says that scripts are to fill the page; "" for nothing."""
    if _EMPTY_ROOT.search(content):
        return "the element that its scripts fill is empty"
    text = text_outside(content, frozenset([b"script", b"style", b"title"])).decode("utf-8", "replace")
    if _WISH.search(text):
        return "it asks for JavaScript"
    if (found := _EMPTY_COMPONENT.search(content)) and shown < ENOUGH_WORDS // 2:
        return f"its component {found[1].decode('ascii', 'replace')} is empty"
    if shown < ENOUGH_WORDS // 2 and _EMPTY_MAIN.search(content):
        return "the place of its main content is empty"
    if shown < ENOUGH_WORDS // 2 and _FRAGMENT.search(content):
        return "it says that its text is made by scripts"
    if shown < ENOUGH_WORDS // 2 and _LOADING.search(text):
        return "it says that it is loading"
    if shown < ENOUGH_WORDS // 2 and not _keeps_announcement(content, text):
        return "its head announces a text that is not there"
    return ""


def _keeps_announcement(content: bytes, text: str) -> bool:
    """Whether the text of a page has the words by which its head describes it; so does one that describes nothing."""
    described = [
        found for meta in _META.finditer(content) if _DESCRIPTION.search(meta[1]) and (found := _CONTENT.search(meta[1]))
    ]
    announced = [_words_in(unescape((found[1] or found[2] or b"").decode("utf-8", "replace"))) for found in described]
    longest = max(announced, key=len, default=set())
    return len(longest) < _LONG_ANNOUNCEMENT or len(longest & _words_in(unescape(text))) >= _KEPT_SHARE * len(longest)


def _words_in(text: str) -> set[str]:
    return set(_WORD.findall(text.lower()))


def _scripts(content: bytes) -> list[tuple[bytes, bytes]]:
    """Attributes and source of each script; linear, since one without an end ends the search."""
    found, place, lower = [], 0, content.lower()
    while (begin := _SCRIPT.search(content, place)) and (end := lower.find(b"</script", begin.end())) >= 0:
        found.append((begin[1], content[begin.end() : end]))
        place = end
    return found


def _works(scripts: list[tuple[bytes, bytes]]) -> bool:
    """Whether some script may write a text: one from a file, or one that is not tiny and no data."""
    return any(
        b"src" in head.lower() or (len(source) >= _SMALL_SCRIPT and b"json" not in _kind(head)) for head, source in scripts
    )


def _kind(head: bytes) -> bytes:
    kind = _TYPE.search(head)
    return kind[1].lower() if kind else b""


def _held_words(content: bytes, scripts: list[tuple[bytes, bytes]]) -> int:
    if not may_hold_texts(content.decode("latin-1")):
        return 0
    texts = embedded_texts(Script(_kind(head).decode("latin-1"), source.decode("utf-8", "replace")) for head, source in scripts)
    return sum(len(text.split()) for text in texts)
