"""Ranker of a crawl that keeps to a topic: pages are judged as they come, and what waits is put in order by what links say."""

from __future__ import annotations

import itertools
import math
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import msgspec

from trasmallo.crawl.discover import Decode, kind_of
from trasmallo.crawl.focus.model import ON_TOPIC, FocusModel
from trasmallo.crawl.focus.notes import PageNote, SeenPage
from trasmallo.crawl.focus.observed import MOST_PAGES
from trasmallo.crawl.focus.topic import FocusSetup
from trasmallo.crawl.focus.unfocused import expected_unfocused
from trasmallo.crawl.focus_log import FocusLog
from trasmallo.crawl.focus_report import FocusReport, HarvestPoint, read_report, write_report
from trasmallo.crawl.marks import MarksFile
from trasmallo.crawl.outcomes import media_of
from trasmallo.crawl.ranking import FIRST, Ranked
from trasmallo.crawl.seen_pages import read_page
from trasmallo.values.atomic_files import write_whole
from trasmallo.values.decodable import UNDECODABLE, decodable
from trasmallo.values.model import Failure, Reached, Response, Target

NAME = "focus.json"
_MIDDLE, _UNIT = 1000, 100  # the priority of even odds, and that of a step in log-odds
_LOWEST = 9.0  # log-odds beyond which nothing differs any more
_MOVED = 1_000  # judgement: the best addresses, far more than are asked for until the next fit
_LINKS_A_PAGE = 2_000  # judgement: to move what waits the whole queue is read, 2 µs an address: at most 4 ms a page
_LONGEST_LOG = 2 * MOST_PAGES  # pages; some 30 MB
_COMPARED_AFTER = 1.1  # judgement: the comparison follows all links of the window, so that it is made after a tenth more pages
_LATELY = 200  # judgement: pages over which the share on topic is taken
_MOST_POINTS = 400  # judgement: points of a curve that a person sees
_FEW_STARTS = 3  # as many as the replay begins with, on which the weights were calibrated
_MOST_TOLD = 500  # judgement: pages that wait to be told to other workers, some 2 MB
_TOLD_TOGETHER = 20  # judgement: pages that are told at once, once a second or two: others need a sample, not all
_OFF_TOPIC_TOLD = 4  # judgement: of pages off topic, of which there are most, one of so many is told
_UNFIT = 40  # judgement: pages after which a crawl without one on topic is told so


_decode_note = msgspec.msgpack.Decoder(decodable(PageNote)).decode


class FocusPlan(msgspec.Struct, frozen=True, kw_only=True):
    """What a crawl keeps to, the file of the user's marks, and the share on topic under which it ends (0: never).

    Pages are kept that are on topic with the probability `topicality` at least. `said` are marks where no file has them.
    """

    setup: FocusSetup
    marks: str = ""
    harvest: float = 0.0
    topicality: float = 0.0
    said: dict[str, bool] = {}


class FocusRanker:
    """Ranker that keeps all it needs in the frontier's folder; made again from there it gives the same order.

    What waits is moved when a page has come for every `links_a_page` that were seen, or a mark. Of a crawl in order that goes
    on, the pages are `unfinished` that will come once more. `owns` says whether an address may wait in the queue here.
    """

    def __init__(
        self,
        folder: Path,
        plan: FocusPlan,
        decode: Decode | None = None,
        *,
        links_a_page: int = _LINKS_A_PAGE,
        unfinished: frozenset[str] | None = None,
        owns: Callable[[str], bool] = lambda _url: True,
    ) -> None:
        self._owns = owns
        self._telling: deque[bytes] = deque(maxlen=_MOST_TOLD)
        self._links_a_page = links_a_page
        self._plan = plan
        self._folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self._decode = decode
        self._log = FocusLog(folder)
        self._marks = MarksFile(Path(plan.marks)) if plan.marks else None
        self._model = FocusModel(plan.setup)
        self._unjudged: list[str] = []
        self._pages = 0
        self._compared: tuple[int, float | None] = 0, None
        self._lately: deque[bool] = deque(maxlen=_LATELY)
        self._points: list[HarvestPoint] = []
        self._on_topic = 0
        self._is_news = False
        self._given: dict[str, int] = {}
        self._moved: dict[str, int] = {}
        self._links = self._moved_at = 0
        self._released: dict[str, int] = {}
        if unfinished:
            self._forget_from(unfinished)
        self._restore(in_order=unfinished is not None)

    def rank(
        self, page: Target, answer: Response | None, found: Sequence[Target], _stated: Mapping[str, float]
    ) -> Sequence[Target]:
        """Learn from a page, and give what it leads to priorities."""
        if answer is not None and self._decode is not None:
            seen = self._read(page, answer, {target.url for target in found})
            if self._model.observed.page_number(seen.url) is None:
                self._log.append(self._model.observe(seen))
                self._note(seen.url, len(seen.links))
                if self._log.records >= _LONGEST_LOG:
                    self._shorten_log()
            if self._model.is_due:
                self._fit()
        return [self._ranked(target, page.url) for target in found]

    def moves(self) -> dict[str, int]:
        """The best of what waits, and what was and is no more, with their priorities since the last fit or mark."""
        if self._marks is not None and self._marks.has_changed():
            self._model.mark(self._marks.read())
            self._fit()
            self._release()
        released, self._released = self._released, {}
        return released

    def explain(self, target: Target) -> Ranked:
        """Score and reasons of what waits."""
        if target.priority <= 0:
            return Ranked(1.0, {}, "start address or sitemap: goes first")
        reason = self._model.explain(target.url)
        return Ranked(_share((_MIDDLE - target.priority) / _UNIT), reason.parts, reason.why)

    @property
    def keeps_all(self) -> bool:
        """Whether the user wants what is off topic, too."""
        return not self._plan.topicality

    def off_topic(self, pages: Sequence[tuple[Target, Response | Failure]]) -> dict[str, str]:
        """Pages that are probably not on topic; what is no page with words and links is not judged, and so kept."""
        seen = [(target, answer) for target, answer in pages if isinstance(answer, Response) and _is_page(answer)]
        for target, answer in seen:
            if self._model.observed.page_number(answer.url) is None:  # none of its links is followed, so nobody looked
                self.rank(target, answer, (), {})
        if any(self._model.topicality(answer.url) is None for _, answer in seen):
            self._model.judge()
        least, causes = self._plan.topicality, {}
        for target, answer in seen:
            topicality = self._model.topicality(answer.url)
            if topicality is not None and topicality < least:
                causes[target.url] = f"its probability to be on topic is {topicality:.2f}, less than {least:.2f}"
        return causes

    @property
    def ended(self) -> str:
        """Why the crawl is to end: too little of what came lately is on topic."""
        least = self._plan.harvest
        if not least or len(self._lately) < _LATELY:
            return ""
        share = sum(self._lately) / len(self._lately)
        return f"{share:.0%} of the last {_LATELY} pages are on topic, less than {least:.0%}" if share < least else ""

    def tell(self) -> tuple[bytes, ...]:
        """Notes of pages that were judged here: examples, those on topic, and some of the others."""
        number = min(_TOLD_TOGETHER, len(self._telling))
        return tuple(self._telling.popleft() for _ in range(number))

    def hear(self, told: Sequence[bytes]) -> None:
        """Learn from pages that other workers have seen; what is damaged teaches nothing."""
        for packed in told:
            with suppress(*UNDECODABLE):
                self._hear(_decode_note(packed))
        if self._model.is_due:
            self._fit()

    def _hear(self, noted: PageNote) -> None:
        if self._model.observed.page_number(noted.url) is not None:
            return
        links = [msgspec.structs.replace(link, followed=link.followed and self._owns(link.url)) for link in noted.links]
        noted = msgspec.structs.replace(noted, links=links, told=True)
        self._log.append(noted)
        self._model.restore(noted)
        self._links += len(links)

    def take_marks(self, marks: Mapping[str, bool]) -> None:
        """Take the user's marks as another machine tells them."""
        if self._marks is None:
            self._model.mark(marks)
            self._fit()
            self._release()

    def report(self) -> None:
        """Tell how well it goes."""
        if not self._is_news:
            return
        self._is_news = False
        pages = self._pages
        if pages > self._compared[0] * _COMPARED_AFTER:
            self._compared = pages, expected_unfocused(self._model, pages)
        told = FocusReport(
            pages=pages,
            on_topic=self._on_topic,
            unfocused=self._compared[1],
            harvest=tuple(self._points),
            hubs=tuple(self._model.hubs(10)),
            notes=tuple(self._notes(pages)),
        )
        write_report(self._folder, told)

    def save(self) -> None:
        """Write what it is about, for who looks at the queue later, and shorten the log."""
        if self._unjudged:
            self._fit()
        if self._compared[0] != self._pages:
            self._compared, self._is_news = (0, None), True
        self.report()
        write_whole(self._folder / NAME, msgspec.json.encode(self._plan))
        if self._log.records > 2 * len(self._model.observed.pages):
            self._shorten_log()

    def _shorten_log(self) -> None:
        """Keep what is in the window: the log is read whole when a crawl goes on."""
        self._log.rewrite(page.note for page in self._model.observed.pages if not page.url.startswith("example:"))

    def _forget_from(self, unfinished: frozenset[str]) -> None:
        """Have the log end before the first page that will come once more."""
        self._log.rewrite(list(itertools.takewhile(lambda noted: noted.url not in unfinished, self._log.read())))

    def _restore(self, *, in_order: bool) -> None:
        """Learn from the log. In order all moves are made once more: the last ones may not have reached the frontier."""
        if self._marks is not None or self._plan.said:
            self._model.mark(self._plan.said if self._marks is None else self._marks.read())
        for noted in self._log.read():
            self._model.restore(noted)
            if not noted.told:
                self._note(noted.url, len(noted.links))
            # Who only looks at the queue needs the last fit alone.
            if self._decode is not None and self._model.is_due:
                self._fit()
        if self._decode is None and self._unjudged:
            self._fit()
        if not in_order:
            self._released = {}
        told = read_report(self._folder)
        if told.pages > self._pages + len(self._unjudged):  # the log was shortened since
            self._pages, self._on_topic, self._points = told.pages, told.on_topic, list(told.harvest)

    def _read(self, page: Target, answer: Response, found: set[str]) -> SeenPage:
        """A page with its links; one that stands on many pages of a site is among what was found once."""
        assert self._decode is not None, "of a crawl"
        known = self._model.observed.is_in_scope
        example = page.reached is Reached.SEED
        return read_page(answer, self._decode, example=example, follows=lambda url: url in found or known(url))

    def _note(self, url: str, links: int) -> None:
        self._unjudged.append(url)
        self._links += links

    def _release(self) -> None:
        self._released |= self._moved
        self._moved, self._moved_at = {}, self._pages

    def _fit(self) -> None:
        self._model.fit()
        for url in self._unjudged:
            good = (self._model.topicality(url) or 0.0) >= ON_TOPIC
            self._pages += 1
            self._lately.append(good)
            self._on_topic += good
            self._choose_to_tell(url, good=good)
        self._unjudged, self._is_news = [], True
        self._note_harvest()
        best = {url: _priority(score) for url, score in self._model.promising(_MOVED)}
        behind = {
            url: _priority(score) for url in self._given if url not in best and (score := self._model.score(url)) is not None
        }
        self._moved |= {url: priority for url, priority in (behind | best).items() if self._given.get(url) != priority}
        self._given = best
        if self._pages - self._moved_at >= self._links // self._links_a_page:
            self._release()

    def _choose_to_tell(self, url: str, *, good: bool) -> None:
        number = self._model.observed.page_number(url)
        if number is not None and (good or number % _OFF_TOPIC_TOLD == 0):
            self._telling.append(self._model.observed.pages[number].packed)

    def _note_harvest(self) -> None:
        if not self._pages:
            return
        lately = sum(self._lately) / len(self._lately)
        self._points.append(HarvestPoint(pages=self._pages, on_topic=self._on_topic, lately=round(lately, 4)))
        if len(self._points) > _MOST_POINTS:
            self._points = self._points[::-1][::2][::-1]

    def _ranked(self, target: Target, page: str) -> Target:
        if target.priority <= FIRST:
            return target
        score = self._model.score(target.url)
        priority = _priority(self._model.provisional(page) if score is None else score)
        return msgspec.structs.replace(target, priority=priority)

    def _notes(self, pages: int) -> list[str]:
        """What a user should know of how it goes."""
        said = []
        examples = sum(page.example for page in self._model.observed.pages)
        if 0 < examples < _FEW_STARTS and pages >= _UNFIT:
            said.append(f"only {examples} start pages or documents say what the topic is: add some with --like, or mark pages")
        if pages >= _UNFIT and not self._on_topic:
            said.append(
                "no page was on topic: the words may be in another language than the pages, or the start pages lead elsewhere"
            )
        return said


def _priority(score: float) -> int:
    return _MIDDLE - round(_UNIT * min(max(score, -_LOWEST), _LOWEST))


def _share(score: float) -> float:
    return round(1 / (1 + math.exp(-score)), 4)


def _is_page(answer: Response) -> bool:
    return kind_of(media_of(answer), answer.content) == "page"
