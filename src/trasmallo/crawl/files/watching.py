"""What changes below some roots, as the system tells it; where it is silent, roots are looked at from time to time.

Notifications (inotify) say which paths changed within some milliseconds and cost nothing while nothing does. File systems of
other machines do not send them, and the kernel may run out of watches: each root is watched in the way that works there, and
says which. Whatever was missed is found by the looks at everything that whoever watches makes now and then.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

import msgspec

EVENTS, POLLING = "events", "polling"
LIMIT = "fs.inotify.max_user_watches"
"""The setting of the kernel that says how many folders may be watched."""

_SILENT = ("nfs", "cifs", "smb", "fuse", "9p", "vboxsf", "afs", "ceph", "lustre", "gpfs", "glusterfs", "drvfs", "virtiofs")
"""What the types of file systems begin with that tell nothing of what others change."""
_STEP = 50  # judgement: milliseconds in which further changes are told together
_BURST = 1 / 16
"""Share of the kernel's queue that, told at once, may be the rest of more. Measured with a queue of 64 and 30,000 new files:
1,162 were never told of, and the batches had 150 to 1,450; with the usual 16,384 none was lost, in batches up to 802."""
_QUEUE = Path("/proc/sys/fs/inotify/max_queued_events")
_USUAL_QUEUE = 16_384  # what Linux has when nobody changes it
_TIMEOUT = 1_000  # milliseconds after which nothing is told where nothing changes; the first time says that it is heard


class WatchedRoot(msgspec.Struct, frozen=True):
    """How a root is watched: by events or by polling, and why."""

    path: str
    manner: str
    cause: str = ""


def manner_of(root: str, mounts: str = "") -> WatchedRoot:
    """How a root can be watched, by its file system; `mounts` is what the kernel tells of all of them."""
    kind = file_system_of(root, mounts or _mounts())
    if kind.startswith(_SILENT):
        return WatchedRoot(root, POLLING, f"{kind} tells nothing of what other machines change")
    return WatchedRoot(root, EVENTS)


def _mounts() -> str:
    try:
        return Path("/proc/self/mountinfo").read_text(encoding="utf-8", errors="surrogateescape")
    except OSError:
        return ""


def file_system_of(path: str, mounts: str) -> str:
    """The type of the file system that a path is on, as `mountinfo` tells it; "" where nobody tells."""
    best, kind, real = -1, "", os.path.realpath(path)
    for line in mounts.splitlines():
        before, _, after = line.partition(" - ")
        fields = before.split(" ")
        if len(fields) < 5 or not after:
            continue
        point = fields[4].replace("\\040", " ")
        if (real == point or real.startswith(point.rstrip("/") + "/")) and len(point) >= best:
            best, kind = len(point), after.split(" ")[0]
    return kind


async def changed_paths(roots: Sequence[str], stop: asyncio.Event) -> AsyncIterator[set[str]]:
    """Paths that changed below some roots, together those of a moment, or none; ends when `stop` is set.

    The first ones, within a second, say that every later change is heard.

    Raises OSError when the system has no watches left, or a root is gone.
    """
    from watchfiles import awatch  # compiled: loaded only by who watches

    watching = awatch(
        *roots, watch_filter=None, stop_event=stop, step=_STEP, debounce=4 * _STEP, rust_timeout=_TIMEOUT, yield_on_timeout=True
    )
    async for changes in watching:
        yield {path for _, path in changes}


def is_burst(changed: int, queue: Path = _QUEUE) -> bool:
    """Whether so many changes were told at once that the kernel may have dropped some, which it does not say."""
    try:
        most = int(queue.read_text())
    except (OSError, ValueError):
        most = _USUAL_QUEUE
    return changed >= max(1, most * _BURST)


def is_limit(error: OSError) -> bool:
    """Whether an error says that there are no watches left."""
    return "watch limit" in str(error).lower() or error.errno == 28
