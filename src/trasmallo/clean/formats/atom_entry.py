"""Entries of feeds as documents of their own (Atom entry documents, RFC 4287): title, author, date, and the HTML inside."""

from __future__ import annotations

from lxml import etree

from trasmallo.clean.formats.html_builder import TOO_MUCH, HtmlBuilder, Unreadable, inner_body, plain

_ATOM = "{http://www.w3.org/2005/Atom}"
_LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
_MOST_ENTRIES = 10_000
"""Entries of one document that are read. Judgement: a feed has at most some hundreds."""


def read_entry(content: bytes, page: HtmlBuilder) -> None:
    """Write an entry to the page; of a whole feed each entry as a section."""
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True, huge_tree=False)
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise Unreadable(f"it is no XML ({error})") from None
    if root is None or root.tag not in (f"{_ATOM}entry", f"{_ATOM}feed"):
        raise Unreadable("it is neither an Atom entry nor an Atom feed")
    page.title, page.language = _said(root, "title"), root.get(_LANGUAGE, "")
    if root.tag == f"{_ATOM}entry":
        _write_fields(root, page)
        _write(root, page)
        return
    entries = root.findall(f"{_ATOM}entry")
    if len(entries) > _MOST_ENTRIES:
        page.lose(TOO_MUCH)
    for entry in entries[:_MOST_ENTRIES]:
        page.write("<section>")
        page.heading(2, plain(_said(entry, "title")))
        _write(entry, page)
        page.write("</section>")


def _write_fields(entry: etree._Element, page: HtmlBuilder) -> None:
    page.field("author", _said(entry, "author", "name"))
    page.field("date", _said(entry, "published") or _said(entry, "updated"))


def _write(entry: etree._Element, page: HtmlBuilder) -> None:
    found = entry.find(f"{_ATOM}content")
    if found is None:
        found = entry.find(f"{_ATOM}summary")
    if found is None:
        return
    kind, text = found.get("type", "text"), "".join(map(str, found.itertext()))
    if kind in ("html", "text/html"):
        page.write(inner_body(text))
    elif kind == "xhtml":
        page.write(inner_body(etree.tostring(found, encoding="unicode", method="html")))
    else:
        for line in text.split("\n"):
            page.block("p", plain(line.strip()))


def _said(entry: etree._Element, *names: str) -> str:
    text = entry.findtext("/".join(f"{_ATOM}{name}" for name in names))
    return " ".join((text or "").split())
