"""Where a corpus is worked on: processes of this machine, or a Ray cluster; both run the same functions on the same files."""
