"""One module a family of formats; each reader writes a document to a page of `marked`."""
