"""Registry of formats: one entry a format, ours and those of plug-ins; sniffing, reading and endings come from it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import msgspec

from trasmallo import plugins
from trasmallo.clean.formats.html_builder import HtmlBuilder
from trasmallo.values.errors import UsageError

GROUP = "trasmallo.formats"

Reader = Callable[[bytes, HtmlBuilder], None]
"""Writes a document's bytes to a page; raises `Unreadable` when it cannot be read."""

_XML = "application/xml"


class Format(msgspec.Struct, frozen=True, kw_only=True):
    """A format of documents: how it is known, and who reads it.

    It is known by its bytes, whatever a server calls it: by what the file begins with (`begins`) or has in its first 1,024
    bytes (`near_start`), by the names of files inside a zip (`members`) or of streams inside an old Office file (`streams`).
    A text is what the server calls it (`media` or one of `aliases`); where nobody says, the ending of its name decides if
    `by_name` is set, and then what `recognise` says of its first 1,024 bytes. `misnomers` are media types by which servers
    call a text that is of this format.

    `title` names it in documentation. `family` is another name under which it is searched for (`type:doc` finds DOCX too).
    A `light` one is read in our own process, since nothing in it can hurt; others in a sandbox. `holds_pages` says that there
    may be web pages in it, so that it is not all content.
    """

    name: str
    title: str
    media: str
    reader: Reader
    aliases: tuple[str, ...] = ()
    misnomers: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    begins: tuple[bytes, ...] = ()
    near_start: tuple[bytes, ...] = ()
    members: tuple[bytes, ...] = ()
    streams: tuple[str, ...] = ()
    recognise: Callable[[bytes], object] | None = None
    by_name: bool = False
    light: bool = False
    holds_pages: bool = False
    family: str = ""


@cache
def formats() -> tuple[Format, ...]:
    """All formats, ours first; raises UsageError for a plug-in that is no `Format`."""
    found = plugins.load_all(GROUP)
    for name, entry in found.items():
        if not isinstance(entry, Format):
            raise UsageError(
                "the plug-in {name!r} of {group} is no Format",
                "repair or uninstall the package it comes from",
                name=name,
                group=GROUP,
            )
    return tuple(found.values())


@cache
def _by_media() -> dict[str, Format]:
    return {media: entry for entry in reversed(formats()) for media in (entry.media, *entry.aliases)}


def format_of(media: str) -> Format | None:
    """The format of a media type, None for one that is not read; what ends in "+xml" is XML."""
    return _by_media().get(media) or (_by_media()[_XML] if media.endswith("+xml") else None)


@cache
def searched_types() -> dict[str, tuple[str, ...]]:
    """The media types that a search for `type:NAME` means, by names and families of formats."""
    found: dict[str, tuple[str, ...]] = {}
    for entry in formats():
        for name in dict.fromkeys(filter(None, (entry.name, entry.family))):
            found[name] = (*found.get(name, ()), entry.media)
    return found
