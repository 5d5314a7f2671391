"""Start the user's own Chromium so that it can reach nothing by itself.

Every request of a page is answered by the crawler. Whatever the browser would ask on its own, be it a socket of a script or a
look for updates, ends at a proxy that does not exist, and no name has an address for it.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from trasmallo.crawl.browser.devtools import BrowserGone, DevTools

NAMES = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "microsoft-edge",
)
"""Programs that speak the protocol. The first takes half the memory of the others, which have windows as well."""
MISSING = (
    "no browser: install Chromium (Debian: apt install chromium-headless-shell; others: chromium), or set `render` to never"
)

_START_SECONDS = 30.0  # judgement: it takes one or two; the machine may be busy
_JS_MEGABYTES = 192
"""Heap of one page's scripts. Judgement: large applications take 100; a page that wants more is ended, not the machine."""
_FLAGS = (
    "--headless=new",
    "--remote-debugging-pipe",
    "--disable-gpu",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-client-side-phishing-detection",
    "--disable-domain-reliability",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-default-apps",
    "--disable-notifications",
    "--disable-quic",
    "--disable-webgl",
    "--disable-remote-fonts",
    "--dns-prefetch-disable",
    "--no-pings",
    "--mute-audio",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    "--blink-settings=imagesEnabled=false",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-features=Translate,MediaRouter,OptimizationHints,InterestFeedContentSuggestions,SpareRendererForSitePerProcess,"
    "AutofillServerCommunication,CertificateTransparencyComponentUpdater,IsolateOrigins,site-per-process,WebTransport",
    "--renderer-process-limit=3",
    "--window-size=1280,2000",
    f"--js-flags=--max-old-space-size={_JS_MEGABYTES}",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-bypass-list=<-loopback>",
)

_EXEC = (
    "import os, sys; high = [os.dup(int(each)) for each in sys.argv[1:3]]; "
    "os.dup2(high[0], 3); os.dup2(high[1], 4); os.set_inheritable(3, True); os.set_inheritable(4, True); "
    "os.execv(sys.argv[3], sys.argv[3:])"
)
"""Becomes the browser, which looks for its pipes at the places 3 and 4."""


class CannotStart(Exception):
    """There is no browser, or it does not start; the words say what to do."""


def find_browser(environment: Mapping[str, str] | None = None) -> str:
    """The program to start, the one that the variable TRASMALLO_BROWSER names first; "" when there is none."""
    named = (environment if environment is not None else os.environ).get("TRASMALLO_BROWSER", "")
    return next((path for name in (named, *NAMES) if name and (path := shutil.which(name))), "")


class Launched:
    """A browser that runs: its commands, its process, and the folder of its profile, which goes with it."""

    def __init__(self, tools: DevTools, process: asyncio.subprocess.Process, profile: Path, closed_port: socket.socket) -> None:
        self.tools = tools
        self._process, self._profile, self._closed_port = process, profile, closed_port

    @property
    def pid(self) -> int:
        """The process that all others of this browser belong to."""
        return self._process.pid

    async def end(self) -> None:
        """Kill all its processes, and remove what it wrote."""
        self.tools.close()
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        await self._process.wait()
        self._closed_port.close()
        await asyncio.to_thread(shutil.rmtree, self._profile, ignore_errors=True)


async def launch(program: str) -> Launched:
    """Start a browser with a new profile; raises CannotStart with the repair."""
    if not program:
        raise CannotStart(MISSING)
    profile = Path(tempfile.mkdtemp(prefix="trasmallo-browser-"))
    closed_port = socket.socket()
    closed_port.bind(("127.0.0.1", 0))  # bound and not listening: whoever connects is refused, and nobody else can take it
    to_browser, from_browser = os.pipe(), os.pipe()
    flags = [*_FLAGS, f"--user-data-dir={profile}", f"--proxy-server=127.0.0.1:{closed_port.getsockname()[1]}"]
    if os.geteuid() == 0:
        flags.append("--no-sandbox")  # Chromium refuses to start as root otherwise
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-S", "-c", _EXEC, str(to_browser[0]), str(from_browser[1]), program, *flags, "about:blank",
        pass_fds=(to_browser[0], from_browser[1]),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
    )  # fmt: skip
    os.close(to_browser[0])
    os.close(from_browser[1])
    launched = Launched(DevTools(from_browser[0], to_browser[1]), process, profile, closed_port)
    try:
        async with asyncio.timeout(_START_SECONDS):
            await launched.tools.ask("Browser.getVersion")
    except (BrowserGone, TimeoutError):
        await launched.end()
        raise CannotStart(f"the browser {program} does not start: try it by hand, or set `render` to never") from None
    except BaseException:
        await launched.end()
        raise
    return launched


def memory_of(pid: int) -> int:
    """Octets of memory that the processes of a browser take together, those they share counted once; 0 when it is gone."""
    return sum(_proportional(each) for each in _group(pid))


def _group(leader: int) -> list[int]:
    found = []
    for entry in os.scandir("/proc") if Path("/proc").exists() else ():
        if entry.name.isdecimal():
            try:
                if os.getpgid(int(entry.name)) == leader or os.getsid(int(entry.name)) == leader:
                    found.append(int(entry.name))
            except (ProcessLookupError, PermissionError):
                continue
    return found


def _proportional(pid: int) -> int:
    try:
        text = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in text.splitlines() if line.startswith("Pss:"))
