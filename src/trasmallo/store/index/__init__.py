"""The search index of a run, over tantivy: words with their fields, ranked by BM25F, asked in a small language of its own.

`entries` says what a document brings, `words` how its words are folded, `query` what may be asked, `asking` how that becomes
tantivy's queries, `searcher` who answers, `snippets` what is quoted. Nothing here knows of runs or tables.
"""
