from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from support.answers import answer as answer_of
from trasmallo.crawl.focus.notes import MOST_LINKS
from trasmallo.crawl.seen_pages import read_page
from trasmallo.values.model import Response

PAGE = """<html><head><title> La  vela </title><style>p{}</style></head><body><script>var x = "no"</script>
<p>Los barcos de <a href="/latina">vela <b>latina</b></a> navegan
<a href="#here">aquí</a> <a href="/latina">otra vez</a></p></body>"""


def answer(content: bytes) -> Response:
    return answer_of(content, url="http://a.test/")


def decode(content: bytes, _charset: str) -> tuple[str, str]:
    return content.decode("latin-1"), "windows-1252"


def test_title_text_anchors_and_what_stands_around_them() -> None:
    page = read_page(answer(PAGE.encode()), decode, example=True)
    assert (page.url, page.title, page.example) == ("http://a.test/", "La vela", True)
    (link,) = page.links
    assert (link.url, link.anchor) == ("http://a.test/latina", "vela latina")
    assert link.before.endswith("Los barcos de ")
    assert link.after.startswith(" navegan")
    assert "no" not in page.text.split()
    assert "barcos" in page.text


def test_links_are_relative_to_the_base_as_the_crawl_reads_them() -> None:
    page = read_page(answer(b'<base href="/b/"><a href="x">x</a><a href="http://c.test/">c</a>'), decode)
    assert [link.url for link in page.links] == ["http://a.test/b/x", "http://c.test/"]
    assert read_page(answer(b'<base href="mailto:x"><a href="x">x</a>'), decode).links[0].url == "http://a.test/x"


def test_what_the_crawl_does_not_ask_for_is_told_apart() -> None:
    content = b'<a href="/x">x</a><a href="http://c.test/">c</a>'
    page = read_page(answer(content), decode, follows=lambda url: url.startswith("http://a.test/"))
    assert [link.followed for link in page.links] == [True, False]


def test_other_encodings_and_very_many_links() -> None:
    assert "año" in read_page(answer("<p>año</p>".encode("latin-1")), decode).text
    links = "".join(f"<a href='/{number}'>x</a>" for number in range(3 * MOST_LINKS))
    assert len(read_page(answer(links.encode()), decode).links) == MOST_LINKS


@given(st.binary(max_size=2_000))
def test_any_bytes_are_read(content: bytes) -> None:
    read_page(answer(content), decode)
