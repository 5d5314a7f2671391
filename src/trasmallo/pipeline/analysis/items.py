"""What is analysed: a stored page, or a document whose text is studied again."""

from __future__ import annotations

import msgspec

from trasmallo.results.rows import PageRow, TextRow
from trasmallo.values.model import Fetch


class StoredText(msgspec.Struct, frozen=True):
    """A document that is studied again: its page as it was read, and its text."""

    page: PageRow
    text: TextRow

    @property
    def url(self) -> str:
        """Where the document is from."""
        return self.page.url


Item = Fetch | StoredText
"""What a worker turns to: a page to read, or a document to study again."""
