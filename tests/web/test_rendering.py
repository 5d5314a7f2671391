"""How answers are shown, and the templates that show them."""

from __future__ import annotations

import pytest

from trasmallo.web.rendering import HERE, day, plain, size


def test_templates_have_lines_that_people_can_read() -> None:
    long = [
        f"{path.name}:{number}"
        for path in sorted((HERE / "templates").glob("*.html"))
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if len(line) >= 160
    ]
    assert long == []


def test_texts_of_strangers_stay_on_one_line() -> None:
    assert plain("a\u202eb\nc") == "a b c"
    assert plain("x" * 400) == "x" * 300 + "…"
    assert plain("abcdef", 3) == "abc…"


@pytest.mark.parametrize(("octets", "shown"), [(0, "0 B"), (999, "999 B"), (1_500, "1.5 kB"), (2e15, "2000.0 TB")])
def test_sizes(octets: float, shown: str) -> None:
    assert size(octets) == shown


def test_no_time_is_no_text() -> None:
    assert day(0) == ""
