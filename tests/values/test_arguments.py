from __future__ import annotations

import pytest

from trasmallo.values.arguments import checked_text
from trasmallo.values.errors import UsageError


def test_texts_pass() -> None:
    assert checked_text("", "word") == ""


@pytest.mark.parametrize(("value", "named"), [(None, "NoneType"), (b"casa", "bytes"), (3, "int")])
def test_what_is_no_text_is_refused_by_its_name(value: object, named: str) -> None:
    with pytest.raises(UsageError, match=f"^`word` cannot be `{named}`: give `str`$"):
        checked_text(value, "word")
