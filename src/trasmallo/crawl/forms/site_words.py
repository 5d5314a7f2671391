"""Words that the pages of a site have shown: what its search can be asked for when its own results give no word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

_FEWEST_LETTERS = 3  # judgement: searches leave shorter words out
_MOST = 20_000
"""Words remembered of a site, some 2 MB; beyond that the rarer half is forgotten."""
_FRAME_PAGES = 5  # judgement: pages after which a word of more than half of them is taken for part of the frame


class SiteWords:
    """How many pages of one site show each word."""

    def __init__(self) -> None:
        self._pages = 0
        self._found: Counter[str] = Counter()

    def hear(self, text: str) -> None:
        """Take in the text of a page."""
        self._pages += 1
        self._found.update({word.lower() for word in text.split() if is_word(word)})
        if len(self._found) > _MOST:
            self._found = Counter(dict(self._found.most_common(_MOST // 2)))

    def next(self, asked: Collection[str]) -> str:
        """The word of most pages that was not asked for; those on more than half of them come last. "" without one."""
        most = self._pages / 2 if self._pages >= _FRAME_PAGES else self._pages

        def worth(word: str) -> tuple[bool, int, int, str]:
            return self._found[word] <= most, self._found[word], len(word), word

        return max((word for word in self._found if word not in asked), key=worth, default="")


def is_word(text: str) -> bool:
    """Whether a text can be asked for: letters, enough of them."""
    return len(text) >= _FEWEST_LETTERS and text.isalpha()


def longest(text: str, most: int = 20) -> list[str]:
    """The longest words of a text, which are its own more often than short ones."""
    words = {word.lower() for word in text.split() if is_word(word)}
    return sorted(words, key=lambda word: (-len(word), word))[:most]
