"""Where an answer leads: links of pages, entries of sitemaps and feeds."""

from trasmallo.crawl.discover.discover import Decode, Discovery, discover, kind_of, page_links
from trasmallo.crawl.discover.links import Known

__all__ = ["Decode", "Discovery", "Known", "discover", "kind_of", "page_links"]
