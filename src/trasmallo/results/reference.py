"""Frequencies of words in a language in general, by the keys under which the study counts words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from trasmallo.study.general_frequencies import counted_languages, is_counted, shares_of_words
from trasmallo.study.tokenise import key
from trasmallo.values.errors import UsageError


@lru_cache(maxsize=2)
def own_shares(language: str) -> Mapping[str, float]:
    """The share of each word among all words of a language, by the list that trasmallo brings; UsageError where it has none."""
    if not is_counted(language):
        raise UsageError(
            "trasmallo brings no frequencies for {language!r}",
            "choose one of {languages}, or wordfreq:CODE",
            language=language[:40],
            languages=", ".join(counted_languages()),
        )
    return added((key(word), share) for word, share in shares_of_words(language))


def general_shares(language: str) -> dict[str, float]:
    """The share of each word among all words of a language, by wordfreq; raises UsageError when nobody tells it."""
    try:
        from wordfreq import available_languages, get_frequency_dict
    except ImportError:
        raise UsageError(
            "wordfreq is not installed", "install it with: pip install 'trasmallo[reference]'; general:es needs nothing"
        ) from None
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
