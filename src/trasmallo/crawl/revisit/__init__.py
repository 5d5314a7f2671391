"""When a page is worth another visit: change rates, bursts and hints, and a plan that keeps the collection young.

`age` has the arithmetic of age and freshness, `rates` what is known of how often each page changes, `activity` when each site
was busy, `hints` how far sitemaps and feeds are to be trusted, `planner` the choice with its reasons, `collection` the same by
URL. Nothing here opens a socket or a file: all of it can be made again from the visits that the catalog holds.
"""
