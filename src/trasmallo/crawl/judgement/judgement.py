"""What an answer is found to be: content, or something else that stands where content should."""

from __future__ import annotations

from typing import NamedTuple

from trasmallo.values.model import Outcome


class Judgement(NamedTuple):
    """The outcome of asking, and its cause in words: "" when the answer is content."""

    outcome: Outcome
    cause: str
