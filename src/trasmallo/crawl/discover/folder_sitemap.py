"""A sitemap of the documents in a folder, as a web server would show them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

from trasmallo.crawl.discover.links import looks_like_asset
from trasmallo.crawl.discover.sitemaps import LONGEST_ADDRESS, SitemapEntry, write_sitemap
from trasmallo.values.errors import DocumentError
from trasmallo.values.urls import canonical

_INDEXES = ("index.html", "index.htm", "index.xhtml", "index.php", "default.htm", "default.html")
_OWN = "sitemap"


def sitemap(folder: str | Path, base: str, into: str | Path | None = None, *, compress: bool = False) -> list[Path]:
    """Write the sitemap of a folder that is served at `base`, and give its files, the one to announce first.

    It has every document of the folder and below with the time of its last change; hidden files, symbolic links, and what is
    no document (pictures, styles, programs) are passed over. The files go into the folder itself, or `into` another one that
    is served at `base`; more than 50,000 documents, or 50 MB, are several files and an index (sitemaps.org, 0.9), where an
    address of 2,048 characters or more has no place. Raises
    DocumentError when there is no such folder, UrlError for a base that is no web address.
    """
    root, home = Path(folder), canonical(base)
    if not root.is_dir():
        raise DocumentError("there is no folder {path}", "check its name", path=root)
    return write_sitemap(folder_entries(root, home), Path(into) if into else root, home, compress)


def folder_entries(root: Path, base: str) -> Iterator[SitemapEntry]:
    """The documents of a folder in the order of their paths; an index stands for its folder."""
    home = base if base.endswith("/") else base + "/"
    for path in _files(root):
        parts = path.relative_to(root).parts
        shown = (*parts[:-1], "") if parts[-1].lower() in _INDEXES else parts
        url = canonical(home + quote("/".join(shown), errors="surrogateescape"))
        if not looks_like_asset(url) and len(url) < LONGEST_ADDRESS:
            yield SitemapEntry(url, lastmod=path.stat().st_mtime)


def _files(root: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(names):
            path = Path(place, name)
            if path.is_file() and not path.is_symlink() and not _is_left_out(path, root):
                yield path


def _is_left_out(path: Path, root: Path) -> bool:
    """Hidden files, and the sitemaps and rules of the site itself."""
    at_root = path.parent == root
    return path.name.startswith(".") or (at_root and (path.name == "robots.txt" or path.name.startswith(_OWN)))
