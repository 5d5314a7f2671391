from __future__ import annotations

import datetime

import pytest

from support.sample_documents import make_xlsx
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.xlsx import date_text, format_kind, read_xlsx, shortest


def html_of(rows: str, shared: tuple[str, ...] = (), state: str = "visible") -> str:
    page = HtmlBuilder()
    read_xlsx(make_xlsx(rows, shared, state=state), page)
    return page.body()


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        ('<c r="A1"><v>1.10</v></c>', "1.1"),
        ('<c r="A1"><v>0.30000000000000004</v></c>', "0.3"),
        ('<c r="A1" s="2"><v>43832</v></c>', "2020-01-02"),
        ('<c r="A1" s="3"><v>0.25</v></c>', "25%"),
        ('<c r="A1" t="b"><v>1</v></c>', "TRUE"),
        ('<c r="A1" t="e"><v>#N/A</v></c>', "#N/A"),
        ('<c r="A1" t="str"><f>A2</f><v>a &amp; b</v></c>', "a &amp; b"),
        ('<c r="A1" t="s"><v>0</v></c>', "común"),
        ('<c r="A1" s="1" t="s"><v>0</v></c>', "<b>común</b>"),
        ('<c r="A1" t="inlineStr"><is><r><rPr><b/></rPr><t>a</t></r><r><t>b</t></r></is></c>', "<b>a</b>b"),
        ('<c r="A1" s="99"><v>x</v></c>', "x"),
    ],
)
def test_cells(cell: str, shown: str) -> None:
    assert html_of(f"<row>{cell}</row>", ("común",)) == f"<h2>Redes</h2><table><tr><td>{shown}</td></tr></table>"


def test_cells_keep_their_columns() -> None:
    html = html_of('<row><c r="A1"><v>1</v></c><c r="C1"><v>3</v></c><c><v>4</v></c></row><row/>')

    assert html == "<h2>Redes</h2><table><tr><td>1</td><td></td><td>3</td><td>4</td></tr></table>"


def test_a_cell_far_to_the_right_makes_no_wide_row() -> None:
    assert len(html_of('<row><c r="A1"><v>1</v></c><c r="XFD1"><v>3</v></c></row>')) < 100


def test_a_string_that_is_not_there_is_empty() -> None:
    assert "<td>" not in html_of('<row><c r="A1" t="s"><v>9</v></c></row>')


def test_hidden_sheets_are_left_out() -> None:
    assert html_of('<row><c r="A1"><v>1</v></c></row>', state="hidden") == ""


@pytest.mark.parametrize(
    ("number", "code", "kind"),
    [
        (14, "", "date"),
        (10, "", "percent"),
        (0, "General", ""),
        (170, "#,##0.00", ""),
        (170, "[$-409]d-mmm-yy", "date"),
        (170, '0.0"days"', ""),
        (170, "0.0%", "percent"),
    ],
)
def test_formats(number: int, code: str, kind: str) -> None:
    assert format_kind(number, code) == kind


def test_dates_and_times() -> None:
    epoch = datetime.datetime(1899, 12, 30)

    assert [date_text(days, epoch) for days in (0.5, 1.25, 60)] == ["12:00:00", "1899-12-31 06:00:00", "1900-02-28"]


def test_numbers_have_as_many_digits_as_they_need() -> None:
    assert [shortest(number) for number in (1.0, 0.1 + 0.2, 1e20)] == ["1", "0.3", "1e+20"]


def test_a_book_without_sheets_is_refused() -> None:
    content = make_xlsx("")
    with pytest.raises(Unreadable, match="missing"):
        read_xlsx(content.replace(b"xl/workbook.xml", b"xl/workbook.xmm"), HtmlBuilder())
