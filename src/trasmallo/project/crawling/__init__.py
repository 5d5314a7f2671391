"""The crawl of a run: in the hall's own process, or in several that share the hosts."""
