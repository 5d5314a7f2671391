"""Where documents are kept: raw answers in WARC files, rows by URL in a catalog."""
