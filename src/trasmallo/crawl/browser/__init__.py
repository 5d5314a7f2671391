"""Pages that show nothing until their scripts have run: whether one is, and a real browser that runs them for the crawl."""
