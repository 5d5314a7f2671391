"""Arabic: affixes that are written together with the word."""
