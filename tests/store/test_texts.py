"""Texts read for import."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from trasmallo.project.project import Project
from trasmallo.store import texts
from trasmallo.store.foreign import read_foreign
from trasmallo.store.stream import ByteStream
from trasmallo.store.text_formats import reader_for
from trasmallo.store.texts import read_conllu, read_json_lines, read_vertical, time_of
from trasmallo.values.model import PREPARED, Failure, PreparedText, Response


def prepared(found: Any) -> tuple[str, PreparedText]:
    assert isinstance(found, Response)
    assert found.header("Content-Type") == PREPARED
    return found.url, msgspec.json.decode(found.content, type=PreparedText)


def read(reader: Any, data: str) -> list[Any]:
    return list(reader(ByteStream(io.BytesIO(data.encode())), 1 << 20))


def test_json_lines_under_usual_names() -> None:
    lines = [
        '{"url": "http://a.es/1", "title": "T", "language": "es", "at": 5.5, "text": "uno\\ndos", "more": [1]}',
        "",
        '{"text": "solo", "id": "x/y", "title": null}',
        '{"text": ""}',
        '{"text": 3}',
        "nonsense",
    ]
    first, second, *broken = read(read_json_lines, "\n".join(lines))
    assert prepared(first) == ("http://a.es/1", PreparedText("uno\ndos", "T", "es"))
    assert first.at == 5.5
    assert prepared(second) == ("http://text.invalid/x%2Fy", PreparedText("solo"))
    assert [found.url for found in broken if isinstance(found, Failure)] == [
        "http://text.invalid/?line=5",
        "http://text.invalid/?line=6",
    ]


CONLLU = """\
# newdoc id = uno
# url = http://a.es/1
# fetched = 2026-11-16T07:00:00Z
# language = es
# title = Título = dos
# newpar
# sent_id = 1
1\tDe\tde\tADP\t_\t_\t_\t_\t_\t_
2-3\tdámelo\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
2\tda\tdar\tVERB\t_\t_\t_\t_\t_\t_
3\tmelo\tél\tPRON\t_\t_\t_\t_\t_\t_
3.1\tvacío\t_\t_\t_\t_\t_\t_\t_\t_
4\t.\t.\tPUNCT\t_\t_\t_\t_\t_\tSpaceAfter=No

# sent_id = 2
# text = Fin de línea
1\tFin\tfin\tNOUN\t_\t_\t_\t_\t_\t_

# newpar
# sent_id = 3
1\tOtra\totro\tDET\t_\t_\t_\t_\t_\t_

# newdoc
# sent_id = 4
1\tMás\tmás\tADV\t_\t_\t_\t_\t_\t_
"""


def test_conllu_with_multiword_tokens_paragraphs_and_documents() -> None:
    first, second = read(read_conllu, CONLLU)
    assert prepared(first) == ("http://a.es/1", PreparedText("De dámelo.Fin de línea\nOtra", "Título = dos", "es"))
    assert first.at == time_of("2026-11-16T07:00:00+00:00") > 1.7e9
    assert prepared(second)[1].text == "Más"


VERTICAL = """\
<doc id="x" url="http://a.es/?a=1&amp;b=2" title="&quot;T&quot;" language="es" date="2026-11-16">
<p>
<s>
¿\t¿\tPUNCT
<g/>
&lt;3\t<3\tX
<\t<\tX
</s>
<s>
&\t&\tX
</s>
</p>
<p>
<s>
fin\tfin\tNOUN
</s>
</p>
</doc>
<doc>
solo
</doc>
"""


def test_vertical_text_with_glue_and_words_that_look_like_tags() -> None:
    first, second = read(read_vertical, VERTICAL)
    assert prepared(first) == ("http://a.es/?a=1&b=2", PreparedText("¿<3 < &\nfin", '"T"', "es"))
    assert prepared(second)[1].text == "solo"


def test_documents_without_end_are_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(texts, "_MOST_CHARACTERS", 10)
    sentence = "1\tpalabra\t_\t_\t_\t_\t_\t_\t_\t_\n\n"
    found = read(read_conllu, sentence * 4)
    assert [prepared(one)[0] for one in found] == ["http://text.invalid/1", "http://text.invalid/1?part=2"]


@given(st.binary(max_size=200), st.sampled_from([b"{", CONLLU.encode()[:150], VERTICAL.encode()[:120], b"<TEI><text><p>"]))
def test_no_bytes_bring_a_reader_down(tail: bytes, start: bytes) -> None:
    reader = reader_for(start + b"\n1\ta\tb\tc\td\te\tf\tg\th\ti\n") or read_conllu
    try:
        for found in reader(ByteStream(io.BytesIO(start + tail)), 1 << 20):
            assert isinstance(found, Response | Failure)
    except Exception as error:
        assert type(error).__name__ == "BrokenError"


@pytest.mark.parametrize("kind", ["conllu", "vert", "tei", "jsonl"])
def test_our_own_exports_come_back_with_the_same_texts(finished: Project, tmp_path: Path, kind: str) -> None:
    wanted: dict[str, Any] = {}
    if kind == "jsonl":
        wanted = {"table": "texts", "columns": ["url", "title", "language", "text"], "where": ["drop="]}
    finished.export(kind, tmp_path / "out", **wanted)
    found = dict(map(prepared, read_foreign(tmp_path / "out")))
    rows = finished.table("texts", columns=["url", "title", "language", "text"], where=["drop="])
    assert set(found) == {row["url"] for row in rows}
    for row in rows:
        one = found[row["url"]]
        assert [" ".join(line.split()) for line in one.text.split("\n")] == _lines(row["text"])
        untitled = row["title"] == row["url"] and kind in ("conllu", "vert")  # the table names such pages by their addresses
        assert (one.title, one.language) == ("" if untitled else row["title"], row["language"])


def _lines(text: str) -> list[str]:
    return [line for line in (" ".join(line.split()) for line in text.split("\n")) if line]
