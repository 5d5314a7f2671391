"""Figures about words: how evenly they spread, what is typical of a corpus, how rich and how readable a text is."""
