"""From the lines of printed pages to paragraphs and headings: columns in reading order, running lines left out."""

from __future__ import annotations

import itertools
import re
import statistics
from collections import Counter

from trasmallo.clean.formats.grids import BULLET, TextLine, is_item, rows

BOLD = "\ue000"
"""Stands before each word that is bold."""

_FARTHER = 1.25
"""Lines so much farther apart than usual part paragraphs. Judgement, as all of these: `benchmarks/formats.py` shows what they
reach."""
_LARGER = 1.15
"""A heading's type is so much larger than the usual."""
_FEWEST_STEPS = 6
"""Steps from line to line that tell which one is usual."""
_WIDEST_STEP = 1.5
"""Steps, in sizes of the type, beyond which lines are not of one paragraph."""
# From one line of a heading to the next, in sizes of its type.
_LEADING = 1.2
_LONGEST_HEADING = 200
"""Characters of a heading."""
_DEEPEST_HEADING = 4
"""Levels of headings by size."""
# A bold line is a heading if it ends before this share of the page's text and not as a sentence or a label does.
_SHORT = 0.85
_SENTENCE_ENDS = ".,:;!?"
# PDFium puts one of these for a hyphen that breaks a word at a line's end, and often joins the lines itself.
_SOFT_HYPHENS = "\x02\ufffe\u00ad"
_WITHOUT_HYPHENS = dict.fromkeys(map(ord, _SOFT_HYPHENS))
# Running lines stand within so many lines of a page's edge, on at least so many pages and this share of them.
_EDGE = 3
# and so many times as far from the text as its lines from each other.
_APART = 1.4
_FEWEST_PAGES = 3
"""Pages on which a running line stands, at least."""
_RUNNING_SHARE = 0.4
"""Share of the pages on which it stands."""
# The dots of a table of contents.
_LEADERS = re.compile(r"(?:\. ?){5}")
_NUMBER = re.compile(r"\d+|\b[ivxlc]{1,7}\b")
_PAGE_NUMBER = re.compile(r"\W*(?:\w{1,8}\.?\s)?\W*0(?:\s*(?:/|\w{1,4})\s*0)?\W*")
# Columns are parted by a gutter that so many lines share and that has at least so many characters on each side.
_FEWEST_LINES = 3
_NARROWEST = 15
"""Characters on each side of a gutter."""


def lay_out(pages: list[list[TextLine]]) -> list[tuple[str, str]]:
    """The paragraphs of all pages as (tag, text): p, h1 to h4, li, and tr, whose cells are parted by tabs."""
    pages = [in_columns(page) for page in without_running(pages)]
    usual, headings = sizes(pages)
    found: list[tuple[str, str]] = []
    for page in pages:
        fresh = paragraphs(page, usual, headings)
        if found and fresh and _goes_on(found[-1], fresh[0]):
            found[-1] = ("p", _join(found[-1][1], fresh.pop(0)[1]))
        found += fresh
    return found


def _goes_on(last: tuple[str, str], first: tuple[str, str]) -> bool:
    """Whether a paragraph goes on over the page's end: its sentence is open and the next begins small."""
    return last[0] == first[0] == "p" and last[1][-1:] not in tuple(".:!?") and first[1].removeprefix(BOLD)[:1].islower()


def without_running(pages: list[list[TextLine]]) -> list[list[TextLine]]:
    """Pages without the headers, footers and page numbers that return from page to page."""
    if len(pages) < _FEWEST_PAGES:
        return pages
    counts = Counter(key for page in pages for key in {_key(line) for line in _edges(page)})
    least = max(_FEWEST_PAGES, _RUNNING_SHARE * len(pages) / 2)
    running = {key for key, count in counts.items() if count >= least}
    return [_without(page, running) for page in pages]


def _key(line: TextLine) -> tuple[str, int]:
    """A line as the other pages would have it: another number, and the same height."""
    return _NUMBER.sub("0", line.text.replace(BOLD, "").lower()), round(line.height / 5)


def _edges(page: list[TextLine]) -> list[TextLine]:
    """The highest and the lowest lines of a page that stand apart from its text; the rows of a table do not."""
    ordered = sorted(page, key=lambda line: line.height)
    steps = [step for below, above in itertools.pairwise(ordered) if (step := above.height - below.height) > 1]
    apart = _APART * statistics.median_low(steps) if steps else 0.0
    return _standing_apart(ordered, apart) + _standing_apart(ordered[::-1], apart)


def _standing_apart(lines: list[TextLine], apart: float) -> list[TextLine]:
    """The first lines up to a gap, if they are few and not most of the page."""
    for count in range(1, 1 + min(_EDGE, (len(lines) - 1) // 2)):
        if abs(lines[count].height - lines[count - 1].height) > apart:
            return lines[:count]
    return []


def _without(page: list[TextLine], running: set[tuple[str, int]]) -> list[TextLine]:
    left_out = {id(line) for line in _edges(page) if _key(line) in running and _is_running(line)}
    return [line for line in page if id(line) not in left_out]


def _is_running(line: TextLine) -> bool:
    """A line that returns is running when it is short; one without letters must look like the number of a page."""
    key = _key(line)[0]
    return len(key) <= _LONGEST_HEADING and (any(map(str.isalpha, key)) or bool(_PAGE_NUMBER.fullmatch(key)))


def in_columns(lines: list[TextLine]) -> list[TextLine]:
    """Lines that run across columns are cut at the gutter and put in reading order, column after column."""
    gutter = _gutter(lines)
    if gutter is None:
        return lines
    ordered: list[TextLine] = []
    waiting: list[TextLine] = []
    for line in lines:
        halves = _halves(line, gutter)
        if halves is None:
            ordered += [*waiting, line]
            waiting = []
        else:
            left, right = halves
            ordered += [left] if left else []
            waiting += [right] if right else []
    return ordered + waiting


def _gutter(lines: list[TextLine]) -> float | None:
    """The middle of a gap that many lines share and that has text, not the cells of a table, on both sides."""
    gaps = [
        (first[1], second[0])
        for line in lines
        if len(line.parts) == 2
        for first, second in [line.parts]
        if min(len(first[2]), len(second[2])) >= _NARROWEST
    ]
    if len(gaps) < _FEWEST_LINES:
        return None
    left, right = max(gap[0] for gap in gaps), min(gap[1] for gap in gaps)
    return (left + right) / 2 if left < right else None


def _halves(line: TextLine, gutter: float) -> tuple[TextLine | None, TextLine | None] | None:
    """What stands on each side of the gutter; None for a line that crosses it."""
    if any(left < gutter < right for left, right, _ in line.parts):
        return None
    sides = [[text for left, _, text in line.parts if (left > gutter) is right] for right in (False, True)]
    left, right = (line._replace(text=" ".join(side), parts=()) if side else None for side in sides)
    return left, right


def sizes(pages: list[list[TextLine]]) -> tuple[float, list[float]]:
    """The usual size of the type, weighed by characters, and the larger sizes of headings, largest first."""
    found = [line.size for page in pages for line in page for _ in range(1 + len(line.text) // 20)]
    usual = statistics.median(found) if found else 0.0
    return usual, sorted({size for size in found if size > _LARGER * usual}, reverse=True)


def paragraphs(lines: list[TextLine], usual: float, headings: list[float]) -> list[tuple[str, str]]:
    """Join the lines of a page: a gap, another size of type, a bullet or a row starts a paragraph."""
    found: list[tuple[str, str]] = []
    in_table = rows(lines)
    step = _usual_step([line for number, line in enumerate(lines) if number not in in_table], usual)
    bold_headings = _bold_headings(lines, step)
    last: TextLine | None = None
    for number, line in enumerate(lines):
        tag, text = _tag(line, usual, headings), line.text
        if number in in_table:
            tag, text = "tr", "\t".join(part[2] for part in line.parts)
        elif is_item(line):
            tag, text = "li", BULLET.sub("", line.text)
        elif tag == "p" and number in bold_headings:
            tag = f"h{min(len(headings) + 1, _DEEPEST_HEADING)}"
        if last is not None and _continues(found[-1][0], tag, last, line, step):
            found[-1] = (found[-1][0], _join(found[-1][1], text))
        else:
            found.append((tag, text))
        last = line
    cleaned = ((tag, text.translate(_WITHOUT_HYPHENS)) for tag, text in found)
    return [(tag, text) for tag, text in cleaned if text.strip()]


def _usual_step(lines: list[TextLine], usual: float) -> float:
    """How far one line is from the next of the same size; some few lines are not believed to be set wide."""
    alike = [(above, below) for above, below in itertools.pairwise(lines) if above.size == below.size]
    steps = [above.height - below.height for above, below in alike if above.height > below.height]
    step = statistics.median_low(steps) if steps else 0.0
    return step if len(steps) >= _FEWEST_STEPS else min(step, _WIDEST_STEP * usual)


def _bold_headings(lines: list[TextLine], step: float) -> set[int]:
    """The numbers of lines that are headings by their weight: below a gap, all bold, no cells, no sentence, and short."""
    widest = max((line.parts[-1][1] for line in lines if line.parts), default=0.0)
    found = set()
    for number, line in enumerate(lines):
        words = line.text.split()
        heavy = len(line.parts) == 1 and all(word.startswith(BOLD) for word in words)
        short = heavy and words[-1][-1] not in _SENTENCE_ENDS and line.parts[0][1] < _SHORT * widest
        if short and (number == 0 or _parted(lines[number - 1], line, _FARTHER * step)):
            found.add(number)
    return found


def _continues(before: str, tag: str, last: TextLine, line: TextLine, step: float) -> bool:
    """Whether a line goes on with the paragraph before it."""
    if before == "li" and tag == "p" and line.parts and last.parts:
        return not _parted(last, line, _FARTHER * step) and line.parts[0][0] >= last.parts[-1][0] - 1
    # Large type stands farther apart than the page's usual lines.
    reach = _FARTHER * (step if tag == "p" else max(step, _LEADING * line.size))
    return before == tag and tag not in ("li", "tr") and not _parted(last, line, reach)


def _tag(line: TextLine, usual: float, headings: list[float]) -> str:
    if line.size <= _LARGER * usual or len(line.text) > _LONGEST_HEADING or _LEADERS.search(line.text):
        return "p"
    return f"h{min(headings.index(line.size) + 1, _DEEPEST_HEADING)}"


def _parted(last: TextLine, line: TextLine, reach: float) -> bool:
    """Whether a line starts a paragraph; one that stands higher is in the next column and goes on an open sentence."""
    if line.height > last.height:
        return last.text.endswith((".", ":", "!", "?"))
    return last.height - line.height > reach


def _join(text: str, line: str) -> str:
    """Two lines as one; a word cut by a hyphen is made whole."""
    if text[-1] in _SOFT_HYPHENS:
        return text + line.removeprefix(BOLD)
    if text.endswith("-") and text[-2:-1].isalpha() and line.removeprefix(BOLD)[:1].islower():
        return text[:-1] + line.removeprefix(BOLD)
    return f"{text} {line}"
