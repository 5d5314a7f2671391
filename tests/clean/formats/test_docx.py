from __future__ import annotations

import pytest

from support.sample_documents import docx_item, docx_paragraph, docx_table, make_docx, zipped
from trasmallo.clean.formats.docx import Styles, read_docx
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.zip_package import parse_xml


def html_of(body: str, **parts: str) -> str:
    page = HtmlBuilder()
    read_docx(make_docx(body, **parts), page)
    return page.body()


def test_headings_by_style_its_base_or_outline_level() -> None:
    outlined = docx_paragraph("c", properties='<w:outlineLvl w:val="2"/>')

    assert html_of(docx_paragraph("a", "Ttulo1") + docx_paragraph("b", "Mio") + outlined) == "<h1>a</h1><h1>b</h1><h3>c</h3>"


@pytest.mark.parametrize(
    ("style", "look", "expected"),
    [
        ("", "<w:b/>", "<b>x</b>"),
        ("", '<w:b w:val="0"/>', "x"),
        ("", "<w:b/><w:i/>", "<b><i>x</i></b>"),
        ("", '<w:rStyle w:val="Fuerte"/>', "<b>x</b>"),
        ("Fuerte", "", "<b>x</b>"),
        ("Fuerte", '<w:b w:val="false"/>', "x"),
    ],
)
def test_emphasis_of_the_run_comes_before_that_of_styles(style: str, look: str, expected: str) -> None:
    assert html_of(docx_paragraph("x", style, look=look)) == f"<p>{expected}</p>"


def test_hidden_and_deleted_text_is_left_out() -> None:
    deleted = "<w:p><w:del><w:r><w:delText>no</w:delText></w:r></w:del><w:ins><w:r><w:t>sí</w:t></w:r></w:ins></w:p>"

    assert html_of(docx_paragraph("oculto", look="<w:vanish/>") + deleted) == "<p>sí</p>"


def test_lists_nest_by_level() -> None:
    html = html_of(docx_item("a") + docx_item("b", 1) + docx_item("c"))

    assert html == "<ol><li>a<ul><li>b</li></ul></li><li>c</li></ol>"


def test_tables_may_hold_tables_and_wide_cells() -> None:
    wide = '<w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr>' + docx_paragraph("uno") + docx_table(("dos",)) + "</w:tc>"

    assert html_of(f"<w:tbl><w:tr>{wide}</w:tr></w:tbl>") == (
        '<table><tr><td colspan="2"><p>uno</p><table><tr><td>dos</td></tr></table></td></tr></table>'
    )


def test_links_by_relation_and_by_field() -> None:
    run = "<w:r>{}</w:r>".format
    field = "".join(
        [
            run('<w:fldChar w:fldCharType="begin"/>'),
            run('<w:instrText> HYPERLINK "https://example.org/b" </w:instrText>'),
            run('<w:fldChar w:fldCharType="separate"/>'),
            run("<w:t>dos</w:t>"),
            run('<w:fldChar w:fldCharType="end"/>'),
            run("<w:t>fin</w:t>"),
        ]
    )
    html = html_of(f'<w:p><w:hyperlink r:id="rId3">{run("<w:t>uno</w:t>")}</w:hyperlink>{field}</w:p>')

    assert html == '<p><a href="https://example.org/a">uno</a><a href="https://example.org/b">dos</a>fin</p>'


def test_notes_come_after_the_text() -> None:
    note = f'<w:footnote w:type="separator">{docx_paragraph("-")}</w:footnote><w:footnote>{docx_paragraph("nota")}</w:footnote>'

    assert html_of(docx_paragraph("texto"), footnotes=note) == "<p>texto</p><aside>nota</aside>"


def test_text_boxes_are_read_once() -> None:
    box = "<w:txbxContent>" + docx_paragraph("caja") + "</w:txbxContent>"
    both = f"<m:Choice>{box}</m:Choice><m:Fallback>{box}</m:Fallback>"
    drawn = f'<w:p><w:r><m:AlternateContent xmlns:m="u">{both}</m:AlternateContent></w:r></w:p>'

    assert html_of(drawn) == "<p>caja</p>"


def test_breaks_tabs_and_symbols() -> None:
    run = '<w:r><w:t>a</w:t><w:br/><w:t>b</w:t><w:tab/><w:t>c</w:t><w:sym w:char="F0B7"/><w:sym w:char="x"/></w:r>'

    assert html_of(f"<w:p>{run}</w:p>") == "<p>a<br>b\tc•</p>"


def test_a_style_based_on_itself_ends() -> None:
    styles = parse_xml(
        b'<w:styles xmlns:w="u"><w:style w:styleId="a"><w:basedOn w:val="b"/></w:style>'
        b'<w:style w:styleId="b"><w:basedOn w:val="a"/></w:style></w:styles>'
    )

    assert (Styles(styles).level("a"), Styles(styles).mark("a", "b"), Styles(styles).numbering("a")) == (0, None, None)


def test_what_lacks_its_main_part_is_refused() -> None:
    with pytest.raises(Unreadable, match="word/document.xml is missing"):
        read_docx(zipped({"word/documents.xml": "<a/>"}), HtmlBuilder())
    with pytest.raises(Unreadable, match="no body"):
        read_docx(zipped({"word/document.xml": "<a/>"}), HtmlBuilder())
