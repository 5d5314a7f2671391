from __future__ import annotations

import random

import pytest

from support.bad_texts import NONSENSE, TEXTS, WATER
from trasmallo.clean.nonsense import legible, nonsense, strangeness

TEXT = {
    "Arabic": "يولد جميع الناس أحراراً متساوين في الكرامة والحقوق. وقد وهبوا عقلاً وضميراً. ",
    "Chinese": "人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。",
    "Chinese of Taiwan": "人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。",
    "classical Chinese": "道可道，非常道。名可名，非常名。無名天地之始；有名萬物之母。故常無欲以觀其妙，常有欲以觀其徼。",
    "Czech": "Všichni lidé se rodí svobodní a sobě rovní co do důstojnosti a práv. Příliš žluťoučký kůň úpěl. ",
    "Icelandic": "Hver maður er borinn frjáls og jafn öðrum að virðingu og réttindum. Þeir eru gæddir vitsmunum. ",
    "Japanese": "すべての人間は、生れながらにして自由であり、かつ、尊厳と権利とについて平等である。",
    "Korean": "모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 ",
    "Russian": "Все люди рождаются свободными и равными в своем достоинстве и правах. Они наделены разумом. ",
    "Spanish": "Todos los seres humanos nacen libres e iguales en dignidad y derechos y, dotados como están de razón, ",
    "Thai": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกันในเกียรติศักดิ์และสิทธิ ต่างมีเหตุผลและมโนธรรม ",
    "Yoruba": "Gbogbo ènìyàn ni a bí ní òmìnira; iyì àti ẹ̀tọ́ kọ̀ọ̀kan sì dọ́gba. Wọ́n ní ẹ̀bùn làákàyè. ",
    "icons": "Inicio \ue001 Buscar \ue002 Contacto \ue003 La red quedó en el muelle, según dijo ayer la pescadora. ",
    "lost letters": "La ni\ufffda comi\ufffd una manzana en la monta\ufffda, seg\ufffdn cont\ufffd su t\ufffda. ",
}  # fmt: skip
"""Texts that are studied."""
ENCODED = {
    "Arabic": "cp1256", "Chinese": "gbk", "Chinese of Taiwan": "big5", "Czech": "cp1250", "Japanese": "cp932",
    "Korean": "cp949", "Russian": "cp1251", "Spanish": "cp1252", "Thai": "cp874",
}  # fmt: skip


@pytest.mark.parametrize("name", TEXT)
def test_what_people_write_is_a_text(name: str) -> None:
    assert nonsense(TEXT[name] * 9) == ""
    assert legible(TEXT[name])


@pytest.mark.parametrize("order", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("name", ENCODED)
def test_what_was_read_as_utf16_and_is_none(name: str, order: str) -> None:
    wrong = (TEXT[name] * 9).encode(ENCODED[name]).decode(order, "replace")
    assert nonsense(wrong).startswith("it decodes to nonsense: ")
    assert not legible(wrong)


@pytest.mark.parametrize("name", ["Arabic", "Chinese", "Japanese", "Korean", "Russian", "Thai"])
def test_another_script_read_as_windows_1252(name: str) -> None:
    assert nonsense((TEXT[name] * 9).encode(ENCODED[name]).decode("cp1252", "replace"))
    assert nonsense((TEXT[name] * 9).encode().decode("cp1252", "replace"))


@pytest.mark.parametrize("codec", ["cp1252", "koi8-r", "mac_roman", "utf-8", "utf-16-le", "gb18030", "big5"])
def test_random_bytes_are_no_text(codec: str) -> None:
    assert nonsense(random.Random(1).randbytes(10_000).decode(codec, "replace"))


def test_of_the_odd_texts_only_control_characters_and_lost_ones_are_nonsense() -> None:
    assert {name for name, make in TEXTS.items() if nonsense(make(5_000))} == NONSENSE
    assert nonsense("\ufffd" * 100 + "La red de pesca. ")


def test_a_hundred_languages_and_scripts_at_once_are_legible() -> None:
    assert legible(WATER)


def test_what_is_too_short_is_not_judged() -> None:
    assert nonsense("\ufffd" * 49) == ""
    assert nonsense("\ufffd" * 50)
    assert strangeness("") == (0.0, 0)
    assert not legible("")
