"""What a value must be, in words that people understand."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
import pytest
from msgspec import Meta

from trasmallo.values.expectations import expected
from trasmallo.values.messages import Message

YEAR = Message("four digits")


@pytest.mark.parametrize(
    ("kind", "value", "wanted"),
    [
        (int, "x", "a whole number"),
        (Annotated[int, Meta(ge=1)], 0, "a whole number of at least 1"),
        (Annotated[int, Meta(le=5)], 6, "a whole number of at most 5"),
        (Annotated[float, Meta(gt=0)], 0.0, "a number greater than 0"),
        (Annotated[float, Meta(lt=0.5)], 1.0, "a number less than 0.5"),
        (float, "x", "a number"),
        (str, 3, "a text"),
        (bool, 3, "true or false"),
        (tuple[str, ...], "x", "a list"),
        (dict[str, int], 3, "a section"),
        (Annotated[str, Meta(max_length=3)], "abcd", "a text with at most 3 characters or items"),
        (Annotated[tuple[str, ...], Meta(min_length=1)], [], "a list with at least 1 characters or items"),
        (Annotated[str, Meta(pattern=r"^\d{4}$")], "x", "four digits"),
        (Annotated[str, Meta(pattern="^a$")], "x", "a text"),
        (bytes, 3, "something else"),
    ],
)
def test_in_words(kind: Any, value: object, wanted: str) -> None:
    with pytest.raises(msgspec.ValidationError) as told:
        msgspec.convert(value, kind)
    assert expected(str(told.value), {r"^\d{4}$": YEAR}) == wanted
