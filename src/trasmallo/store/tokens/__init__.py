"""The tokens of a corpus as columns of small integers, mapped into memory.

1. A worker process gives the tokens of its documents to a `Builder`, which writes one file into its part.
2. `merge` makes one file of several, streaming: small parts become larger ones, and the parts of a finished run its corpus.
   The same documents give the same bytes, in whatever parts they arrived.
3. `Corpus` reads such a file; `open_merged` reads several as if they were one, while the run goes on.

Distinct combinations of word, lemma, category, tag and language are *types*; all but the category of a token, which has a
column of its own, is read through its type. So a document may be in several languages, and a token's costs nothing.
A token takes 6 bytes: 3 for its type (2 up to 65,536 types), 1 for its category, 1 for its flags, 1 for its place in the text.
A finished corpus has 4 more for the positions by type: a section of its own, which readers that do not know it pass over. Types
are in the order of their words, so it is one by word, too.
"""

from __future__ import annotations

from trasmallo.store.tokens.builder import Builder
from trasmallo.store.tokens.corpus import Column, Corpus, Documents, open_merged
from trasmallo.store.tokens.document import CAPITAL, KIND_SHIFT, SENTENCE, DocumentTokens
from trasmallo.store.tokens.lexicon import Lexicon
from trasmallo.store.tokens.merging import merge

__all__ = [
    "CAPITAL",
    "KIND_SHIFT",
    "SENTENCE",
    "Builder",
    "Column",
    "Corpus",
    "DocumentTokens",
    "Documents",
    "Lexicon",
    "merge",
    "open_merged",
]
