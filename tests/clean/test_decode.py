from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from trasmallo.clean.decode import charset_name, declared, decode, decode_page

SPANISH = "El niño comió una manzana en la montaña, según contó después su tía; mañana volverá. " * 4
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. " * 6
JAPANESE = "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。" * 6
GREEK = "Όλοι οι άνθρωποι γεννιούνται ελεύθεροι και ίσοι στην αξιοπρέπεια και τα δικαιώματα. "
CZECH = "Všichni lidé se rodí svobodní a sobě rovní co do důstojnosti a práv. Příliš žluťoučký kůň. "
KOREAN = "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. " * 4
CHINESE = "人人生而自由，在尊严和权利上一律平等。" * 4
BURMESE = "လူတိုင်းသည် တူညီ လွတ်လပ်သော ဂုဏ်သိက္ခာဖြင့် လည်းကောင်း မွေးဖွားလာသူများ ဖြစ်သည်။ က ကာ\n" * 4
ALBANIAN = "Të gjithë njerëzit lindin të lirë dhe të barabartë në dinjitet e në të drejta, siç është çdo gjë. " * 4


@pytest.mark.parametrize(
    ("label", "name"),
    [(" UTF8 ", "utf-8"), ("latin1", "windows-1252"), ("ISO-8859-9", "windows-1254"), ("sjis", "shift_jis"), ("utf-7", "")],
)
def test_labels_are_those_of_the_standard(label: str, name: str) -> None:
    # ISO-8859-9 has a name of its own in no browser: all of them read windows-1254.
    assert charset_name(label) == name


@pytest.mark.parametrize(
    ("body", "http", "charset", "source"),
    [
        (b"\xef\xbb\xbf" + SPANISH.encode(), "iso-8859-1", "utf-8", "bom"),
        (b"\xff\xfe" + SPANISH.encode("utf-16-le"), "", "utf-16le", "bom"),
        (b"\xfe\xff" + SPANISH.encode("utf-16-be"), "", "utf-16be", "bom"),
        (SPANISH.encode("latin-1"), "iso-8859-1", "windows-1252", "http"),
        (b"<meta charset=latin1>" + SPANISH.encode("latin-1"), "", "windows-1252", "meta"),
        (b'<?xml version="1.0" encoding="koi8-r"?>' + RUSSIAN.encode("koi8-r"), "", "koi8-r", "xml"),
        (SPANISH.encode(), "", "utf-8", "utf-8"),
        (b"<meta charset=latin1>" + SPANISH.encode(), "windows-1251", "utf-8", "utf-8"),
        (b"<meta charset=utf-8>" + SPANISH.encode(), "", "utf-8", "meta"),
        (SPANISH.encode("utf-16-le"), "utf-16le", "utf-16le", "http"),
        (SPANISH.encode("latin-1"), "utf-8", "windows-1252", "guess"),
        (RUSSIAN.encode("windows-1251"), "", "windows-1251", "guess"),
        (JAPANESE.encode("shift_jis"), "", "shift_jis", "guess"),
        (JAPANESE.encode("iso2022_jp"), "", "iso-2022-jp", "guess"),
        (JAPANESE.encode("iso2022_jp"), "utf-8", "iso-2022-jp", "guess"),
        (b"<meta charset=utf-8>" + KOREAN.encode("iso2022_kr"), "", "iso-2022-kr", "guess"),
        (CHINESE.encode("hz"), "utf-8", "hz-gb-2312", "guess"),
        (CHINESE.encode("hz"), "hz-gb-2312", "hz-gb-2312", "http"),
        (RUSSIAN.encode("utf-16-le"), "", "utf-16le", "guess"),
        (BURMESE.encode("utf-16-le"), "", "utf-16le", "guess"),
        (BURMESE.encode("utf-16-be"), "utf-16be", "utf-16be", "http"),
        (ALBANIAN.encode("latin-1"), "", "windows-1252", "guess"),
    ],
)
def test_who_decides(body: bytes, http: str, charset: str, source: str) -> None:
    decoded = decode(body, http)

    assert (decoded.charset, decoded.source, decoded.replaced) == (charset, source, 0)
    assert any(sample in decoded.text for sample in (SPANISH, RUSSIAN, JAPANESE, KOREAN, CHINESE, BURMESE, ALBANIAN))


def test_a_label_that_cannot_be_true_for_ascii_is_dropped() -> None:
    assert decode(b"plain words", "utf-16le").text == "plain words"


def test_a_few_zeros_do_not_make_utf16() -> None:
    body = SPANISH.encode()[:300] + b"\0\0" + SPANISH.encode()

    assert decode(body).charset == "utf-8"
    assert decode(b"plain\0words " * 20).charset == "utf-8"
    assert decode(b"\0\0\0\0\xff\xfe\xfd").source == "guess"


@pytest.mark.parametrize("text", ["\x1b[31mred\x1b[0m", "a~{b} ~{xy~}", "~/home ~{ ~}", "\x1b$B no"])
def test_what_looks_like_an_escape_but_is_none(text: str) -> None:
    decoded = decode(text.encode())

    assert (decoded.text, decoded.charset) == (text, "utf-8")


@pytest.mark.parametrize(
    ("text", "codec"), [(RUSSIAN, "koi8-r"), (SPANISH, "latin-1"), (GREEK, "iso8859-7"), (CZECH, "cp1250")]
)
def test_scripts_and_menus_are_not_taken_for_the_language(text: str, codec: str) -> None:
    menu = "<script>function go(x) { return x + 1 }</script><a href='/about'>About us</a>\n" * 200
    page = f"<html><body>{menu}<p>{text}</p>{menu}</body></html>"

    assert decode(page.encode(codec)).text == page


def test_letters_that_a_language_never_has_correct_the_guess() -> None:
    romanian = "Toate ființele umane se nasc libere și egale în demnitate și în drepturi; „așa este”, spun ei. " * 6
    estonian = "Kõik inimesed sünnivad vabadena ja võrdsetena oma väärikuselt ja õigustelt; žürii, šokolaad, garaažis. " * 6

    assert decode(romanian.encode("iso8859_16")).text == romanian
    assert decode(estonian.encode("iso8859_15")).text == estonian


def test_a_character_cut_off_at_the_end_does_not_change_the_encoding() -> None:
    decoded = decode(("mañana " * 20 + "añ").encode()[:-1])

    assert (decoded.charset, decoded.text[-3:]) == ("utf-8", "a a")


def test_one_broken_byte_in_much_utf8_is_replaced_and_counted() -> None:
    decoded = decode(SPANISH.encode() + b"\xff" + SPANISH.encode(), "utf-8")

    assert (decoded.charset, decoded.replaced) == ("utf-8", 1)
    assert decoded.text.count("niño") == 8


def test_a_long_ascii_head_does_not_hide_the_text() -> None:
    decoded = decode(b"var x = 1;\n" * 20_000 + RUSSIAN.encode("windows-1251"))

    assert decoded.text.endswith(RUSSIAN)


@pytest.mark.parametrize(
    ("head", "charset"),
    [
        (b'<META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=windows-1251">', "windows-1251"),
        (b"<meta content='text/html;charset=\"big5\"' http-equiv=content-type>", "big5"),
        (b"<!-- <meta charset=koi8-r> --><meta charset=gbk>", "gbk"),
        (b'<p title="<meta charset=koi8-r>"><meta charset=gbk>', "gbk"),
        (b"<!--><meta charset=gbk>-->", "gbk"),
        (b"<meta charset=utf-16>", "utf-8"),
        (b"<meta charset=x-user-defined>", "windows-1252"),
        (b'<meta content="text/html; charset=gbk">', ""),
        (b"<metal charset=gbk>", ""),
        (b"<meta charset=nonsense><meta charset=gbk>", "gbk"),
        (b" " * 1020 + b"<meta charset=gbk>", ""),
        (b"<!-- never closed <meta charset=gbk>", ""),
    ],
)
def test_the_prescan(head: bytes, charset: str) -> None:
    assert declared(head)[0] == charset


@given(st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\x1b")))
def test_decoding_what_was_encoded_gives_it_back(text: str) -> None:
    # A byte order mark is no part of the text.
    assert decode(text.encode()).text == text.removeprefix("\ufeff")


@settings(deadline=None)
@given(
    st.binary(max_size=300),
    st.sampled_from(["", "utf-8", "latin1", "utf-16", "shift_jis", "hz-gb-2312", "x-user-defined", "?"]),
)
def test_any_bytes_are_read(body: bytes, http: str) -> None:
    decoded = decode(body, http)

    assert decoded.replaced >= 0
    assert charset_name(decoded.charset)


@pytest.mark.parametrize("codec", ["gbk", "gb18030"])
def test_a_label_with_one_broken_byte_in_its_text_is_kept(codec: str) -> None:
    content = CHINESE.encode(codec) * 3
    broken = content + b"\xff\xff<p>" + content
    decoded = decode(broken, codec)

    assert (decoded.charset, decoded.source, decoded.replaced) == (codec, "http", 2)
    assert decoded.text.count(CHINESE) == 6
    assert decode(f"<meta charset={codec}>".encode() + broken).source == "meta"


def test_a_page_is_its_text_and_the_charset_it_was_in() -> None:
    assert decode_page("año".encode("latin-1"), "iso-8859-1") == ("año", "windows-1252")
