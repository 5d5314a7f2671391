"""Our own formats."""

from __future__ import annotations

from support.sample_documents import GOOD
from trasmallo import plugins
from trasmallo.clean.formats import entries
from trasmallo.clean.formats.html_builder import HtmlBuilder
from trasmallo.clean.formats.registry import GROUP, Format, format_of, formats


def test_every_entry_is_in_the_list_of_plug_ins_under_its_name() -> None:
    own = [entry for entry in vars(entries).values() if isinstance(entry, Format)]
    listed = plugins.load_all(GROUP)
    assert {name: entry.name for name, entry in listed.items()} == {entry.name: entry.name for entry in own}
    assert tuple(own) == formats(), "they are asked in the order of the file"


def test_what_is_known_by_its_ending_has_one() -> None:
    assert all(entry.endings for entry in formats() if entry.by_name)


def test_a_reader_is_loaded_at_its_first_use() -> None:
    page = HtmlBuilder()
    markdown = format_of("text/markdown")
    assert markdown is not None
    markdown.reader(GOOD["md"], page)
    assert not page.empty
