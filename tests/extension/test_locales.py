"""Every language of the extension is complete, and every message is used."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

EXTENSION = Path(__file__).resolve().parent.parent.parent / "extension"
LANGUAGES = ("en", "es", "fr", "it", "pl", "pt")
OUTCOMES = {"send_done", "send_elsewhere", "send_refused", "send_wrong", "send_silent"}
"""Messages that project.js names and the panel says."""


def messages(language: str) -> dict[str, str]:
    text = (EXTENSION / "_locales" / language / "messages.json").read_text(encoding="utf-8")
    return {key: entry["message"] for key, entry in json.loads(text).items()}


def sources(pattern: str) -> str:
    paths = [path for path in EXTENSION.rglob(pattern) if not {"vendor", "core"} & set(path.parts)]
    return "\n".join(path.read_text(encoding="utf-8") for path in sorted(paths))


def used() -> set[str]:
    html, scripts = sources("*.html"), sources("*.js")
    manifest = (EXTENSION / "manifest.json").read_text(encoding="utf-8")
    criterion = (EXTENSION / "core" / "criterion.js").read_text(encoding="utf-8")
    codes = {f"error_{code.replace('-', '_')}" for code in re.findall(r'refuse\(\s*"([a-z-]+)"', criterion)}
    codes |= {f"error_{code.replace('-', '_')}" for code in re.findall(r'\? "([a-z]+-[a-z-]+)" : "empty"', criterion)}
    related = (EXTENSION / "core" / "related_words.js").read_text(encoding="utf-8")
    codes |= {f"related_{code}" for code in re.findall(r'new Unreadable\("([a-z]+)"', related)}
    said = set(re.findall(r'(?:say|tell|complain)\("([a-z_]+)"', scripts))
    said |= {key for either in re.findall(r'say\([^"()]*\? "([a-z_]+)" : "([a-z_]+)"', scripts) for key in either}
    return (
        set(re.findall(r'data-say(?:-[a-z-]+)?="([a-z_]+)"', html))
        | said
        | set(re.findall(r"__MSG_([a-z_]+)__", manifest))
        | codes
        | OUTCOMES
        | {"error_empty"}
    )


def test_there_are_exactly_these_languages() -> None:
    assert sorted(path.name for path in (EXTENSION / "_locales").iterdir()) == sorted(LANGUAGES)


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_has_every_message(language: str) -> None:
    english, other = messages("en"), messages(language)
    assert list(other) == list(english)
    for key, text in other.items():
        assert text.strip() == text != "", key
        assert sorted(re.findall(r"\$\d", text)) == sorted(re.findall(r"\$\d", english[key])), key
    assert other["language"] == language


def test_what_is_said_is_there_and_what_is_there_is_said() -> None:
    assert sorted(used() - set(messages("en"))) == [], "said and missing"
    assert sorted(set(messages("en")) - used()) == [], "there and never said"


@pytest.mark.parametrize("language", LANGUAGES)
def test_stores_accept_name_and_description(language: str) -> None:
    found = messages(language)
    assert len(found["name"]) <= 45
    assert len(found["description"]) <= 132


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_few_messages_are_left_in_english(language: str) -> None:
    english, other = messages("en"), messages(language)
    same = {key for key in english if english[key] == other[key] and len(english[key]) > 12}
    assert same == set()
