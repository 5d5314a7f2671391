"""Judgement on every answer: content, blocked, a challenge, a log-in, a soft 404, an error, or nothing."""

from trasmallo.crawl.judgement.judge import judge
from trasmallo.crawl.judgement.judgement import Judgement
from trasmallo.crawl.judgement.probing import AnswerJudge

__all__ = ["AnswerJudge", "Judgement", "judge"]
