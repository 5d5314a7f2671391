"""Texts that were cleaned before they came here: imported ones, which are all main content."""

from __future__ import annotations

import msgspec

from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable, plain
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.model import PreparedText


def read_prepared(content: bytes, page: HtmlBuilder) -> None:
    """Every line is a paragraph."""
    try:
        found = msgspec.json.decode(content, type=decodable(PreparedText))
    except UNDECODABLE as error:
        raise Unreadable(f"it is no text of trasmallo ({error})") from None
    page.title, page.language = found.title, found.language
    for line in found.text.split("\n"):
        page.block("p", plain(line.strip()))
