"""Which edition of a lexicon words were looked for in: who judges again later sees what the judgement was made against."""

from __future__ import annotations

from importlib import metadata

from trasmallo.study import languages
from trasmallo.study.morphology.compilation import digest_of
from trasmallo.study.morphology.lexicon_files import settings
from trasmallo.values.errors import ProjectError

_DIGITS = 8
"""Digits of the digest that are told. Judgement: no two editions of one lexicon share them."""


def edition_of(language: str) -> str:
    """The package of a language's lexicon, its version, and a digest of it with our own lists; "" where there is no lexicon."""
    code = languages.choose(language)
    package = settings(code).package
    try:
        digest = digest_of(code) if package else ""
    except ProjectError:  # it is not installed
        return ""
    return f"{package} {metadata.version(package)} ({digest[:_DIGITS]})" if digest else ""
