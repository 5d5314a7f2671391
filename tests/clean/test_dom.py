from __future__ import annotations

import time

import pytest
from hypothesis import given, settings

from soup import soup
from trasmallo.clean.dom import MAX_DEPTH, TEXT, fields_of, flatten, language_of, lay_out, prune_depth, see, title_of
from trasmallo.model import Field


def text_of(html: str) -> str:
    return lay_out(flatten(html)).text


def test_the_arrays_are_in_document_order() -> None:
    page = flatten("<title>t</title><p id=a>x<b>y</b></p>z")

    assert page.tag == ["html", "head", "title", TEXT, "body", "p", TEXT, "b", TEXT, TEXT]
    assert page.parent == [-1, 0, 1, 2, 0, 4, 5, 5, 7, 4]
    assert page.end == [10, 4, 4, 4, 10, 9, 7, 9, 9, 10]
    assert [text for text in page.text if text] == ["t", "x", "y", "z"]
    assert page.attributes(5) == {"id": "a"}


def test_paths_count_siblings_of_the_same_tag() -> None:
    page = flatten("<div></div><p></p><div><p></p><p>x</p></div>")

    assert page.paths()[-2:] == ["/html/body/div[2]/p[2]", "/html/body/div[2]/p[2]"]


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
        ("<p>\ufeff\u3000<p>uno", "uno"),
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


def test_noscript_is_shown_when_the_page_has_nothing_else() -> None:
    inside = "<noscript><p>" + "sin guiones " * 30 + "</p></noscript>"

    assert see("<p>cargando</p>" + inside)[1].text.startswith("cargando\nsin guiones")
    assert "sin" not in see("<p>" + "mucho texto " * 50 + "</p>" + inside)[1].text


def test_paths_of_a_deep_page_stay_short() -> None:
    assert max(map(len, flatten("<div>" * 400 + "x").paths())) < 1_010


def test_noframes_is_shown_when_the_page_is_frames() -> None:
    frames = "<frameset><frame src=a><noframes><body><p>sin <b>marcos</b></body></noframes></frameset>"

    assert see(frames)[1].text == "sin marcos"


def test_white_space_that_begins_a_line_is_not_kept() -> None:
    assert flatten("<div>\n <p>uno <b>dos</b> <i>tres</i></p> \n </div>").tag[4:] == [
        "p", TEXT, "b", TEXT, TEXT, "i", TEXT,
    ]  # fmt: skip
    assert lay_out(flatten("<pre>  <b>a</b>\n  b</pre>")).text == "  a\n  b"


def test_a_layout_gives_each_block_alone() -> None:
    layout = lay_out(flatten("<p>uno</p><pre> dos</pre><p>tres</p>"))

    assert [layout.block_text(number) for number in range(3)] == ["uno", " dos", "tres"]
    assert [layout.text[a:b] for a, b in zip(layout.start, layout.end, strict=True)] == ["uno", " dos", "tres"]


def test_what_a_script_holds() -> None:
    page = flatten("<script>a < b</script>")

    assert page.raw_text(page.tag.index("script")) == "a < b"


def test_a_page_that_hides_itself_until_scripts_run_is_read() -> None:
    assert see("<body style='visibility:hidden'><p>" + "texto " * 20)[1].text == "texto " * 19 + "texto"


def test_a_page_that_hides_most_of_its_prose_is_read_whole() -> None:
    shown = "".join(f"<p>Entrada {n} del menú y de otras cosas.</p>" for n in range(40))
    prose = "".join(
        f"<p>Párrafo {n}: la red se cala al anochecer y se recoge de madrugada, cuando ha calmado.</p>" for n in range(40)
    )
    waiting = f"{shown}<div hidden>{prose}</div>"

    assert "Párrafo 39" in see(waiting)[1].text
    assert "Párrafo" not in see(f"{shown}<div hidden>{prose[:300]}</div>")[1].text
    assert see(f"{shown}{prose}<div hidden>{prose}</div>")[1].text.count("Párrafo 39") == 1


def test_title_language_and_fields() -> None:
    page = flatten(
        "<html lang=es-MX><head><title> Un\n título </title><meta name=Description content='de  qué va'>"
        "<meta name=viewport content=x>"
        "<meta property='og:site_name' content=Sitio></head><body><svg><title>no</title></svg><h2>Cab<i>e</i>za</h2><b> </b>"
    )

    assert title_of(page) == "Un título"
    assert language_of(page) == "es"
    assert fields_of(page) == (
        Field("title", "Un título"),
        Field("description", "de qué va"),
        Field("og:site_name", "Sitio"),
        Field("heading", "Cabeza"),
        Field("emphasis", "e"),
    )


@pytest.mark.parametrize("label", ["", "x", "english", "1", "-"])
def test_a_label_that_names_no_language(label: str) -> None:
    assert language_of(flatten(f"<html lang='{label}'>")) == ""


@pytest.mark.parametrize("tags", ["<div>", "<b>", "<a><table>", "<p><font>", "<li><ul>", "<foo>", "<b><div>", "<blockquote/>"])
def test_200000_nested_elements_neither_hang_nor_crash(tags: str) -> None:
    started = time.process_time()

    page, layout = see(tags * (200_000 // tags.count("<")) + "fin" + "</q>" * 1000)

    assert layout.text == "fin"
    assert len(page) < 500_000
    assert time.process_time() - started < 20


def test_pruning_leaves_an_ordinary_page_alone() -> None:
    html = "<div><p>uno<br><svg><path d=x /></svg><li>dos</div>" * 4000 + "<script>'<div>'.repeat</script>" * 1000

    assert prune_depth(html) == html


def test_pruning_keeps_text_and_what_follows() -> None:
    html = "<i>" * 20_000 + "hondo" + "</i>" * 20_000 + "<p>llano</p>"

    pruned = prune_depth(html)

    assert pruned.count("<i>") == pruned.count("</i>") == MAX_DEPTH
    assert text_of(html) == "hondo\nllano"


def test_a_page_of_too_many_nodes_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("trasmallo.clean.dom.MAX_NODES", 50)

    page = flatten("<p>x</p>" * 100)

    assert (len(page), page.truncated) == (50, True)
    assert all(end <= 50 for end in page.end)


@settings(deadline=None)
@given(soup)
def test_any_soup_gives_consistent_arrays(html: str) -> None:
    page, layout = see(html)

    assert all(parent < index < end <= len(page) for index, (parent, end) in enumerate(zip(page.parent, page.end, strict=True)))
    assert all(page.end[index] <= page.end[page.parent[index]] for index in range(1, len(page)))
    assert len(page.paths()) == len(page)
    assert "\n".join(layout.text[a:b] for a, b in zip(layout.start, layout.end, strict=True)) == layout.text
    assert all(layout.text[a:b].strip() for a, b in zip(layout.start, layout.end, strict=True))
    assert all(0 <= linked <= weight for linked, weight in zip(layout.linked, layout.weight, strict=True))
    assert all(first <= last < page.end[node] for node, first, last in zip(layout.node, layout.first, layout.last, strict=True))
