"""Judgement on every answer: content, blocked, a challenge, a log-in, a soft 404, an error, or nothing."""

from trasmallo.crawl.judgement.judge import judge
from trasmallo.crawl.judgement.judgement import CONTENT, Judgement, rendered_as
from trasmallo.crawl.judgement.probing import AnswerJudge

__all__ = ["CONTENT", "AnswerJudge", "Judgement", "judge", "rendered_as"]
