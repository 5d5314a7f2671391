"""Which lines of a printed page are rows of a table or begin an item of a list, by where their pieces stand."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import NamedTuple

BULLET = re.compile("[•◦▪▫‣⁃∙●○■□◆◇►▸➢➤✓✔\uf0a7\uf0a8\uf0b7\uf0d8\uf0fc\uf06c\uf06e\uf076]\\s+")
"""What stands before an item; those beyond U+F000 are the bullets of symbol fonts."""
_ALIGNED = 4.0
"""Points that the cells of a column may be apart."""


class TextLine(NamedTuple):
    """A line of text with the size of its type and where it stands, in points from the page's lower left corner.

    `parts` are its pieces as (left, right, text) where wide gaps part it; a line without gaps may have none.
    """

    text: str
    size: float
    height: float
    parts: tuple[tuple[float, float, str], ...] = ()


def is_item(line: TextLine) -> bool:
    """Whether a line begins with a bullet."""
    return BULLET.match(line.text) is not None


def rows(lines: list[TextLine]) -> set[int]:
    """The numbers of the lines that are rows: they stand below another with as many cells, one under the other."""
    found = set()
    for number, (above, below) in enumerate(pairwise(lines)):
        if _is_under(above, below) and not (is_item(above) or is_item(below)):
            found |= {number, number + 1}
    return found


def _is_under(above: TextLine, below: TextLine) -> bool:
    if not 2 <= len(above.parts) == len(below.parts) or below.height >= above.height:
        return False
    return all(
        min(abs(one[0] - other[0]), abs(one[1] - other[1])) <= _ALIGNED
        for one, other in zip(above.parts, below.parts, strict=True)
    )
