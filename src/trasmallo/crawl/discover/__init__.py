"""Where an answer leads: links of pages, entries of sitemaps and feeds."""

from trasmallo.crawl.discover.discover import Decode, Discovery, discover, holds_sitemap, kind_of
from trasmallo.crawl.discover.links import Known
from trasmallo.crawl.discover.sitemaps import USUAL_PLACES

__all__ = ["USUAL_PLACES", "Decode", "Discovery", "Known", "discover", "holds_sitemap", "kind_of"]
