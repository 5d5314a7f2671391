"""Where an answer leads: links of pages, entries of sitemaps and feeds."""

from trasmallo.crawl.discover.discover import Decode, Discovery, discover, kind_of, page_links

__all__ = ["Decode", "Discovery", "discover", "kind_of", "page_links"]
