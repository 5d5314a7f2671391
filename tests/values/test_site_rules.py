"""Rules of a project for single sites."""

from __future__ import annotations

import pytest

from trasmallo.values.site_rules import SiteRules, read_rule


def test_the_last_rule_that_names_a_site_wins() -> None:
    rules = SiteRules("auto", ["*.example.org never", "app.example.org always", "old.example hash"])
    assert [
        rules.wish(f"https://{host}/x") for host in ("a.example.org", "example.org", "app.example.org", "other.example")
    ] == [
        "never",
        "never",
        "always",
        "auto",
    ]
    assert rules.wish("https://old.example/") == "auto"
    assert rules.keeps_fragments("https://old.example/#!/a")
    assert not rules.keeps_fragments("https://app.example.org/")


@pytest.mark.parametrize(
    "text",
    ["", "example.org", "example.org sometimes", "a b c", "a decline", "a never x", "https://a.example/ never", "*. never"],
)
def test_what_is_no_rule(text: str) -> None:
    assert read_rule(text) is None


def test_a_rule_names_what_declines_a_wall() -> None:
    rules = SiteRules("auto", ["*.example.org decline #box button.no", "example.org never"])
    assert rules.decline("https://a.example.org/x") == ("#box button.no",)
    assert rules.decline("https://other.example/") == ()
    assert rules.wish("https://a.example.org/") == "auto"
