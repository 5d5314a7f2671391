"""Asking for one URL: connections, limits, addresses that may not be asked, and values for all that goes wrong."""

from trasmallo.crawl.fetch.addresses import find_home
from trasmallo.crawl.fetch.fetcher import Fetcher
from trasmallo.crawl.fetch.request_limits import RequestLimits

__all__ = ["Fetcher", "RequestLimits", "find_home"]
