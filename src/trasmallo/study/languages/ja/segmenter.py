"""Words in runs of Japanese characters, found by MeCab with unidic-lite (fugashi; the extra `cjk`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable


def segmenter() -> Callable[[str], Iterable[str]]:
    """Who cuts a run into words."""
    import fugashi

    tagger = fugashi.Tagger()
    return lambda run: (word.surface for word in tagger(run))
