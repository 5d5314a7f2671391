"""Morphemes in runs of Korean characters, found by kiwipiepy (the extra `cjk`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def segmenter() -> Callable[[str], Iterable[str]]:
    """Who cuts a run into morphemes; a syllable may belong to two of them (갔다: 가, 았, 다), and then is one word."""
    import kiwipiepy

    kiwi = kiwipiepy.Kiwi()
    return lambda run: _apart(run, ((token.start, token.start + token.len) for token in kiwi.tokenize(run)))


def _apart(run: str, spans: Iterable[tuple[int, int]]) -> Iterator[str]:
    """The words at places in order, without those that begin inside another; what lies between them is a word too."""
    done = 0
    for low, high in sorted(spans):
        if low < done or high <= low:
            continue
        if low > done:
            yield run[done:low]
        yield run[low:high]
        done = high
    if done < len(run):
        yield run[done:]
