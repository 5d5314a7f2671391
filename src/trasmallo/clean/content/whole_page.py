"""The method that keeps everything."""

from __future__ import annotations

from trasmallo.clean.content.registry import Method
from trasmallo.clean.flat import FlatPage
from trasmallo.clean.layout import Layout


def keep_all(page: FlatPage, layout: Layout, *, favour: float = 0.5) -> list[bool]:  # noqa: ARG001 - as every method
    """Every block is main."""
    return [True] * len(layout)


ALL = Method(find=keep_all, says={"en": "the whole page", "es": "la página entera"})
