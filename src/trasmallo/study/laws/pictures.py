"""Pictures of a corpus's laws: rank and probability, words by frequency, growth of the vocabulary."""

from __future__ import annotations

from trasmallo.study.laws import Laws
from trasmallo.study.laws.zipf import log_spaced
from trasmallo.values.drawing import Drawing, stack
from trasmallo.values.drawing.axes import WIDTH, Frame, LogFrame
from trasmallo.values.drawing.shapes import Dot, Path, Rect

_SIZE = (WIDTH, 420.0)


def draw(laws: Laws, title: str = "") -> Drawing:
    """The three pictures on one sheet."""
    return stack([zipf(laws), shares(laws), growth(laws)], "Laws of a corpus", title)


def zipf(laws: Laws) -> Drawing:
    """Probability against rank, both logarithmic, with the lines of Zipf and Mandelbrot (textbook, figure 4.2)."""
    last, first = laws.ranks[-1], laws.ranks[0]
    frame = LogFrame("Zipf's law", "probability of a word against its rank, both logarithmic", _SIZE,
                     (1, last.probability / 2), (max(laws.types, 2), first.probability * 2))  # fmt: skip
    frame.rule("rank", "probability")
    ranks = log_spaced(laws.types)
    frame.drawing.add(_line(frame, [(rank, laws.constant / rank) for rank in ranks], "other"))
    entries = [("main", "words"), ("other", f"Zipf: r P = {laws.constant:.3f}")]
    if law := laws.mandelbrot:
        frame.drawing.add(_line(frame, [(rank, law.probability(rank)) for rank in ranks], "accent"))
        entries.append(("accent", f"Mandelbrot: (r + {law.beta:.2f})^{law.alpha:.3f} P = {law.gamma:.3f}"))
    frame.drawing.add(*(Dot(frame.x(row.rank), frame.y(row.probability), 2.5, "main") for row in laws.ranks))
    frame.key(entries)
    return frame.drawing


def _line(frame: Frame, points: list[tuple[float, float]], ink: str) -> Path:
    """A line of the points that lie inside the frame; a single one gets a neighbour, since a line has two ends."""
    places = [(frame.x(x), frame.y(y)) for x, y in points]
    inside = [place for place in places if frame.top <= place[1] <= frame.bottom + 0.5]
    return Path(tuple(inside or places) + tuple(inside or places)[-1:], ink, 2)


def shares(laws: Laws) -> Drawing:
    """Shares of words that occur 1, 2, 3... times beside what Zipf's law predicts (textbook, table 4.5)."""
    most = max(max(row.share, row.predicted) for row in laws.shares)
    frame = Frame("Words by frequency", "share of the different words that occur so many times", _SIZE,
                  (len(laws.shares) + 1, most))  # fmt: skip
    frame.rule("occurrences", "share of the words")
    wide = 0.36 * (frame.x(1) - frame.x(0))
    for row in laws.shares:
        middle = frame.x(row.occurrences)
        for left, share, ink in ((middle - wide, row.share, "main"), (middle, row.predicted, "other")):
            frame.drawing.add(Rect(left, frame.y(share), wide, frame.bottom - frame.y(share), fill=ink, note=f"{share:.4f}"))
    frame.key((("main", "words"), ("other", "1 / (n (n + 1))")))
    return frame.drawing


def growth(laws: Laws) -> Drawing:
    """Different words against words, in the order in which documents arrived, with Heaps' law (textbook, figure 4.3)."""
    frame = Frame("Heaps' law", "different words against words, in the order in which documents arrived", _SIZE,
                  (laws.words, 1.08 * laws.types))  # fmt: skip
    frame.rule("words", "different words")
    entries = [("main", "vocabulary")]
    if law := laws.heaps:
        sizes = [laws.words * step / 100 for step in range(101)]
        frame.drawing.add(_line(frame, [(size, law.types(size)) for size in sizes], "accent"))
        entries.append(("accent", f"Heaps: v = {law.k:.2f} n^{law.beta:.3f}"))
    points = ((0.0, 0.0), *((float(point.words), float(point.types)) for point in laws.growth))
    frame.drawing.add(Path(tuple((frame.x(x), frame.y(y)) for x, y in points), "main", 2))
    frame.key(entries)
    return frame.drawing
