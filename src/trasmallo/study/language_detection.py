"""Detection of the language of a text by its letters (py3langid)."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

_SAMPLE = 4_000
"""Characters that are looked at. Judgement: more text tells a language no better, and takes longer."""


@cache
def _identifier() -> Callable[[str], tuple[str, float]]:
    """Loaded once a process: about one CPU second and 100 MB."""
    import py3langid

    classify: Callable[[str], tuple[str, float]] = py3langid.classify
    return classify


def detect_language(text: str) -> str:
    """The most probable language of a text as an ISO 639-1 code, "" for a text without letters."""
    sample = text[:_SAMPLE]
    return str(_identifier()(sample)[0]) if any(map(str.isalpha, sample)) else ""
