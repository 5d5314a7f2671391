"""What is analysed."""

from __future__ import annotations

from trasmallo.pipeline.analysis.items import StoredText
from trasmallo.results.rows import PageRow, TextRow


def test_a_stored_text_is_known_by_the_address_of_its_page() -> None:
    page = PageRow("1", "http://a.es/", "a.es", 0.0, "", "es", "utf-8", "text/html", 1, "")
    assert StoredText(page, TextRow("1", "la mar", "00")).url == "http://a.es/"
