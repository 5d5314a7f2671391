from __future__ import annotations

import codecs

from trasmallo.clean.charsets import charset_name, codecs_by_name, decode_leniently, decode_strictly, is_ebcdic, is_wide


def test_every_encoding_has_a_codec_and_is_a_label_of_its_own() -> None:
    for name, codec in codecs_by_name().items():
        assert codecs.lookup(codec)
        assert charset_name(name) == name


def test_a_character_cut_off_at_the_end_is_dropped_and_a_wrong_one_is_not_read() -> None:
    assert decode_strictly("año".encode()[:-2], "utf-8") == "a"
    assert decode_strictly(b"a\xffo", "utf-8") is None
    assert decode_leniently(b"a\xffo", "utf-8") == "a\ufffdo"


def test_kinds_of_encodings() -> None:
    assert [name for name in codecs_by_name() if is_wide(name)] == ["utf-16be", "utf-16le", "utf-32be", "utf-32le"]
    assert is_ebcdic(charset_name("EBCDIC-CP-US"))
    assert not is_ebcdic(charset_name("cp866"))
