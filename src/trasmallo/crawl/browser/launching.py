"""Start the user's own Chromium so that it can reach nothing by itself.

Every request of a page is answered by the crawler. Whatever the browser would ask on its own, be it a socket of a script or a
look for updates, ends at a proxy that does not exist, and no name has an address for it.

Where we are root, the browser is not: it runs as nobody, with a folder of its own, so that its sandbox works where the system
allows name spaces to users. Only where that fails is it started without the sandbox.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import sys
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

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
# A whole Chromium takes 463 MB with a small page; without a window of its own and with the network's part inside it 269
# (`benchmarks/rendering.py speed`). It asks nobody by itself, so that part has nothing to be kept from.
RENDERING = (
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
    "--enable-features=NetworkServiceInProcess2",
    "--no-startup-window",
    "--renderer-process-limit=3",
    "--window-size=1280,2000",
    f"--js-flags=--max-old-space-size={_JS_MEGABYTES}",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-bypass-list=<-loopback>",
)
"""Flags of a browser that renders pages."""
WINDOW = (
    "--remote-debugging-pipe",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-networking",
    "--password-store=basic",
    "--use-mock-keychain",
)
"""Flags of a browser in which the user logs in: it has a window and the network, and forgets all at its end."""

_EXEC = (
    "import os, sys; user = int(sys.argv.pop(1)); "
    "user and (os.setgroups([]), os.setgid(user), os.setuid(user)); high = [os.dup(int(each)) for each in sys.argv[1:3]]; "
    "os.dup2(high[0], 3); os.dup2(high[1], 4); os.set_inheritable(3, True); os.set_inheritable(4, True); "
    "os.execv(sys.argv[3], sys.argv[3:])"
)
"""Becomes the browser, which looks for its pipes at the places 3 and 4, as another user if one is named."""
_NOBODY = 65_534
"""The number of the user who owns nothing, as Linux has it."""


class Guard(NamedTuple):
    """How far a browser is kept from the machine: the number of the `user` that it runs as (0 for ours), and its sandbox."""

    user: int
    sandbox: bool

    def __str__(self) -> str:
        sandbox = "in its sandbox" if self.sandbox else "without its sandbox"
        return f"{sandbox}, as another user" if self.user else sandbox


class CannotStart(Exception):
    """There is no browser, or it does not start; the words say what to do."""


def find_browser(environment: Mapping[str, str] | None = None, *, without: str = "") -> str:
    """The program to start, the one that the variable TRASMALLO_BROWSER names first, `without` one; "" when there is none."""
    named = (environment if environment is not None else os.environ).get("TRASMALLO_BROWSER", "")
    return next((path for name in (named, *NAMES) if name and name != without and (path := shutil.which(name))), "")


class Launched:
    """A browser that runs: its commands, its process, and the folder of its profile, which goes with it."""

    def __init__(
        self, tools: DevTools, process: asyncio.subprocess.Process, profile: Path, closed_port: socket.socket, guard: Guard
    ) -> None:
        self.tools, self.guard = tools, guard
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


async def launch(program: str, guards: Sequence[Guard] | None = None, flags: Sequence[str] = RENDERING) -> Launched:
    """Start a browser with a new profile, in the first way of `guards` that works; raises CannotStart with the repair.

    With the usual `flags` it shows nothing and reaches nothing.
    """
    if not program:
        raise CannotStart(MISSING)
    for guard in guards or usual_guards():
        launched = await _start(program, guard, flags)
        try:
            async with asyncio.timeout(_START_SECONDS):
                await launched.tools.ask("Browser.getVersion")
            return launched
        except (BrowserGone, TimeoutError):
            await launched.end()
        except BaseException:
            await launched.end()
            raise
    raise CannotStart(f"the browser {program} does not start: try it by hand, or set `render` to never")


def usual_guards() -> tuple[Guard, ...]:
    """Ways to start a browser, the safest first; a user who is not root has his own rights to lose, and no other way."""
    if os.geteuid() != 0:
        return (Guard(user=0, sandbox=True),)
    return (Guard(user=_NOBODY, sandbox=True), Guard(user=_NOBODY, sandbox=False), Guard(user=0, sandbox=False))


async def _start(program: str, guard: Guard, usual: Sequence[str]) -> Launched:
    profile = Path(tempfile.mkdtemp(prefix="trasmallo-browser-"))
    if guard.user:
        os.chown(profile, guard.user, guard.user)
    closed_port = socket.socket()
    closed_port.bind(("127.0.0.1", 0))  # bound and not listening: whoever connects is refused, and nobody else can take it
    to_browser, from_browser = os.pipe(), os.pipe()
    flags = [*usual, f"--user-data-dir={profile}"]
    if usual is RENDERING:
        flags.append(f"--proxy-server=127.0.0.1:{closed_port.getsockname()[1]}")
    if not guard.sandbox:
        flags.append("--no-sandbox")  # Chromium refuses to start as root otherwise
    ends = (str(guard.user), str(to_browser[0]), str(from_browser[1]))
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-I", "-S", "-c", _EXEC, *ends, program, *flags,
        pass_fds=(to_browser[0], from_browser[1]),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
        start_new_session=True,
        cwd="/",
        env={**os.environ, "HOME": str(profile)},
    )  # fmt: skip
    os.close(to_browser[0])
    os.close(from_browser[1])
    return Launched(DevTools(from_browser[0], to_browser[1]), process, profile, closed_port, guard)


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
