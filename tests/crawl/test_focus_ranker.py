from __future__ import annotations

from pathlib import Path

from support.fake_crawl import Crawl
from support.fake_web import FakeWeb, run
from support.focused_graph import address, anchor_of, mixed_links, page_of
from trasmallo.crawl.focus import FocusSetup, Topic
from trasmallo.crawl.focus.notes import note
from trasmallo.crawl.focus_log import FocusLog
from trasmallo.crawl.focus_ranker import FocusPlan, FocusRanker
from trasmallo.crawl.focus_report import FocusReport, HarvestPoint, read_report, write_report
from trasmallo.crawl.frontier import Close, EmbeddedFrontier
from trasmallo.crawl.marks import add_mark
from trasmallo.events import Failed, Refused
from trasmallo.values.model import Failure, Outcome, Response, Target

SETUP = FocusSetup(topics=(Topic(name="topic", words=("vela", "barco")),))
START = address("boats", 0)


def graph(pages: int = 60) -> FakeWeb:
    """Each page leads to ten others, half of them about banks."""
    web = FakeWeb()
    for kind in ("boats", "banks"):
        for number in range(pages):
            page = page_of(kind, number, [url for url in mixed_links(3 * number + 1) if int(url.rpartition("/")[2]) < pages])
            links = "".join(f'<a href="{link.url}">{anchor_of(link.url)}</a> ' for link in page.links)
            web.page(page.url, f"<title>{page.title}</title><p>{page.text}</p>{links}")
    return web


def decode(content: bytes, _charset: str) -> tuple[str, str]:
    return content.decode("latin-1"), "windows-1252"


def crawled(
    folder: Path,
    *,
    pages: int,
    focused: bool = True,
    topicality: float = 0.0,
    depth: int = -1,
    web: FakeWeb | None = None,
) -> Crawl:
    crawl = Crawl(folder, web or graph(), seeds=(START,), lines=1, pages=pages, delay=0.0, depth=depth)
    plan = FocusPlan(setup=SETUP, topicality=topicality)

    async def go() -> None:
        frontier = EmbeddedFrontier(folder, in_order=True)
        ranker = FocusRanker(folder, plan, decode) if focused else None
        crawler = await crawl.crawler(frontier, ranker=ranker)
        await crawler.run()
        await frontier.control(Close())
        if ranker is not None:
            ranker.save()

    run(go())
    return crawl


def share(crawl: Crawl) -> float:
    return sum("boats" in url for url in crawl.order) / len(crawl.order)


def test_a_focused_crawl_keeps_to_its_topic_and_says_so(tmp_path: Path) -> None:
    focused, other = crawled(tmp_path / "f", pages=25), crawled(tmp_path / "o", pages=25, focused=False)
    assert share(focused) > share(other) + 0.15
    report = read_report(tmp_path / "f")
    assert report.pages == 25
    assert report.on_topic > 0
    assert report.hubs
    assert report.harvest[-1].pages == 25
    assert report.unfocused is not None


def test_a_killed_crawl_goes_on_with_the_same_order(tmp_path: Path) -> None:
    whole = crawled(tmp_path / "whole", pages=30)
    first = crawled(tmp_path / "parts", pages=12)
    (tmp_path / "parts" / "focus.json").unlink()  # a kill leaves the log alone
    second = crawled(tmp_path / "parts", pages=30)
    assert [*first.order, *second.order] == whole.order


def test_marks_while_it_runs_bring_another_order(tmp_path: Path) -> None:
    marks = tmp_path / "marks.jsonl"
    crawled(tmp_path / "one", pages=15)
    ranker = FocusRanker(tmp_path / "one", FocusPlan(setup=SETUP, marks=str(marks)), decode)
    assert ranker.moves() == {}
    for number in range(9):
        add_mark(marks, address("boats", number), on_topic=False)
        add_mark(marks, address("banks", number), on_topic=True)
    moved = ranker.moves()
    assert moved
    assert ranker.moves() == {}
    assert min(moved.values()) >= 1


def test_it_ends_when_too_little_is_on_topic(tmp_path: Path) -> None:
    ranker = FocusRanker(tmp_path, FocusPlan(setup=SETUP, harvest=0.5))
    assert ranker.ended == ""
    log = FocusLog(tmp_path)
    log.append(note(page_of("boats", 0, mixed_links(1), example=True)))
    for number in range(205):
        log.append(note(page_of("banks", number, mixed_links(number))))
    assert "on topic, less than 50%" in FocusRanker(tmp_path, FocusPlan(setup=SETUP, harvest=0.5)).ended


def test_a_topic_in_another_language_is_said(tmp_path: Path) -> None:
    setup = FocusSetup(topics=(Topic(name="topic", words=("sailing",)),))
    log = FocusLog(tmp_path)
    for number in range(42):
        log.append(note(page_of("banks", number, mixed_links(number))))
    FocusRanker(tmp_path, FocusPlan(setup=setup)).save()
    assert any("another language" in said for said in read_report(tmp_path).notes)


def test_what_waits_is_explained(tmp_path: Path) -> None:
    crawled(tmp_path, pages=10)
    ranker = FocusRanker(tmp_path, FocusPlan(setup=SETUP))
    told = ranker.explain(Target(address("boats", 40), 2, 700))
    assert 0 <= told.score <= 1
    assert told.why
    assert "goes first" in ranker.explain(Target(START)).why


def test_a_long_queue_is_read_through_for_many_pages_or_a_mark(tmp_path: Path) -> None:
    marks = tmp_path / "marks.jsonl"
    ranker = FocusRanker(tmp_path, FocusPlan(setup=SETUP, marks=str(marks)), decode, links_a_page=1)  # as with millions
    web, found = graph(), [Target(address(kind, number), 2) for kind in ("boats", "banks") for number in range(60)]
    for number in range(12):
        url = address("boats", number)
        answer = run(web.get(url))
        assert isinstance(answer, Response)
        ranker.rank(Target(url, 1, 500), answer, found, {})
    assert ranker.moves() == {}
    add_mark(marks, address("banks", 1), on_topic=False)
    assert ranker.moves()


def test_what_a_shortened_log_no_longer_holds_stays_counted(tmp_path: Path) -> None:
    log = FocusLog(tmp_path)
    for number in range(30):
        log.append(note(page_of("boats", number, mixed_links(number), example=number < 3)))
    point = HarvestPoint(pages=9000, on_topic=800, lately=0.1)
    write_report(tmp_path, FocusReport(pages=9000, on_topic=800, harvest=(point,)))
    FocusRanker(tmp_path, FocusPlan(setup=SETUP), decode).save()
    told = read_report(tmp_path)
    assert told.pages >= 9000
    assert told.harvest[0] == point


def test_what_is_off_topic_is_not_kept_but_for_its_address(tmp_path: Path) -> None:
    crawl = crawled(tmp_path / "dropping", pages=30, topicality=0.5)
    dropped = [fetch for fetch in crawl.kept.values() if fetch.outcome is Outcome.OFF_TOPIC]
    assert dropped
    assert all(fetch.cause.startswith("its probability to be on topic is 0.") for fetch in dropped)
    assert len(crawl.obtained) == 30, "the limit counts what is kept"
    assert sum("boats" in url for url in crawl.obtained) > 0.8 * 30
    assert [event.url for event in crawl.heard(Refused)] == [fetch.url for fetch in dropped]
    assert not crawl.heard(Failed)
    assert all(fetch.outcome is not Outcome.OFF_TOPIC for fetch in crawled(tmp_path / "all", pages=30).kept.values())


def test_links_of_what_is_not_kept_are_followed(tmp_path: Path) -> None:
    everything = crawled(tmp_path / "all", pages=100, web=graph(8)).obtained
    crawl = crawled(tmp_path / "examples", pages=100, topicality=1.0, web=graph(8))
    assert crawl.obtained == {START}
    assert set(crawl.kept) == everything
    assert len(everything) > 10


def test_pages_whose_links_are_not_followed_are_judged_too(tmp_path: Path) -> None:
    crawl = crawled(tmp_path, pages=30, topicality=1.0, depth=1)
    assert crawl.obtained == {START}, "which is an example"
    assert len(crawl.kept) > 1


def test_what_has_no_words_to_judge_by_is_kept(tmp_path: Path) -> None:
    ranker = FocusRanker(tmp_path, FocusPlan(setup=SETUP, topicality=1.0), decode)
    pdf = Response("https://a.example/a.pdf", 1.0, 200, "OK", (("Content-Type", "application/pdf"),), b"%PDF", b"%PDF")
    failure = Failure("https://a.example/b", 1.0, Outcome.TIMED_OUT, "slow")
    assert not ranker.keeps_all
    assert ranker.off_topic([(Target(pdf.url), pdf), (Target(failure.url), failure)]) == {}


def test_a_worker_learns_from_the_pages_of_another(tmp_path: Path) -> None:
    crawled(tmp_path / "one", pages=25)
    plan, url = FocusPlan(setup=SETUP), address("boats", 40)
    one = FocusRanker(tmp_path / "one", plan, decode)
    other = FocusRanker(tmp_path / "other", plan, decode, owns=lambda url: "boats" in url)
    told = [note for _ in range(5) for note in one.tell()]
    assert 5 < len(told) <= 25
    assert all(isinstance(note, bytes) and len(note) < 20_000 for note in told)
    other.hear([*told, b"damaged", *told[:2]])
    assert other.explain(Target(url, 2, 700)).why != "", "it knows links that it has never seen on pages of its own"
    other.save()
    assert read_report(tmp_path / "other").pages == 0, "they count for the harvest of who fetched them"
    moved = other.moves()
    assert moved
    assert all("boats" in url for url in moved), "what waits elsewhere is not moved here"
    again = FocusRanker(tmp_path / "other", plan, decode)
    assert again.explain(Target(url, 2, 700)) == other.explain(Target(url, 2, 700)), "what was heard survives a kill"


def test_marks_that_another_machine_tells_count(tmp_path: Path) -> None:
    crawled(tmp_path, pages=15)
    ranker = FocusRanker(tmp_path, FocusPlan(setup=SETUP), decode)
    said = {address("boats", number): False for number in range(9)} | {address("banks", 4): True}
    ranker.take_marks(said)
    moved = ranker.moves()
    assert moved
    assert FocusRanker(tmp_path, FocusPlan(setup=SETUP, said=said), decode).explain(Target(START, 1, 5)) == ranker.explain(
        Target(START, 1, 5)
    )
