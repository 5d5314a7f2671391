"""What is still to be asked for: queues of hosts on disk, released when the hosts are due."""

from trasmallo.crawl.frontier.embedded import EmbeddedFrontier
from trasmallo.crawl.frontier.interface import (
    Close,
    DropExcluded,
    EntryFilter,
    Frontier,
    FrontierStats,
    HostState,
    Lease,
    LeaseLost,
    LeaseReply,
    Reprioritise,
    Result,
    Retry,
    Write,
)

__all__ = [
    "Close",
    "DropExcluded",
    "EmbeddedFrontier",
    "EntryFilter",
    "Frontier",
    "FrontierStats",
    "HostState",
    "Lease",
    "LeaseLost",
    "LeaseReply",
    "Reprioritise",
    "Result",
    "Retry",
    "Write",
]
