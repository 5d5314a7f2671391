"""Errors: one line, problem then repair, and the same after a trip between processes."""

from __future__ import annotations

import errno
import pickle
from pathlib import Path

import pytest

from trasmallo.values import errors
from trasmallo.values.errors import ConfigError, NotFound, StoreFull, TrasmalloError, disk_errors


def all_errors(root: type[TrasmalloError] = TrasmalloError) -> list[type[TrasmalloError]]:
    return [root, *(found for child in root.__subclasses__() for found in all_errors(child))]


def test_the_docstring_draws_the_whole_tree() -> None:
    assert errors.__doc__ is not None
    for error in all_errors():
        assert f" {error.__name__} " in errors.__doc__ or f"{error.__name__} " in errors.__doc__, error


def test_the_repair_comes_last() -> None:
    error = ConfigError("the file is gone", "write it again")
    assert str(error) == "the file is gone: write it again"
    assert error.exit_code == 2


@pytest.mark.parametrize("kind", all_errors())
def test_errors_travel_between_processes(kind: type[TrasmalloError]) -> None:
    back = pickle.loads(pickle.dumps(kind("a", "b")))
    assert type(back) is kind
    assert (back.problem, back.repair) == ("a", "b")


def test_an_error_says_its_codes_and_arguments() -> None:
    error = pickle.loads(pickle.dumps(NotFound("there is no run {name!r}", "choose one of {runs}", name="x", runs="a, b")))
    assert (error.problem, error.repair) == ("there is no run 'x'", "choose one of a, b")
    assert [(message.code, message.arguments) for message in error.said] == [
        ("there is no run {name!r}", {"name": "x"}),
        ("choose one of {runs}", {"runs": "a, b"}),
    ]
    assert type(error.problem) is str, "it can be stored and sent like any text"


def test_an_error_that_quotes_another() -> None:
    inner = ConfigError("{text!r} is no word", "write letters", text="1")
    outer = ConfigError("line {n}: {problem}", inner.said.repair, n=3, problem=inner.said.problem)
    assert str(outer) == "line 3: '1' is no word: write letters"
    assert outer.message.arguments["problem"] == "line 3: '1' is no word"


def test_a_full_disk_gets_its_repair() -> None:
    with pytest.raises(StoreFull, match=r"cannot write /x: the disk is full: free some space"), disk_errors(Path("/x")):
        raise OSError(errno.ENOSPC, "No space left on device")


def test_other_errors_of_the_system_stay_what_they_are() -> None:
    with pytest.raises(ConnectionResetError), disk_errors(Path("/x")):
        raise ConnectionResetError(errno.ECONNRESET, "reset")
