"""WebSub: hubs that push what is new in a feed, so that nobody need ask for it (W3C Recommendation of 23 January 2018)."""

from trasmallo.crawl.websub.door import BODY_LIMIT, HEADERS, HubDoor
from trasmallo.crawl.websub.offers import Offer, find_offer, own_offer
from trasmallo.crawl.websub.subscriber import Settings, Subscriber
from trasmallo.crawl.websub.subscriptions import Subscription, Subscriptions, SubscriptionState

__all__ = [
    "BODY_LIMIT",
    "HEADERS",
    "HubDoor",
    "Offer",
    "Settings",
    "Subscriber",
    "Subscription",
    "SubscriptionState",
    "Subscriptions",
    "find_offer",
    "own_offer",
]
