"""Words of a report in its language: `report.<language>.json` maps what it says in English to what it says there."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from trasmallo.values.drawing import Drawing
from trasmallo.values.drawing.labels import figure, translated

ReportLanguage = Literal["en", "es"]
"""Languages in which a report can be written."""


class ReportWords:
    """Says what a report says in one language."""

    def __init__(self, language: ReportLanguage) -> None:
        self.language = language
        self._texts = _texts(language)

    def __call__(self, text: str, **values: object) -> str:
        """A text with its values filled in; numbers are written as the language does."""
        said = self._texts.get(text, text)
        return said.format(**{name: self.value(value) for name, value in values.items()}) if values else said

    def value(self, value: object) -> str:
        """A value as people write it: 1.234,5 in Spanish and 1,234.5 in English."""
        if isinstance(value, bool) or not isinstance(value, int | float):
            return "" if value is None else str(value)
        return figure(f"{value:,}" if isinstance(value, int) else f"{value:,.3f}", self.language)

    def picture(self, drawing: Drawing, kept: str = "") -> str:
        """A drawing as SVG with its labels in the language, but one that is `kept`."""
        return translated(drawing, self.language, kept).svg()


@cache
def _texts(language: str) -> Mapping[str, str]:
    path = Path(__file__).with_name(f"report.{language}.json")
    return msgspec.json.decode(path.read_bytes(), type=dict[str, str]) if path.exists() else {}
