"""Picture of a trend: the frequency of a word in each period, with its interval and the line of its slope."""

from __future__ import annotations

from trasmallo.study.trends import PeriodFrequency, Trend
from trasmallo.values.drawing import Drawing
from trasmallo.values.drawing.axes import WIDTH, Frame
from trasmallo.values.drawing.shapes import Dot, Path, shorten

_SIZE = (WIDTH, 420.0)
_APART = 90.0  # judgement: pixels from the name of a period to the next
_ABOVE = 1.35  # judgement: room for intervals above the highest frequency; those of tiny periods would flatten all others
_LONGEST_NAME = 60  # judgement: letters that fit beside the title
_HINTS = {
    "month": "occurrences per million words of its language in each month, with 95 % intervals",
    "week": "occurrences per million words of its language in each week, with 95 % intervals",
}


def drawn_name(trend: Trend) -> str:
    """The word of a trend as the picture's title has it."""
    return shorten(trend.name, _LONGEST_NAME)


class _TimeFrame(Frame):
    """A frame whose x are places of periods."""

    def __init__(self, trend: Trend) -> None:
        self._periods = trend.periods
        self._first = trend.periods[0].place
        length = max(trend.periods[-1].place - self._first, 1)
        highest = max(period.per_million for period in trend.periods)
        super().__init__(drawn_name(trend), _HINTS[trend.by], _SIZE, (length * 1.02, _ABOVE * highest))

    def x(self, value: float) -> float:
        """Where a place on the axis of time lies."""
        return super().x(value - self._first)

    def x_steps(self) -> list[float]:
        """Periods whose names do not touch each other."""
        found: list[float] = []
        for period in self._periods:
            if not found or self.x(period.place) - self.x(found[-1]) >= _APART:
                found.append(float(period.place))
        return found

    def x_label(self, value: float) -> str:
        """The name of a period."""
        return next(period.period for period in self._periods if period.place == value)


def draw(trend: Trend) -> Drawing:
    """The curve of a trend."""
    frame = _TimeFrame(trend)
    frame.rule("", "per million")
    entries = [("main", "frequency"), ("other", "95 % interval")]
    for period in trend.periods:
        frame.drawing.add(_bar(frame, period))
    if trend.slope is not None and trend.p is not None:
        frame.drawing.add(_slope(frame, trend, trend.slope))
        entries.append(("accent", "slope"))
    points = tuple((frame.x(period.place), frame.y(period.per_million)) for period in trend.periods)
    frame.drawing.add(Path(points + points[-1:], "main", 2), *(Dot(x, y, 3.5, "main") for x, y in points))
    frame.key(entries)
    return frame.drawing


def _bar(frame: Frame, period: PeriodFrequency) -> Path:
    """The interval of a period, as far as it fits."""
    across = frame.x(period.place)
    return Path(((across, frame.y(period.low)), (across, frame.y(min(period.high, frame.most_y)))), "other", 3)


def _slope(frame: Frame, trend: Trend, slope: float) -> Path:
    """The line through the mean frequency at the mean time, inside the frame."""
    middle = sum(period.place * period.tokens for period in trend.periods) / trend.tokens
    ends = (trend.periods[0].place, trend.periods[-1].place)
    heights = (min(max(trend.per_million + slope * (end - middle), 0.0), frame.most_y) for end in ends)
    return Path(
        tuple((frame.x(end), frame.y(height)) for end, height in zip(ends, heights, strict=True)), "accent", 1.5, dashed=True
    )
