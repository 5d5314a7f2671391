"""What a project file may say, where a type cannot tell."""

from __future__ import annotations

import pytest

from trasmallo.values.errors import ConfigError
from trasmallo.values.project_checks import (
    canonical_all,
    check_language,
    check_languages,
    check_secret,
    trouble_with,
    trouble_with_place,
)
from trasmallo.values.urls import LONGEST


def test_languages_are_codes() -> None:
    check_languages(("es", "spa"), "trasmallo.toml")
    with pytest.raises(ConfigError, match=r"trasmallo\.toml: `clean\.languages` has 'español', which is no code") as refused:
        check_languages(("es", "español"), "trasmallo.toml")
    with pytest.raises(ConfigError, match="has 'zz', which is no code"):
        check_languages(("es", "zz"), "trasmallo.toml")
    check_language("hr", "trasmallo.toml")
    with pytest.raises(ConfigError, match="`language` is 'xx', which is no code of a language"):
        check_language("xx", "trasmallo.toml")
    assert "such as es or en" in refused.value.repair


@pytest.mark.parametrize("address", ["postgresql://me:secret@host/db", "host=a password = b"])
def test_no_password_stands_in_a_project_file(address: str) -> None:
    with pytest.raises(ConfigError, match="has a password in it") as refused:
        check_secret(address, "trasmallo.toml")
    assert "secret" not in str(refused.value)


def test_addresses_without_a_password_are_taken() -> None:
    for address in ("", "postgresql://me@host:5432/db", "host=a user=b"):
        check_secret(address, "trasmallo.toml")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "every address"),
        (" ", "every address"),
        ("$", "every address"),
        ("a\tb", "no address"),
        ("a" * (LONGEST + 1), "longer"),
    ],
)
def test_a_text_that_addresses_are_compared_with(text: str, problem: str) -> None:
    trouble = trouble_with(text)
    assert trouble is not None
    assert problem in str(trouble.problem)
    assert str(trouble.repair)
    assert trouble_with("/blog/") is None


def test_a_place_is_a_host_or_a_network() -> None:
    assert trouble_with_place("10.0.0.0/8") is None
    assert trouble_with_place("*.intranet.example") is None
    trouble = trouble_with_place("10.0.0.0/99")
    assert trouble is not None
    assert "no host and no network" in str(trouble.problem)


def test_addresses_are_kept_once() -> None:
    assert canonical_all(("https://A.example", "https://a.example/")) == ("https://a.example/",)
