"""Results in formats that others read. Each exporter is a callable (source, path, wanted) -> number of what it wrote.

`tabular` writes tables (CSV, TSV, JSON lines, Parquet), `vertical`, `conllu` and `tei` the tokens of documents, `warc` their
raw pages. All of them stream, and all say of themselves where they come from: inside the file where the format has a place
for it, else in a file beside it (`header`). A file is there whole or not at all.
"""
