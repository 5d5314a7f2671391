"""Whether the results of a run are whole, lost, or made again just now: the one place that tells these apart.

Who makes results again, be it by reading, studying, going on or repairing, keeps to an order:

1. there are parts to make them of (`Run.shown_parts`);
2. the manifest says that the results do not count any more (`Run.give_up_results`), and differs from all before;
3. the list of their digests goes (`digests.unseal`), then the files, and others come;
4. there is a new list (`digests.seal`);
5. the manifest says that the run is finished, and the parts go.

So something is lost only where the manifest said "finished" before it was missed, and says the very same afterwards; and what
was found by several looks at the folder belongs together where the edition before and after them is the same.
"""

from __future__ import annotations

from typing import NamedTuple

from trasmallo.store import digests
from trasmallo.store.run_folders import Run, require_kept
from trasmallo.values.errors import StoreDamaged


class Edition(NamedTuple):
    """What differs between two moments when the results of a run were replaced in between."""

    remade: int
    finished: bool
    parts: str
    inode: int


def edition_of(run: Run) -> Edition:
    """The edition of a run's results that is there now; raises StoreDamaged when nothing tells."""
    now, shown = run.reread(), run.shown_parts
    try:
        return Edition(now.manifest.remade, now.finished, shown.name, shown.stat().st_ino)
    except FileNotFoundError:
        return Edition(now.manifest.remade, now.finished, shown.name, 0)


def require_results(run: Run) -> None:
    """Raise StoreDamaged when a finished run has lost results, or their list; whoever asks may have opened it long ago.

    Raises NotFound when they were thinned out.
    """
    now = run
    while require_kept(now).finished and now.manifest.sealed:
        try:
            digests.require(run.folder)
        except StoreDamaged:
            before, now = now, run.reread()
            if now.manifest == before.manifest:
                raise
        else:
            return
