"""WebSub: hubs that push what is new in a feed, so that nobody need ask for it (W3C Recommendation of 23 January 2018)."""

from trasmallo.crawl.websub.door import BODY_LIMIT, HEADERS, Door
from trasmallo.crawl.websub.offers import Offer, find_offer
from trasmallo.crawl.websub.subscriber import Settings, Subscriber
from trasmallo.crawl.websub.subscriptions import State, Subscription, Subscriptions

__all__ = [
    "BODY_LIMIT",
    "HEADERS",
    "Door",
    "Offer",
    "Settings",
    "State",
    "Subscriber",
    "Subscription",
    "Subscriptions",
    "find_offer",
]
