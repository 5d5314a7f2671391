"""Corpus queries: what to look for in the tokens of a corpus, and where it is.

1. `parsing` reads a query (`syntax` says what it is made of; `expressions` are the regular ones inside it).
2. `conditions` turns what is asked of a token into truth values by type, on the lexicon and never on tokens.
3. `token_automaton` makes an automaton of the sequence, `evaluation` walks it from the rarest side over `columns`, some
   documents at a time, so that memory does not grow with the corpus or the number of hits.
"""
