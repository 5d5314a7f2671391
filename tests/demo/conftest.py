"""What the demo's tests share: a reader of PDF that is not ours."""

from __future__ import annotations

from collections.abc import Callable

import pypdfium2
import pytest


@pytest.fixture(scope="session")
def read_pdf() -> Callable[[bytes], list[str]]:
    """The text of each page of a PDF."""

    def read(body: bytes) -> list[str]:
        with pypdfium2.PdfDocument(body) as document:
            texts = []
            for page in document:
                text = page.get_textpage()
                texts.append(text.get_text_range())
                text.close()
                page.close()
            return texts

    return read
