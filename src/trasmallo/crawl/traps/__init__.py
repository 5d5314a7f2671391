"""Addresses that go on for ever while the pages do not, recognised by general rules."""

from trasmallo.crawl.traps.traps import TrapReport, Traps, TrapSettings

__all__ = ["TrapReport", "TrapSettings", "Traps"]
