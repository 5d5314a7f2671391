"""The words of a run as they follow each other in its documents, for who measures with them."""

from __future__ import annotations

import numpy as np

from trasmallo.results.run_corpus import open_corpus
from trasmallo.store.run_folders import Run
from trasmallo.store.tokens import KIND_SHIFT
from trasmallo.study.patterns import ALPHABETIC

_AT_ONCE = 1 << 18  # judgement: tokens looked at together


def words_in(run: Run, language: str, most: int) -> list[str]:
    """The first alphabetic words of a language, at most so many; documents are in the order of their ids."""
    corpus, found = open_corpus(run), list[str]()
    languages, spoken = corpus.languages
    if language not in languages:
        return found
    texts, of_type = corpus.strings("word").all_texts(), corpus.type_of("word")
    for begin in range(0, len(corpus.flags), _AT_ONCE):
        here = slice(begin, begin + _AT_ONCE)
        types = np.asarray(corpus.types(here))
        wanted = (corpus.flags[here] >> KIND_SHIFT == ALPHABETIC) & (spoken[types] == languages.index(language))
        found += map(texts.__getitem__, of_type[types[wanted]].tolist())
        if len(found) >= most:
            break
    return found[:most]
