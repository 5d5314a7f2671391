"""A browser's process: started in a session of its own, always ended by its id, its profile thrown away."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path


class Process:
    """One browser with a fresh profile; `pass_fds` are inherited under the same numbers."""

    def __init__(self, command: Callable[[Path], Sequence[str]], pass_fds: Sequence[int] = ()) -> None:
        self.profile = Path(tempfile.mkdtemp(prefix="trasmallo-browser-"))
        self._log = (self.profile / "browser.log").open("wb")
        self._child = subprocess.Popen(
            command(self.profile),
            stdin=subprocess.DEVNULL,
            stdout=self._log,
            stderr=self._log,
            pass_fds=pass_fds,
            start_new_session=True,
            env=os.environ | {"HOME": str(self.profile), "MOZ_CRASHREPORTER_DISABLE": "1"},
        )

    def running(self) -> bool:
        """Whether the browser's first process is there."""
        return self._child.poll() is None

    def last_words(self) -> str:
        """The end of what the browser wrote, for a failure's message."""
        self._log.flush()
        return (self.profile / "browser.log").read_text(errors="replace")[-800:]

    def close(self, grace: float = 5.0) -> None:
        """Wait for an end that was asked for, else make one: the whole session, since a browser is many processes."""
        try:
            self._child.wait(grace)
        except subprocess.TimeoutExpired:
            os.killpg(self._child.pid, signal.SIGKILL)
            self._child.wait()
        self._log.close()
        shutil.rmtree(self.profile, ignore_errors=True)
