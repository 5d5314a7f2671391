from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from support.effort import effort
from trasmallo.store.foreign import read_foreign
from trasmallo.values.errors import StoreDamaged
from trasmallo.values.model import Failure, Outcome, Response

TEXT = b"""<DOC>
<DOCNO> AP880212-0001 </DOCNO>
<FILEID>AP-NR-02-12-88 2344EST</FILEID>
<HEAD>Reports Former Saigon Officials</HEAD>
<TEXT>
   More than 150 former officers, a < b.
</TEXT>
</DOC>

<DOC><DOCNO>FT911/3 x</DOCNO>
<text>
<P>caf\xe9</P>
</text>
</DOC>
"""
WEB = b"""<DOC>
<DOCNO>WTX001-B01-1</DOCNO>
<DOCOLDNO>IA001-000000-B001-1</DOCOLDNO>
<DOCHDR>
http://www.ram.org:80/ 192.0.2.10 19970101013145 text/html 440
HTTP/1.0 200 OK
Content-type: text/html
Content-Encoding: gzip
Content-Length: 440
</DOCHDR>
<html>\xe9</html>
</DOC>
<DOC>
<DOCNO>GX000-00-1</DOCNO>
<DOCHDR>
https://example.gov/a
Server: x
</DOCHDR>
two
lines
</DOC>
"""


def read(path: Path, data: bytes, limit: int = 10_000) -> list[object]:
    path.write_bytes(data)
    return list(read_foreign(path, limit=limit))


@pytest.mark.parametrize("packed", [False, True])
def test_text_documents(packed: bool, tmp_path: Path) -> None:
    one, two = read(tmp_path / "f", gzip.compress(TEXT) if packed else TEXT)
    assert isinstance(one, Response)
    assert isinstance(two, Response)
    assert one.url == "http://trec.invalid/AP880212-0001"
    assert one.body == b"Reports Former Saigon Officials\n\n   More than 150 former officers, a < b."
    assert one.header("content-type") == "text/plain"
    assert two.url == "http://trec.invalid/FT911%2F3%20x"
    assert (two.body, two.header("content-type")) == (b"<P>caf\xe9</P>", "text/html")
    assert (two.at, two.status) == (0.0, 200)


def test_what_a_document_says_of_itself_is_kept(tmp_path: Path) -> None:
    dated = b"<DOC><DOCNO>FT911-3</DOCNO><DATE>910514</DATE><HEADLINE>14 MAY 91 /\n <b>Redes</b></HEADLINE><TEXT>x</TEXT></DOC>"
    spelled = b"<DOC><DOCNO>LA1</DOCNO><DOCID>17</DOCID><DATE><P>January 1, 1989, Sunday</P></DATE><TEXT>x</TEXT></DOC>"
    found = read(tmp_path / "f", TEXT[: TEXT.index(b"<DOC><DOCNO>FT")] + dated + spelled + WEB)
    told = [[pair for pair in one.headers if pair[0].startswith("X-Source")] for one in found if isinstance(one, Response)]
    assert told == [
        [
            ("X-Source-Id", "AP880212-0001"),
            ("X-Source-Id", "AP-NR-02-12-88 2344EST"),
            ("X-Source-Title", "Reports Former Saigon Officials"),
        ],
        [("X-Source-Id", "FT911-3"), ("X-Source-Title", "14 MAY 91 / Redes"), ("X-Source-Date", "1991-05-14")],
        [("X-Source-Id", "LA1"), ("X-Source-Id", "17"), ("X-Source-Date", "January 1, 1989, Sunday")],
        [("X-Source-Id", "WTX001-B01-1"), ("X-Source-Id", "IA001-000000-B001-1")],
        [("X-Source-Id", "GX000-00-1")],
    ]


def test_web_documents(tmp_path: Path) -> None:
    one, two = read(tmp_path / "f", WEB)
    assert isinstance(one, Response)
    assert isinstance(two, Response)
    assert (one.url, one.address, one.at, one.status) == ("http://www.ram.org:80/", "192.0.2.10", 852082305.0, 200)
    assert one.body == one.content == b"<html>\xe9</html>"
    assert one.header("x-crawler-content-encoding") == "gzip"
    assert (two.url, two.status, two.body) == ("https://example.gov/a", 200, b"two\nlines")
    assert two.headers == (("Server", "x"), ("Content-Type", "text/html"), ("X-Source-Id", "GX000-00-1"))


def test_a_cut_collection_is_read_up_to_the_cut(tmp_path: Path) -> None:
    path = tmp_path / "f"
    path.write_bytes(TEXT[:-10])
    found = read_foreign(path)
    assert isinstance(next(found), Response)
    with pytest.raises(StoreDamaged, match=r"the document at byte \d+ has no end"):
        next(found)


def test_what_is_too_large_or_has_no_number_is_a_value(tmp_path: Path) -> None:
    data = b"<DOC><DOCNO>A</DOCNO>" + b"x" * 500_000 + b"</DOC><DOC>none</DOC><DOC><DOCNO>B</DOCNO>y</DOC>"
    large, nameless, fine = read(tmp_path / "f", data, limit=300)
    assert isinstance(large, Failure)
    assert (large.url, large.outcome) == ("http://trec.invalid/A", Outcome.TOO_LARGE)
    assert isinstance(nameless, Failure)
    assert nameless.outcome is Outcome.BROKEN
    assert isinstance(fine, Response)
    assert fine.body == b"y"


numbers = st.text("ABCxyz019-_.", min_size=1, max_size=20)
bodies = st.binary(max_size=400).filter(lambda body: not re.search(rb"</?(DOC|DOCNO|DOCHDR)\s*>", body, re.IGNORECASE))


@settings(max_examples=100, deadline=None)
@given(documents=st.lists(st.tuples(numbers, bodies), min_size=1, max_size=6), packed=st.booleans())
def test_web_bodies_come_back_byte_for_byte(
    documents: list[tuple[str, bytes]], packed: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    data = b"".join(
        b"<DOC>\n<DOCNO>%b</DOCNO>\n<DOCHDR>\nhttp://h.org/%b\nHTTP/1.1 200 OK\n</DOCHDR>\n%b\n</DOC>\n" % (name, name, body)
        for name, body in ((number.encode(), body.rstrip(b"\r")) for number, body in documents)
    )
    found = read(tmp_path_factory.getbasetemp() / "web", gzip.compress(data) if packed else data)
    assert [(one.url, one.body) for one in found if isinstance(one, Response)] == [
        (f"http://h.org/{number}", body.rstrip(b"\r")) for number, body in documents
    ]


@settings(max_examples=100, deadline=None)
@given(number=numbers, text=st.binary(max_size=400).filter(lambda body: b"<" not in body))
def test_texts_come_back_byte_for_byte(number: str, text: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    data = b"<DOC>\n<DOCNO> %b </DOCNO>\n<DATE>1</DATE><TEXT>\n%b\n</TEXT>\n</DOC>\n" % (number.encode(), text)
    (one,) = read(tmp_path_factory.getbasetemp() / "text", data)
    assert isinstance(one, Response)
    assert (one.url, one.body) == (f"http://trec.invalid/{number}", text.strip(b"\r\n"))


def test_documents_are_found_across_the_borders_of_blocks(tmp_path: Path) -> None:
    for shift in range(24):
        lead = b"<DOC><DOCNO>0</DOCNO>" + b"x" * (65536 - 40 + shift) + b"</DOC>\n"
        found = read(tmp_path / "f", lead + b"<DOC><DOCNO>1</DOCNO>y</DOC>", limit=100_000)
        assert [one.url[-1] for one in found if isinstance(one, Response)] == ["0", "1"]


@pytest.mark.parametrize("evil", [b"<TEXT>", b"<DOCHDR>", b"<DOCNO>", b"<DOCHDR>" + b" " * 200_000, b"<a", b"<DOC "])
def test_hostile_documents_take_linear_time(tmp_path: Path, evil: bytes) -> None:
    data = b"<DOC><DOCNO>A</DOCNO>" + evil * (2_000_000 // len(evil)) + b"</DOC>"
    assert len(read(tmp_path / "f", data, limit=3_000_000)) == 1
    assert effort(lambda: read(tmp_path / "f", data, limit=3_000_000), 4) < 4
