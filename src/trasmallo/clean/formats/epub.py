"""EPUB 2 and 3: the chapters of the spine in order, each as a section with its own markup."""

from __future__ import annotations

import posixpath
from urllib.parse import unquote

from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.web import read_xhtml
from trasmallo.clean.formats.zip_package import ZipPackage, attribute, child, children, descendants

_PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
_FONT_MANGLING = ("http://www.idpf.org/2008/embedding", "http://ns.adobe.com/pdf/enc#RC")


def read_epub(content: bytes, page: HtmlBuilder) -> None:
    """Write a book to the page."""
    package = ZipPackage(content, page.lose)
    root_file = next(descendants(package.xml("META-INF/container.xml"), "rootfile"), None)
    if root_file is None:
        raise Unreadable("the book names no root file")
    name = attribute(root_file, "full-path")
    book = package.xml(name)
    page.title = next((title.text or "" for title in descendants(child(book, "metadata"), "title")), "")
    items = {attribute(item, "id"): item for item in children(child(book, "manifest"), "item")}
    locked = _locked(package)
    for reference in children(child(book, "spine"), "itemref"):
        item = items.get(attribute(reference, "idref"))
        if item is None or attribute(item, "media-type") not in _PAGES:
            continue
        chapter = posixpath.normpath(posixpath.join(posixpath.dirname(name), unquote(attribute(item, "href"))))
        if chapter in locked:
            raise Unreadable("its chapters are encrypted", "get it without copy protection")
        _chapter(package, chapter, page)


def _locked(package: ZipPackage) -> set[str]:
    """Members that are encrypted; mangled fonts are no matter."""
    found = set()
    for data in descendants(package.xml_or_none("META-INF/encryption.xml"), "EncryptedData"):
        method, reference = child(data, "EncryptionMethod"), next(descendants(data, "CipherReference"), None)
        if reference is not None and (method is None or attribute(method, "Algorithm") not in _FONT_MANGLING):
            found.add(unquote(attribute(reference, "URI")))
    return found


def _chapter(package: ZipPackage, name: str, page: HtmlBuilder) -> None:
    try:
        content = package.read(name)
    except Unreadable as refused:
        page.lose(str(refused))
        return
    inner = page.inside()
    read_xhtml(content, inner)
    page.block("section", inner.body())
