from __future__ import annotations

import pytest

from support.sample_documents import GOOD, make_pptx, relations, zipped
from trasmallo.clean.formats.html_builder import HtmlBuilder, Unreadable
from trasmallo.clean.formats.pptx import read_pptx


def html_of(content: bytes) -> str:
    page = HtmlBuilder()
    read_pptx(content, page)
    return page.body()


def test_the_title_comes_first_then_lists_tables_and_notes_without_running_parts() -> None:
    assert html_of(GOOD["pptx"]) == (
        "<section><h2>Redes</h2><p>El trasmallo</p><p><b>negrita</b></p>"
        '<p><a href="https://example.org/a">enlace</a></p><ul><li>primero<ul><li>segundo</li></ul></li></ul>'
        "<table><tr><td>celda</td><td>otra</td></tr><tr><td>fila</td><td>última</td></tr></table><aside>nota</aside></section>"
        "<section><h2>Fin</h2></section>"
    )


def test_groups_and_alternatives_are_opened() -> None:
    shape = "<p:sp><p:txBody><a:p><a:r><a:t>{}</a:t></a:r><a:br/><a:r><a:t>dos</a:t></a:r></a:p></p:txBody></p:sp>".format
    choice = f"<p:AlternateContent><p:Choice>{shape('b')}</p:Choice><p:Fallback>{shape('no')}</p:Fallback></p:AlternateContent>"

    assert html_of(make_pptx(f"<p:grpSp>{shape('a')}{choice}</p:grpSp>")) == (
        "<section><p>a<br>dos</p><p>b<br>dos</p></section>"
    )


def test_bullets_say_whether_they_count() -> None:
    paragraph = "<a:p><a:pPr>{}</a:pPr><a:r><a:t>x</a:t></a:r></a:p>".format
    shape = f"<p:sp><p:txBody>{paragraph('<a:buAutoNum/>')}{paragraph('<a:buNone/>')}</p:txBody></p:sp>"

    assert html_of(make_pptx(shape)) == "<section><ol><li>x</li></ol><p>x</p></section>"


def test_a_diagram_is_a_list() -> None:
    ids = '<p:graphicFrame><d:relIds xmlns:d="u" r:dm="rId1"/></p:graphicFrame>'
    point = "<d:pt><d:t><a:p><a:r><a:t>{}</a:t></a:r></a:p></d:t></d:pt>".format
    content = zipped(
        {
            "ppt/presentation.xml": '<p:x xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId r:id="rId1"/></p:sldIdLst></p:x>',
            "ppt/_rels/presentation.xml.rels": relations(("slide", "s.xml")),
            "ppt/s.xml": f'<p:s xmlns:p="p" xmlns:r="r"><p:cSld><p:spTree>{ids}</p:spTree></p:cSld></p:s>',
            "ppt/_rels/s.xml.rels": relations(("diagramData", "d.xml")),
            "ppt/d.xml": f'<d:x xmlns:d="d" xmlns:a="a">{point("uno")}{point("dos")}</d:x>',
        }
    )

    assert html_of(content) == "<section><ul><li>uno</li><li>dos</li></ul></section>"


def test_no_slides_is_a_refusal() -> None:
    with pytest.raises(Unreadable, match="no slides"):
        html_of(make_pptx())
