"""German: words written together."""
