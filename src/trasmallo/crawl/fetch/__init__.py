"""Asking for one URL: connections, limits, addresses that may not be asked, and values for all that goes wrong."""

from trasmallo.crawl.fetch.addresses import Addresses, Resolver, is_local_name, is_private
from trasmallo.crawl.fetch.fetcher import Fetcher
from trasmallo.crawl.fetch.misfortune import Misfortune
from trasmallo.crawl.fetch.permissions import Permissions, places
from trasmallo.crawl.fetch.request_limits import RequestLimits

__all__ = [
    "Addresses",
    "Fetcher",
    "Misfortune",
    "Permissions",
    "RequestLimits",
    "Resolver",
    "is_local_name",
    "is_private",
    "places",
]
