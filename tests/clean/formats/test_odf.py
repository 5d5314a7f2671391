from __future__ import annotations

import pytest

from support.sample_documents import ODF_TEXT, flat_odf, make_odf, sheet_row
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.odf import read_odf


def html_of(body: str, kind: str = "text") -> str:
    page = HtmlBuilder()
    read_odf(make_odf(kind, body), page)
    return page.body()


def test_a_flat_file_gives_the_same_as_a_packed_one() -> None:
    page = HtmlBuilder()
    read_odf(flat_odf(ODF_TEXT), page)

    assert page.body() == html_of(ODF_TEXT)


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        ("a  \n b", "a b"),
        ('a<text:s text:c="2"/>b', "a  b"),
        ("a<text:tab/>b<text:line-break/>c", "a\tb<br>c"),
        ('<text:span text:style-name="T1">a</text:span> <text:span>b</text:span>', "<b>a</b> b"),
        ('x<text:s text:c="999999999"/>y', "x" + " " * 1000 + "y"),
    ],
)
def test_inline_text(inside: str, expected: str) -> None:
    assert html_of(f"<text:p>{inside}</text:p>") == f"<p>{expected}</p>"


def test_notes_come_after_the_text() -> None:
    body = "<text:note-body><text:p>nota</text:p></text:note-body>"
    note = f"<text:note><text:note-citation>1</text:note-citation>{body}</text:note>"

    assert html_of(f"<text:p>texto{note}.</text:p>") == "<p>texto.</p><aside>nota</aside>"


def test_tracked_deletions_are_left_out() -> None:
    deleted = "<text:tracked-changes><text:changed-region><text:p>no</text:p></text:changed-region></text:tracked-changes>"

    assert html_of(f"{deleted}<text:section><text:p>sí</text:p></text:section>") == "<p>sí</p>"


def test_lists_nest() -> None:
    inner = "<text:list><text:list-item><text:p>b</text:p></text:list-item></text:list>"
    html = html_of(f"<text:list><text:list-item><text:p>a</text:p>{inner}</text:list-item></text:list>")

    assert html == "<ul><li>a<ul><li>b</li></ul></li></ul>"


def test_text_boxes_hang_on_paragraphs() -> None:
    box = "<draw:frame><draw:text-box><text:p>caja</text:p></draw:text-box></draw:frame>"

    assert html_of(f"<text:p>texto{box}</text:p>") == "<p>texto</p><p>caja</p>"


def test_a_sheet_repeats_cells_but_not_for_ever() -> None:
    repeated = '<table:table-cell table:number-columns-repeated="2"><text:p>x</text:p></table:table-cell>'
    empty = '<table:table-cell table:number-columns-repeated="16384"/>'
    rows = f"<table:table-row>{repeated}{empty}</table:table-row>" + sheet_row(
        "y", attributes='table:number-rows-repeated="1048576"'
    )
    html = html_of(f'<table:table table:name="Hoja">{rows}</table:table>', "spreadsheet")

    assert html.startswith("<h2>Hoja</h2><table><tr><td>x</td><td>x</td></tr><tr><td>y</td></tr>")
    assert html.count("<tr>") == 1_001


def test_empty_sheets_have_no_heading() -> None:
    assert html_of('<table:table table:name="Hoja"><table:table-row/></table:table>', "spreadsheet") == ""


def test_encrypted_files_are_refused() -> None:
    manifest = '<m:manifest xmlns:m="u"><m:file-entry><m:encryption-data/></m:file-entry></m:manifest>'

    with pytest.raises(Unreadable, match="encrypted: save it without a password"):
        read_odf(make_odf("text", "", manifest), HtmlBuilder())


def test_a_file_without_a_body_is_refused() -> None:
    with pytest.raises(Unreadable, match="no body"):
        read_odf(b"<a/>", HtmlBuilder())
