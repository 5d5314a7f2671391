"""The report of what was found behind scripts and forms."""

from __future__ import annotations

from pathlib import Path

from support.script_web import answer_with
from support.small_search import HOST, SmallSearch
from trasmallo.crawl.deep_web_report import DeepWebLog, DeepWebReport, add_deep_webs, read_deep_web
from trasmallo.crawl.forms.form_book import FormBook
from trasmallo.events import Event, Rendered, Warned


def rendered(trouble: str = "") -> Rendered:
    return Rendered(
        url="https://a.example/", reason="little text (12 words)", trouble=trouble, seconds=1.5, requests=2, size=10
    )


def test_what_is_told_is_counted_handed_on_and_added_to_the_session_before(tmp_path: Path) -> None:
    heard: list[Event] = []
    for _ in range(2):
        book = FormBook()
        book.look(answer_with(HOST + "/", SmallSearch().get(HOST + "/").decode()))
        log = DeepWebLog(tmp_path, book)
        emit = log.listening(heard.append)
        for event in (rendered(), rendered("cut short after 15 s"), rendered("it broke"), Warned(message="x")):
            emit(event)
        log.save()
    assert len(heard) == 8
    report = read_deep_web(tmp_path)
    assert (report.rendered, report.seconds, report.requests, report.size) == (4, 9.0, 12, 60)
    assert report.reasons == {"little text (N words)": 6}
    assert report.troubles == {"cut short after N s": 2, "it broke": 2}
    assert len(report.forms) == 2


def test_nothing_is_an_empty_report(tmp_path: Path) -> None:
    assert read_deep_web(tmp_path) == add_deep_webs([]) == DeepWebReport()
