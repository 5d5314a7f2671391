"""Paths that go round in circles, as links relative to the wrong folder make them grow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

_MOST_SEGMENTS = 64
"""Segments that are looked at; the work grows with their square."""

_LONGEST_SHOWN = 80  # judgement: characters that a report has room for


def repetition(segments: Sequence[str], times: int) -> str:
    """What repeats, in words; "" when nothing does.

    Caught are units (`/a/`, `/a/b/`...) that follow themselves `times` times, and a segment found more than `times` times
    anywhere. Numbers, single characters and empty segments repeat for good reasons (`/2011/11/11/11/`, map tiles), so twice
    as many of them are needed.
    """
    empty = segments.count("")
    if empty >= 2 * times:
        return f"path has {empty} empty segments"
    looked_at = [segment for segment in segments if segment][:_MOST_SEGMENTS]
    for period in range(1, len(looked_at) // times + 1):
        if found := _cycle(looked_at, period, times):
            return found
    for segment, count in Counter(looked_at).items():
        if count > (2 * times if _is_weak(segment) else times):
            return _words(segment, count)
    return ""


def _cycle(segments: Sequence[str], period: int, times: int) -> str:
    run = 0
    longest, start = 0, 0
    for place in range(period, len(segments)):
        run = run + 1 if segments[place] == segments[place - period] else 0
        if run > longest:
            longest, start = run, place + 1 - run - period
    count = longest // period + 1
    unit = segments[start : start + period]
    if count < (2 * times if all(map(_is_weak, unit)) else times):
        return ""
    return _words("/".join(unit), count)


def _is_weak(segment: str) -> bool:
    return len(segment) < 2 or segment.isdigit()


def _words(unit: str, count: int) -> str:
    return f"path repeats /{unit[:_LONGEST_SHOWN]}/ {count} times"
