"""A crawl in several processes: a coordinator, workers that own a share of the hosts each, and their messages."""
