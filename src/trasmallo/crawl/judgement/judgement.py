"""What an answer is found to be: content, or something else that stands where content should."""

from __future__ import annotations

from typing import NamedTuple

from trasmallo.values.model import Outcome


class Judgement(NamedTuple):
    """The outcome of asking, and its cause in words: "" when the answer is content."""

    outcome: Outcome
    cause: str


CONTENT = Judgement(Outcome.FETCHED, "")
"""What an answer is that is what it seems."""


def rendered_as(why: str, judged: Judgement) -> Judgement:
    """The judgement on a page after its scripts were run, or were to be; content says why."""
    return Judgement(judged.outcome, why) if judged == CONTENT and why else judged
