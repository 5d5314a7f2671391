from __future__ import annotations

from pathlib import Path

from support.focused_graph import mixed_links, page_of
from trasmallo.crawl.focus.notes import note
from trasmallo.crawl.focus_log import FocusLog

NOTES = [note(page_of("boats", number, mixed_links(number))) for number in range(5)]


def test_pages_come_back_in_order_and_a_torn_end_is_left_out(tmp_path: Path) -> None:
    log = FocusLog(tmp_path)
    assert list(log.read()) == []
    for each in NOTES:
        log.append(each)
    assert list(FocusLog(tmp_path).read()) == NOTES
    content = log.path.read_bytes()
    log.path.write_bytes(content[:-7])
    again = FocusLog(tmp_path)
    assert list(again.read()) == NOTES[:-1]
    again.rewrite(NOTES[:2])
    again.append(NOTES[4])
    assert list(FocusLog(tmp_path).read()) == [NOTES[0], NOTES[1], NOTES[4]]
