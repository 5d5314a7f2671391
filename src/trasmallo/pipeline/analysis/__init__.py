"""One document's analysis: from its record to the rows of every table."""
