"""Paths that repeat themselves."""

from __future__ import annotations

import pytest

from trasmallo.crawl.traps.repeats import repetition


@pytest.mark.parametrize(
    ("path", "cause"),
    [
        ("es/es/productos", ""),
        ("ab/cd/ab/cd", ""),
        ("ab/cd/ab/cd/ab/cd", "path repeats /ab/cd/ 3 times"),
        ("xx/ab/cd/ef/ab/cd/ef/ab/cd/ef/ab", "path repeats /ab/cd/ef/ 3 times"),
        ("ab/ab/ab", "path repeats /ab/ 3 times"),
        ("2011/11/11/11", ""),
        ("1/1/1/1/1/1", "path repeats /1/ 6 times"),
        ("0/0/0/0/0", ""),
        ("ab/c/ab/d/ab/e", ""),
        ("ab/c/ab/d/ab/e/ab", "path repeats /ab/ 4 times"),
        ("a//b//c", ""),
        ("a//////b", ""),
        ("a///////b", "path has 6 empty segments"),
    ],
)
def test_repetition(path: str, cause: str) -> None:
    assert repetition(path.split("/"), 3) == cause
