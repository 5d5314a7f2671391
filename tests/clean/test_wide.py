from __future__ import annotations

import pytest

from trasmallo.clean.charsets import charset_name, codecs_by_name
from trasmallo.clean.decode import decode
from trasmallo.clean.formats.sniff import media_of
from trasmallo.clean.read import read
from trasmallo.clean.wide import wide_charset
from trasmallo.values.model import Drop

TEXTS = {
    "Spanish": "El niño comió una manzana en la montaña, según contó después su tía. ",
    "Hindi": "सभी मनुष्यों को गौरव और अधिकारों के मामले में जन्मजात स्वतन्त्रता और समानता प्राप्त है। ",
    "Punjabi": "ਸਾਰਾ ਮਨੁੱਖੀ ਪਰਿਵਾਰ ਆਪਣੀ ਮਹਿਮਾ ਸ਼ਾਨ ਅਤੇ ਹੱਕਾਂ ਦੇ ਪੱਖੋਂ ਜਨਮ ਤੋਂ ਹੀ ਆਜ਼ਾਦ ਹੈ ",
    "Chinese": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，一一并应以兄弟关系的精神相对待。\n",
    "Japanese": "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。\n",
    "Korean": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. ",
    "Russian": "Все люди рождаются свободными и равными в своем достоинстве и правах. ",
}
FORMS = {
    "text/plain": "{text}",
    "text/html": "<!DOCTYPE html>\n<html><body><p>{text}</p></body></html>",
    "application/xml": "<?xml version='1.0'?>\n<r><a>{text}</a></r>",
}
MARKS = {"utf-16le": b"\xff\xfe", "utf-16be": b"\xfe\xff", "utf-32le": b"\xff\xfe\0\0", "utf-32be": b"\0\0\xfe\xff"}


@pytest.mark.parametrize("size", [1, 40])
@pytest.mark.parametrize("charset", MARKS)
@pytest.mark.parametrize("language", TEXTS)
def test_utf16_and_utf32_of_any_script_are_read_with_and_without_a_mark(language: str, charset: str, size: int) -> None:
    for media, form in FORMS.items():
        document = form.format(text=TEXTS[language] * size)
        body = document.encode(codecs_by_name()[charset])
        for content, source in ((MARKS[charset] + body, "bom"), (body, "guess")):
            decoded = decode(content)
            assert (decoded.text, decoded.charset, decoded.source) == (document, charset, source)
            assert media_of(content, media) == media
            page = read(content, url="http://example.org/", media=media)
            assert TEXTS[language].strip() in page.text


@pytest.mark.parametrize("label", ["IBM037", "cp500", "ebcdic-cp-us", "IBM1140", "ibm273"])
def test_ebcdic_is_read_when_a_header_says_so(label: str) -> None:
    for media, form in FORMS.items():
        document = form.format(text=TEXTS["Spanish"])
        content = document.encode(codecs_by_name()[charset_name(label)])
        assert decode(content, label).text == document
        assert media_of(content, media, label) == media
        assert "según contó" in read(content, url="http://example.org/", media=media, http_charset=label).text


def test_xml_in_ebcdic_says_so_itself() -> None:
    document = "<?xml version='1.0' encoding='ebcdic-cp-be'?><r>según contó</r>"
    assert wide_charset(document.encode("cp500")) == ("ibm500", "xml", 0)
    assert wide_charset("<?xml version='1.0'?><r>según contó</r>".encode("cp037")) == ("ibm037", "xml", 0)


@pytest.mark.parametrize("label", ["utf-16", "utf-16be", "utf-32", "ibm037"])
@pytest.mark.parametrize(
    ("language", "codec"), [("Spanish", "cp1252"), ("Russian", "cp1251"), ("Chinese", "gbk"), ("Japanese", "cp932")]
)
def test_a_label_that_lies_is_not_believed_not_even_with_a_zero(language: str, codec: str, label: str) -> None:
    document = f"<html><head><meta charset={label}></head><body><p>{TEXTS[language] * 5}</p></body></html>"
    for at in (20, 21, 22):
        content = document.encode(codec)
        content = content[:at] + b"\0" + content[at:]
        for http in ("", label):
            assert decode(content, http).text == document[:at] + "\0" + document[at:]
            page = read(content, url="http://example.org/", media="text/html", http_charset=http)
            assert TEXTS[language].strip() in page.text


def test_wide_text_without_a_zero_is_read_when_a_header_says_so() -> None:
    content = TEXTS["Chinese"].strip().encode("utf-16-be")
    assert wide_charset(content, "utf-16be") == ("utf-16be", "http", 0)
    assert wide_charset(b"plain words", "utf-16be") == ("", "", 0)


def test_a_mark_of_utf16_before_a_zero_is_none_of_utf32() -> None:
    assert wide_charset(b"\xff\xfe\0\0" + "palabra".encode("utf-16-le"))[0] == "utf-16le"


@pytest.mark.parametrize("content", [bytes(range(256)) * 20, b"\x7fELF\2\1\1\0" + bytes(3_000), b"a\0" * 3 + bytes(500)])
def test_binary_files_are_no_text(content: bytes) -> None:
    assert wide_charset(content) == ("", "", 0)


def test_nonsense_is_dropped_with_its_cause_and_not_studied_as_chinese() -> None:
    content = b"\xff\xfe" + (f"<p>{TEXTS['Spanish'] * 9}</p>").encode("cp1252")
    page = read(content, url="http://example.org/", media="text/html")
    assert (page.drop, page.text) == (Drop.BROKEN, "")
    assert page.cause.startswith("it decodes to nonsense: ")
