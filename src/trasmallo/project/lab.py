"""Experiments of DAWeb on a user's own project: what more lines bring (figure 3), what a memory of words does (figure 7)."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from trasmallo import config, config_text
from trasmallo.events import Event, Failed, Fetched, Redirected, Refused
from trasmallo.study.recognition_speed import SpeedPoint, measure_recognition
from trasmallo.study.word_lists import resolve_lists
from trasmallo.values.drawing import Drawing
from trasmallo.values.drawing.axes import WIDTH, Frame
from trasmallo.values.drawing.shapes import Dot
from trasmallo.values.drawing.shapes import Path as Line
from trasmallo.values.errors import UsageError

if TYPE_CHECKING:
    from trasmallo.project.project import Project
    from trasmallo.project.queries import Queries

LINES = (1, 2, 5, 10)
"""Numbers of lines that are tried unless others are named; DAWeb has up to ten."""

WORDS = 200_000
"""Words that are recognised unless others are wished: some seconds without a memory."""

POINTS = 20  # judgement: points of a curve
_SIZE = (WIDTH, 420.0)


class LinesMeasured(msgspec.Struct, frozen=True, kw_only=True):
    """A run with so many lines, of which so many at once on one host: its pages, and seconds until downloads and all ended."""

    lines: int
    lines_per_host: int
    pages: int
    download: float
    total: float


def measure_lines(
    project: Project, numbers: Sequence[int] = LINES, *, pages: int = 0, clock: Callable[[], float] = time.monotonic
) -> Iterator[LinesMeasured]:
    """Run a project anew with each number of lines, in a folder of its own that goes afterwards.

    Everything else is as in the project's file, politeness too: `lines_per_host` there is the most that one host is asked at
    once. `pages` is a limit for these runs alone, 0 for that of the project. After a run that is stopped there is no other.
    """
    if not project.config.crawl.seeds:
        raise UsageError("the project has no addresses to start from", "add some to `seeds` in its file")
    for number in numbers:
        with tempfile.TemporaryDirectory(prefix="trasmallo-lab-") as folder:
            measured = _measure(_beside(project, Path(folder), number, pages), clock)
        if measured is None:
            return
        yield measured


def _beside(project: Project, folder: Path, lines: int, pages: int) -> Project:
    """The same project in another folder, with so many lines in one process."""
    settings, crawl = project.config, project.config.crawl
    changed = {"lines": lines, "lines_per_host": min(lines, crawl.lines_per_host), "processes": 1}
    changed["pages"] = pages or crawl.pages
    built = config.build({"crawl": msgspec.to_builtins(crawl) | changed})
    study = resolve_lists(settings.study, project.folder)
    config_text.write(msgspec.structs.replace(settings, crawl=built.crawl, study=study), folder / config.FILE_NAME)
    return type(project).open(folder)


def _measure(project: Project, clock: Callable[[], float]) -> LinesMeasured | None:
    """What a run took; None when it was stopped."""
    begin = last = clock()

    def hear(event: Event) -> None:
        nonlocal last
        if isinstance(event, Fetched | Failed | Redirected | Refused):
            last = clock()

    end = project.bus.listen(hear)
    try:
        summary = project.run()
    finally:
        end()
    if summary.state != "finished":
        return None
    crawl = project.config.crawl
    return LinesMeasured(
        lines=crawl.lines,
        lines_per_host=crawl.lines_per_host,
        pages=summary.pages,
        download=last - begin,
        total=clock() - begin,
    )


def measure_cache(project: Queries, *, words: int = WORDS) -> list[SpeedPoint]:
    """How fast the words of the latest run are recognised, as many as wished, in the project's language."""
    from trasmallo.results.token_words import words_in
    from trasmallo.store import run_folders
    from trasmallo.study.languages import choose
    from trasmallo.study.morphology import has_lexicon
    from trasmallo.study.morphology.analyser import analyser

    language = project.config.language
    found = words_in(run_folders.current(project.runs), language, words) if has_lexicon(language) else []
    if not found:
        raise UsageError(
            "the latest run has no words in {language} that a lexicon knows",
            "say in which language it is under `language` in the project's file",
            language=language,
        )
    step = max(1, -(-len(found) // POINTS))
    stretches = [found[begin : begin + step] for begin in range(0, len(found), step)]
    return list(measure_recognition(stretches, analyser(choose(language))))


def draw_lines(measured: Sequence[LinesMeasured], title: str = "") -> Drawing:
    """Seconds of download and in all against the number of lines (DAWeb, figure 3)."""
    most = max((each.lines for each in measured), default=1), 1.1 * max((each.total for each in measured), default=1.0)
    frame = Frame("Effect of the number of lines", title, _SIZE, most)
    frame.rule("lines", "seconds")
    for ink, times in (
        ("main", [(each.lines, each.download) for each in measured]),
        ("accent", [(each.lines, each.total) for each in measured]),
    ):
        _curve(frame, times, ink)
    frame.key((("main", "download"), ("accent", "in all")))
    return frame.drawing


def draw_cache(points: Sequence[SpeedPoint], title: str = "") -> Drawing:
    """Words a second, from the start of the corpus, with and without a memory of words (DAWeb, figure 7)."""
    fastest = max((max(point.with_memory, point.without_memory) for point in points), default=1.0)
    frame = Frame("Speed of recognition", title, _SIZE, (max((point.words for point in points), default=1), 1.1 * fastest))
    frame.rule("words so far", "words a second")
    _curve(frame, [(point.words, point.with_memory) for point in points], "main")
    _curve(frame, [(point.words, point.without_memory) for point in points], "accent")
    frame.key((("main", "with a memory of words"), ("accent", "without")))
    return frame.drawing


def _curve(frame: Frame, values: Sequence[tuple[float, float]], ink: str) -> None:
    places = [(frame.x(x), frame.y(y)) for x, y in sorted(values)]
    frame.drawing.add(Line(tuple(places + places[-1:]), ink, 2), *(Dot(x, y, 2.5, ink) for x, y in places))
