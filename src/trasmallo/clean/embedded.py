"""Pages whose text stands in their scripts as data: the same page with that text in its body."""

from __future__ import annotations

import re
from html import escape

from trasmallo.values.embedded_data import Script, embedded_texts, may_hold_texts

MOST_SHOWN = 100
"""Words of main content from which a page says enough by itself. Judgement: a teaser or a shell has fewer; with more, data in
its scripts are mostly those of other pages."""
FEWEST_HELD = 40
"""Words in its data that are worth being read instead. Judgement: two or three sentences."""

_SCRIPT = re.compile(r"<script\b([^<>]{0,2000})>", re.IGNORECASE)
_SCRIPT_END = re.compile(r"</script", re.IGNORECASE)
_TYPE = re.compile(r"""\btype\s*=\s*["']?([^"'\s>;]+)""", re.IGNORECASE)
_END = re.compile(r"</body\s*>", re.IGNORECASE)


def open_embedded(html: str, shown: str) -> str:
    """The page with the text of its data; the same object when its main content `shown` says enough, or they hold no more."""
    words = len(shown.split())
    if words >= MOST_SHOWN or not may_hold_texts(html):
        return html
    texts = embedded_texts(scripts_of(html))
    known = " ".join(shown.split())
    missing = [text for text in texts if text not in known]
    if sum(len(text.split()) for text in missing) < max(FEWEST_HELD, 2 * words):
        return html
    article = "<article>" + "".join(f"<p>{escape(text)}</p>" for text in texts) + "</article>"
    end = max((found.start() for found in _END.finditer(html)), default=len(html))
    return html[:end] + article + html[end:]


def scripts_of(html: str) -> list[Script]:
    """The scripts of a page that stand in it; one without an end ends the search, so that it is linear."""
    found, place = [], 0
    while (begin := _SCRIPT.search(html, place)) and (end := _SCRIPT_END.search(html, begin.end())):
        kind = _TYPE.search(begin[1])
        found.append(Script(kind[1].lower() if kind else "", html[begin.end() : end.start()]))
        place = end.end()
    return found
