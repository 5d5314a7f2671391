"""What settings mean in Spanish."""

from __future__ import annotations

from trasmallo.config import Config
from trasmallo.config_text import describe_keys, render
from trasmallo.values.setting_texts import setting_texts


def test_every_key_and_section_is_said_in_spanish() -> None:
    keys = {f"{section}.{name}".lstrip(".") for section, name, _, _ in describe_keys()}
    sections = {f"[{section}]" for section, *_ in describe_keys() if section}
    assert set(setting_texts("es")) == keys | sections | {""}
    assert setting_texts("en") == {}


def test_the_comments_of_a_file_are_in_the_language_of_the_project() -> None:
    spanish, english = render(Config(language="es")), render(Config(language="en"))
    assert "# Qué pescar, y con cuánta cortesía.\n" in spanish
    assert "# What to catch, and how politely.\n" in english
    without = [line for line in spanish.splitlines() if not line.startswith("#") and "  # " not in line]
    same = [line for line in english.splitlines() if not line.startswith("#") and "  # " not in line]
    assert [one for one, other in zip(without, same, strict=True) if one != other] == ['language = "es"']
