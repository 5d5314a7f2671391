"""What a page is found to be after its scripts."""

from __future__ import annotations

from trasmallo.crawl.judgement.judgement import CONTENT, Judgement, rendered_as
from trasmallo.values.model import Outcome


def test_content_says_why_it_was_rendered_and_what_is_none_keeps_its_own_cause() -> None:
    assert rendered_as("rendered: little text", CONTENT) == Judgement(Outcome.FETCHED, "rendered: little text")
    assert rendered_as("", CONTENT) == CONTENT
    challenge = Judgement(Outcome.CHALLENGE, "a captcha")
    assert rendered_as("rendered: little text", challenge) == challenge
