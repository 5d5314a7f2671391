"""Words that nobody lists: what stands around them, how they may be derived, and which kind of word they are."""
