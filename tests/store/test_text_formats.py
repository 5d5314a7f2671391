"""Formats of prepared texts are told by their first bytes."""

from __future__ import annotations

from trasmallo.store.tei import read_tei
from trasmallo.store.text_formats import reader_for
from trasmallo.store.texts import read_conllu, read_json_lines, read_vertical


def test_each_kind_is_known_by_its_first_bytes() -> None:
    assert reader_for(b'{"text": 1}') is read_json_lines
    assert reader_for(b"# sent_id = 1\n1\tLa\tel\tDET\t_\t_\t_\t_\t_\t_\n") is read_conllu
    assert reader_for(b'<doc id="1">\n<s>\nLa\tel\tDET\n') is read_vertical
    assert reader_for(b'<?xml version="1.0"?>\n<!-- x --><TEI xmlns="x">') is read_tei
    for other in (b"", b"# Markdown\n\ntext", b"<html>", b"1\tx\n", b"plain", b"<p>\n<b>x</b>"):
        assert reader_for(other) is None
