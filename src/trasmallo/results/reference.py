"""Frequencies of words in a language in general (wordfreq), by the keys under which the study counts words."""

from __future__ import annotations

from collections.abc import Iterable

from trasmallo.study.tokenise import key
from trasmallo.values.errors import UsageError


def general_shares(language: str) -> dict[str, float]:
    """The share of each word among all words of a language; raises UsageError when nobody tells it."""
    try:
        from wordfreq import available_languages, get_frequency_dict
    except ImportError:
        raise UsageError("wordfreq is not installed", "install it with: pip install 'trasmallo[reference]'") from None
    if language not in available_languages():
        raise UsageError(
            "wordfreq has no frequencies for {language!r}",
            "choose one of {languages}",
            language=language,
            languages=", ".join(sorted(available_languages())),
        )
    return added((key(word), share) for word, share in get_frequency_dict(language, "best").items())


def added(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    """The sum of the counts of each name."""
    found: dict[str, float] = {}
    for name, count in pairs:
        found[name] = found.get(name, 0.0) + count
    return found
