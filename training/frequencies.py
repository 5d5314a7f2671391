"""Write how often the words of a language are used in general, for those languages whose list trasmallo brings itself.

    python training/frequencies.py

wordfreq must be installed, whose data are under CC BY-SA 4.0; the product does not need it. Each line of a file has the words
of one frequency, that of the first 1 (10 to the power of 0), of the next 10 to the power of -0.01, and so on: as exact as
wordfreq tells them. Some 100,000 words are kept, the rarest of which occurs some .14 times in a million words; what has digits
is left out, since wordfreq knows numbers only by how long they are.
"""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import zstandard

from trasmallo.study.general_frequencies import FILE_NAME

TARGET = Path(__file__).resolve().parents[1] / "src" / "trasmallo" / "study" / "languages"
_CODES = ("en", "es")
_MOST = 100_000
_DIGIT = re.compile(r"\d")


def lines_of(groups: list[list[str]]) -> list[str]:
    """The groups of words of equal frequency, until there are enough words."""
    lines: list[str] = []
    number = 0
    for group in groups:
        if number >= _MOST:
            break
        words = sorted(word for word in group if not _DIGIT.search(word))
        lines.append(" ".join(words))
        number += len(words)
    return lines


def main() -> None:
    """Write all of them."""
    wordfreq = importlib.import_module("wordfreq")
    for code in _CODES:
        text = "\n".join(lines_of(wordfreq.get_frequency_list(code, "best")))
        (TARGET / code / FILE_NAME).write_bytes(zstandard.compress(text.encode(), 22))


if __name__ == "__main__":
    main()
