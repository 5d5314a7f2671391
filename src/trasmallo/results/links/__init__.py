"""Links between the documents of a run: who links to whom, what anchors say, and how documents rank by it.

Pages are told apart by a 64-bit hash of their address, so that no table of addresses is in Python's memory: DuckDB joins within
its 200 or 800 MB and spills, a page takes about 100 bytes and a link 40 beside it while ranks are made.
"""
