"""The web app as a process of its own that is asked over HTTP, and may be killed."""

from __future__ import annotations

import http.client
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import msgspec

QUESTIONS = ("", "/tables/words", "/tables/pages?sort=-words", "/search?query=malo", "/concordance?query=pelo", "/incidents")
"""What the app is asked about a project, under /api."""


class ServedApp:
    """`trasmallo serve` over some projects, told to keep its token in `data`; what it complains of goes to `data/errors`."""

    def __init__(self, projects: Sequence[Path], data: Path) -> None:
        data.mkdir(parents=True, exist_ok=True)
        self.errors = data / "errors"
        command = [sys.executable, "-P", "-m", "trasmallo", "serve", *map(str, projects), "--port", "0", "--json"]
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=errors, env=os.environ | {"XDG_DATA_HOME": str(data)}
            )
        assert self.process.stdout is not None
        told = msgspec.json.decode(self.process.stdout.readline())
        self._token = told["token"]
        self._place = told["address"].partition("//")[2].partition("/")[0]

    def ask(self, path: str) -> tuple[int, bytes]:
        """Status and body of an address; raises OSError or HTTPException when nobody answers."""
        line = http.client.HTTPConnection(self._place, timeout=60)
        try:
            line.request("GET", path, headers={"Authorization": f"Bearer {self._token}", "Accept": "application/json"})
            answer = line.getresponse()
            return answer.status, answer.read()
        finally:
            line.close()

    def close(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.communicate()
