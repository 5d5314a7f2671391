"""Crawls that keep to a topic: pages are classified, links scored by what is known before they are followed."""

from trasmallo.crawl.focus.model import FocusModel, Hub, Reason
from trasmallo.crawl.focus.notes import SeenLink, SeenPage
from trasmallo.crawl.focus.topic import Example, FocusSetup, Mark, Topic

__all__ = ["Example", "FocusModel", "FocusSetup", "Hub", "Mark", "Reason", "SeenLink", "SeenPage", "Topic"]
