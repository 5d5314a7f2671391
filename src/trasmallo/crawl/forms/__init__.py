"""Forms of pages: which there are, what may be asked of them, and the questions that bring what no link leads to."""
