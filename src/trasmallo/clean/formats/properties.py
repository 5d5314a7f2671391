"""What office documents and PDF say of themselves beside their text: author, date, keywords and a description, as fields.

Their language is not taken: programs write down their own, not that of the text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from trasmallo.clean.formats.html_builder import HtmlBuilder
from trasmallo.clean.formats.zip_package import Element, descendants, local

_NAMES = {
    "creator": "author",
    "initial-creator": "author",
    "created": "date",
    "creation-date": "date",
    "keywords": "keywords",
    "keyword": "keywords",
    "description": "description",
    "subject": "description",
}
"""Elements of Dublin Core and OpenDocument, and the fields that they are."""
_PDF = {"Author": "author", "Keywords": "keywords", "Subject": "description"}
_PDF_DATE = re.compile(r"D:(\d{4})(\d{2})?(\d{2})?")


def write_properties(root: Element | None, page: HtmlBuilder) -> None:
    """Note the properties of an office document, each said once."""
    for name, text in dict.fromkeys((_NAMES[local(found)], found.text or "") for found in descendants(root, *_NAMES)):
        page.field(name, text)


def write_pdf_properties(told: Mapping[str, str], page: HtmlBuilder) -> None:
    """Note the properties of a PDF."""
    for name, field in _PDF.items():
        page.field(field, told.get(name, "").strip("\0 "))
    if made := _PDF_DATE.match(told.get("CreationDate", "")):
        page.field("date", "-".join(filter(None, made.groups())))
