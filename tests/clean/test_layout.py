from __future__ import annotations

import pytest

from trasmallo.clean.flat import flatten
from trasmallo.clean.layout import lay_out


def text_of(html: str) -> str:
    return lay_out(flatten(html)).text


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("un<b>i</b>do y <i>otro</i>", "unido y otro"),
        ("<p>uno</p>dos<div>tres</div>", "uno\ndos\ntres"),
        ("uno<br>dos", "uno\ndos"),
        ("<td>sin tabla", "sin tabla"),
        ("<table><tr><td>a<td>b</table>", "a\nb"),
        ("a<script>no()</script>b<style>p{}</style>c", "abc"),
        ("uno<noframes><p>no</p></noframes> dos", "uno dos"),
        ("<p>x<math><semantics><mi>y</mi><annotation>\\psi</annotation></semantics></math>", "xy"),
        ("<p>corpo&shy;ra<wbr>ción \ufeffde<p>&shy;</p><p>\ufeff</p>redes", "corporación de\nredes"),
        ("<p>&#150;&nbsp;&eacute; &lt;p&gt; &amp;amp; &#x1F41F; &copy x", "– é <p> &amp; \U0001f41f © x"),
        ("<p>uno<!-- no -->dos<![CDATA[no]]><p aria-hidden=true>tres", "unodos\ntres"),
        ("<details><summary>uno</summary>dos</details>", "uno\ndos"),
        ("uno<hr>dos<center>tres</center><address>cuatro</address>", "uno\ndos\ntres\ncuatro"),
        ("<textarea>no</textarea><select><option>no</select><button>sí</button>", "sí"),
        ("<ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby>", "漢kan"),
        ("<div popover>no</div><p>" + "sí " * 200, "sí " * 199 + "sí"),
        ("<template>no</template><applet>tampoco</applet><iframe>ni esto</iframe>sí", "sí"),
        ("<object data=x.swf><param name=y><p>sin Flash</p></object>", "sin Flash"),
        ("&ntilde;&#241;&amp;&lt;b&gt;", "ññ&<b>"),
        ("a &nbsp; \n\t b", "a b"),
        ("<pre>  a\n    b\n</pre>", "  a\n    b"),
        (
            "<p hidden>no</p><p style='color:red; DISPLAY : none'>no<b>no</b></p><dialog>no</dialog><p>" + "sí " * 200,
            "sí " * 199 + "sí",
        ),
        ("<ruby>漢<rp>(</rp><rt>kan</rt></ruby>", "漢kan"),
        ("<!-- no -->sí<?no?>", "sí"),
        ("", ""),
    ],
)
def test_text_as_a_reader_sees_it(html: str, text: str) -> None:
    assert text_of(html) == text


def test_two_line_breaks_part_blocks() -> None:
    layout = lay_out(flatten("<div>uno<br>dos<br> <br>tres</div>"))

    assert [layout.text[a:b] for a, b in zip(layout.start, layout.end, strict=True)] == ["uno\ndos", "tres"]
    assert layout.node[0] == layout.node[1]


def test_links_are_weighed_but_not_anchors() -> None:
    layout = lay_out(flatten("<p>uno <a href=/>dos</a> <a name=x>tres</a></p><p>日本</p>"))

    assert layout.weight == [10, 6]
    assert layout.linked == [3, 0]


def test_links_in_links_and_empty_links() -> None:
    layout = lay_out(
        flatten("<a href=/>uno</a><a href=/></a> dos <a href=/><object><a href=/>tres</a> seis</object></a> siete")
    )

    assert layout.linked == [11]


def test_white_space_before_preformatted_text_is_its_indent() -> None:
    layout = lay_out(flatten("<pre>  <b>a</b></pre>b <br> <br> c"))

    assert (layout.text, layout.first) == ("  a\nb\nc", [4, 7, 10])


def test_wide_spaces_and_what_is_not_seen_make_no_block() -> None:
    assert len(lay_out(flatten("<p>&shy;\u3000<br></p><pre>\ufeff\u3000</pre>"))) == 0


def test_a_layout_gives_each_block_alone() -> None:
    layout = lay_out(flatten("<p>uno</p><pre> dos</pre><p>tres</p>"))

    assert [layout.block_text(number) for number in range(3)] == ["uno", " dos", "tres"]
    assert [layout.text[a:b] for a, b in zip(layout.start, layout.end, strict=True)] == ["uno", " dos", "tres"]
