"""Documents inside documents, opened one level: what is packed in gz and zip, and what hangs on mail."""

from __future__ import annotations

import gzip
import io
import zlib

from trasmallo.clean.formats.html_builder import TOO_MUCH, HtmlBuilder, TooMuchMarkup, Unreadable, plain
from trasmallo.clean.formats.readers import read_as
from trasmallo.clean.formats.sniff import media_of
from trasmallo.clean.formats.zip_package import ZipPackage

MAX_UNPACKED = 100_000_000
"""Bytes of what a gzip holds, as large as a file may be."""
_MOST_MEMBERS = 1_000
"""Documents of a zip that are read. Judgement."""


def read_gzip(content: bytes, page: HtmlBuilder) -> None:
    """The document that is packed, as if it had come bare."""
    _only_one_level(page)
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
            unpacked = file.read(MAX_UNPACKED + 1)
    except (EOFError, OSError, zlib.error) as error:
        raise Unreadable(f"the gzip is damaged ({error})") from None
    if len(unpacked) > MAX_UNPACKED:
        raise Unreadable(f"it unpacks to more than {MAX_UNPACKED // 1_000_000} MB")
    page.depth += 1
    name = page.name.removesuffix(".gz")
    read_as(media_of(unpacked, "", page.http_charset, name=name), unpacked, page)


def read_zip(content: bytes, page: HtmlBuilder) -> None:
    """Each member that can be read as a section with its name."""
    _only_one_level(page)
    package = ZipPackage(content)
    if len(package.names) > _MOST_MEMBERS:
        page.lose(TOO_MUCH)
    for name in package.names[:_MOST_MEMBERS]:
        try:
            member = package.read(name)
        except Unreadable as refused:
            page.lose(str(refused), refused.repair)
            continue
        write_member(page, name, member)


def write_member(page: HtmlBuilder, name: str, content: bytes, media: str = "") -> None:
    """A document inside another; one that cannot be read is noted as lost."""
    inner = page.inside(name, deeper=True)
    try:
        read_as(media_of(content, media, name=name), content, inner)
    except Unreadable as refused:
        page.lose(f"{name}: {refused}", refused.repair)
        return
    except TooMuchMarkup:
        page.write(f"<section>{inner.body()}")
        raise
    if inner.empty:
        page.lose(f"{name}: nothing to read" if content else "")
    else:
        page.write(f"<section><h2>{plain(name)}</h2>{inner.body()}</section>")


def _only_one_level(page: HtmlBuilder) -> None:
    if page.depth:
        raise Unreadable("it is packed inside another file", "unpack it first")
