"""What is still to be asked for: queues of hosts on disk, released when the hosts are due."""

from trasmallo.crawl.frontier.frontier import EmbeddedFrontier
from trasmallo.crawl.frontier.interface import Frontier, FrontierStats, HostState, Lease, Result

__all__ = ["EmbeddedFrontier", "Frontier", "FrontierStats", "HostState", "Lease", "Result"]
