"""A page as its reader sees it, and what its head says of it.

`flat` has the arrays of nodes and `layout` the blocks of text; here is decided what of a page is to be seen.
"""

from __future__ import annotations

import re
from collections import Counter

from trasmallo.clean.flat import FlatPage, flatten, tag_class
from trasmallo.clean.layout import Layout, lay_out
from trasmallo.values.language_tags import primary
from trasmallo.values.model import Field

_SCANTY = 400
"""Characters. A page that shows less is also looked at as a reader without scripts and style sheets would see it. Judgement."""
_PARAGRAPH = 80
"""Characters from which on a block without links is prose. Judgement, as the next."""
_MUCH = 1_000
"""Characters of hidden prose that make a page one that waits for a script."""
_MAX_FIELDS = 500
"""Fields of a page that are kept. Judgement: room for any honest page."""
_MAX_FIELD = 1_000
"""Characters of a field that are kept. Judgement."""


def see(html: str) -> tuple[FlatPage, Layout]:
    """A page as its reader sees it; one that shows next to nothing is read without scripts, styles or frames.

    So is one that hides most of its prose: it waits for a script to show it. The `tree` is that of the page as it came.
    """
    page = flatten(html)
    tree, holds_frames = page.tree, page.holds_frames
    layout = lay_out(page)
    shown = sum(layout.weight)
    if page.hidden and (shown < _SCANTY or _hidden_size(page) > shown):
        layout = _fuller(layout, lay_out(page, show_hidden=True))
    if shown < _SCANTY and "noscript" in page.tag:
        plain = flatten(html, scripting=False)
        bare = lay_out(plain, show_hidden=True)
        if _fuller(layout, bare) is bare:
            page, layout = plain, bare
    if "noframes" in page.tag and not len(layout):
        page = flatten(page.raw_text(page.tag.index("noframes")))
        layout = lay_out(page)
    page.tree, page.holds_frames = tree, holds_frames
    return page, layout


def _hidden_size(page: FlatPage) -> int:
    """The characters of what a reader does not see, white space and all."""
    return sum(len(text) for index in page.hidden for text in page.text[index : page.end[index]])


def _fuller(usual: Layout, other: Layout) -> Layout:
    if sum(usual.weight) < _SCANTY:
        return other if sum(other.weight) > 2 * sum(usual.weight) else usual
    return other if _hides_prose(_prose(usual), _prose(other)) else usual


def _prose(layout: Layout) -> Counter[str]:
    """The longer blocks that are no links."""
    spans = zip(layout.start, layout.end, layout.weight, layout.linked, strict=True)
    return Counter(layout.text[a:b] for a, b, weight, linked in spans if weight > _PARAGRAPH and 3 * linked < weight)


def _hides_prose(shown: Counter[str], whole: Counter[str]) -> bool:
    """Whether most prose of a page is hidden, and is not what it shows already, in a form for print or for small screens."""
    added = whole - shown
    new = sum(len(text) for text in whole if text not in shown)
    repeated = sum(len(text) * count for text, count in added.items()) - new
    return new > max(_MUCH, 1.5 * sum(map(len, shown))) and new > 3 * repeated


def title_of(page: FlatPage) -> str:
    """The page's title, "" without one."""
    titles = (i for i, tag in enumerate(page.tag) if tag == "title")
    return next((page.inner_text(i) for i in titles if page.tag[page.parent[i]] in ("head", "body", "html")), "")


def language_of(page: FlatPage) -> str:
    """The primary language that the page says it is in ("es" for "es-MX"), "" when it does not say."""
    attributes = page.attributes(0) if len(page) else {}
    label = attributes.get("lang") or attributes.get("xml:lang") or ""
    language = primary(label)
    return language if re.fullmatch("[a-z]{2,3}", language) else ""


def fields_of(page: FlatPage) -> tuple[Field, ...]:
    """The named parts of a page in document order: title, meta elements by their name, headings, emphasis."""
    headings, emphases = tag_class("heading"), tag_class("emphasis")
    fields = [Field("title", title[:_MAX_FIELD])] if (title := title_of(page)) else []
    for index, tag in enumerate(page.tag):
        if tag in headings:
            fields.append(Field("heading", page.inner_text(index)[:_MAX_FIELD]))
        elif tag in emphases:
            fields.append(Field("emphasis", page.inner_text(index)[:_MAX_FIELD]))
        elif tag == "meta":
            fields.extend(_meta_field(page.attributes(index)))
    return tuple([field for field in fields if field.text][:_MAX_FIELDS])


def _meta_field(attributes: dict[str, str]) -> list[Field]:
    name = (attributes.get("name") or attributes.get("property") or "").strip().lower()
    content = " ".join(attributes.get("content", "").split())
    return [Field(name[:100], content[:_MAX_FIELD])] if name in tag_class("meta") else []
