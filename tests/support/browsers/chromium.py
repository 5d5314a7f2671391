"""Headless Chromium through its debugging pipe: no port, no package; the pipe alone may press an extension's toolbar button."""

from __future__ import annotations

import base64
import fcntl
import itertools
import json
import os
import select
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support.browsers.browser_process import Process
from support.browsers.browser_script import call, read_answer
from support.waiting import PATIENCE, Stuck, until

NAMES = ("chromium", "chromium-browser", "google-chrome")
LAUNCHER = "import os, sys; os.dup2(int(sys.argv[1]), 3); os.dup2(int(sys.argv[2]), 4); os.execvp(sys.argv[3], sys.argv[3:])"
"""Chromium reads commands from descriptor 3 and answers on 4, whatever their numbers are here."""

KEYS = {"Enter": 13, "Tab": 9, "Escape": 27, "ArrowRight": 39, "ArrowLeft": 37, "ArrowUp": 38, "ArrowDown": 40, " ": 32}
KEYS |= {"End": 35, "Home": 36, "/": 191} | {letter: ord(letter.upper()) for letter in "abcdefghijklmnopqrstuvwxyz"}


def find() -> str | None:
    """The program, None where none is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Pipe:
    """Commands and answers, each a JSON text with a zero byte behind it."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._unread = b""
        self.events: list[dict[str, Any]] = []
        theirs_in, self._out = os.pipe()
        self._in, theirs_out = os.pipe()
        self.theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (theirs_in, theirs_out)]
        for end in (theirs_in, theirs_out):
            os.close(end)

    def started(self) -> None:
        """The browser has its ends: close ours, so that its end is seen."""
        for end in self.theirs:
            os.close(end)

    def command(self, method: str, session: str | None = None, **parameters: object) -> dict[str, Any]:
        """The answer to one command; events on the way are kept, those that some page was asked to tell."""
        number = next(self._numbers)
        message: dict[str, object] = {"id": number, "method": method, "params": parameters}
        if session:
            message["sessionId"] = session
        self._send(json.dumps(message).encode() + b"\0")
        while (answer := self._next(method)).get("id") != number:
            self.events.append(answer)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        return answer["result"]

    def _send(self, octets: bytes) -> None:
        while octets:
            octets = octets[os.write(self._out, octets) :]

    def _next(self, method: str) -> dict[str, Any]:
        pieces = [self._unread]
        while b"\0" not in pieces[-1]:
            if not select.select([self._in], [], [], 3 * PATIENCE)[0]:
                raise Stuck(f"no answer to {method}")
            if not (read := os.read(self._in, 1 << 20)):
                raise ConnectionError("Chromium has ended")
            pieces.append(read)
        message, _, self._unread = b"".join(pieces).partition(b"\0")
        return json.loads(message)

    def close(self) -> None:
        """Both ends."""
        os.close(self._out)
        os.close(self._in)


class Tab:
    """A page of Chromium: a tab, an extension's popup or side panel."""

    def __init__(self, browser: Chromium, target: str) -> None:
        self.browser = browser
        self.target = target
        self._session: str = browser.pipe.command("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def command(self, method: str, **parameters: object) -> dict[str, Any]:
        """A command of the debugging protocol to this page."""
        return self.browser.pipe.command(method, self._session, **parameters)

    def goto(self, url: str) -> Tab:
        """Load an address and wait for it."""
        loader = self.command("Page.navigate", url=url)
        if "errorText" in loader:
            raise RuntimeError(f"{url}: {loader['errorText']}")
        self.wait("() => document.readyState === 'complete'")
        return self

    def evaluate(self, function: str, *arguments: object) -> Any:
        """What a JavaScript function (its source) gives for arguments, both as JSON; a promise is awaited."""
        expression = call(function, arguments)
        answer = self.command(
            "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True, userGesture=True
        )
        return read_answer(answer["result"].get("value"))

    def wait(self, function: str, *arguments: object) -> Any:
        """Evaluate until the answer is true."""
        return until(lambda: self._ask(function, arguments), function)

    def _ask(self, function: str, arguments: Sequence[object]) -> Any:
        try:
            return self.evaluate(function, *arguments)
        except RuntimeError as error:
            if "context" in str(error).lower() or "navigated" in str(error):
                return None
            raise

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self.command("Input.insertText", text=text)

    def press(self, key: str) -> None:
        """Press and release one key, named as in `KeyboardEvent.key`."""
        code = {"windowsVirtualKeyCode": KEYS[key], "key": key, "code": "Space" if key == " " else key}
        text = {"Enter": "\r"}.get(key, key if len(key) == 1 else None)
        self.command(
            "Input.dispatchKeyEvent", type="keyDown" if text else "rawKeyDown", **code, **({"text": text} if text else {})
        )
        self.command("Input.dispatchKeyEvent", type="keyUp", **code)

    def drag(self, start: Sequence[float], end: Sequence[float]) -> None:
        """Press the mouse at a place of the window, move it to another one and let go there; a click where both are one."""
        for kind, (x, y), buttons in (("mousePressed", start, 1), ("mouseMoved", end, 1), ("mouseReleased", end, 0)):
            self.command("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=buttons, clickCount=1)

    def resize(self, width: int, height: int) -> None:
        """The size of the page in CSS pixels."""
        self.command("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def screenshot(self) -> bytes:
        """A picture (PNG) of what is seen."""
        return base64.b64decode(self.command("Page.captureScreenshot", format="png")["data"])

    def dark(self, wanted: bool) -> None:
        """Whether the page is told that the user prefers dark colours."""
        feature = {"name": "prefers-color-scheme", "value": "dark" if wanted else "light"}
        self.command("Emulation.setEmulatedMedia", features=[feature])

    def listen(self) -> None:
        """Keep what the console complains of from now on."""
        self.command("Runtime.enable")
        self.command("Log.enable")

    def complaints(self) -> list[str]:
        """What the console complained of since somebody last asked: errors thrown, logged, and files that did not come."""
        self.evaluate("() => new Promise(resolve => setTimeout(resolve))")
        events, self.browser.pipe.events = self.browser.pipe.events, []
        return [told for event in events if (told := _complaint(event))]

    def close(self) -> None:
        """Close the page; one that closed itself is fine."""
        try:
            self.browser.pipe.command("Target.closeTarget", targetId=self.target)
        except RuntimeError:
            return


def _complaint(event: dict[str, Any]) -> str:
    """What an event complains of, "" for one that does not."""
    told = event["params"]
    if event["method"] == "Runtime.exceptionThrown":
        thrown = told["exceptionDetails"]
        return f"{thrown['text']} {thrown.get('exception', {}).get('description', '')}"
    if event["method"] == "Runtime.consoleAPICalled" and told["type"] in ("error", "assert"):
        return " ".join(str(value.get("value", value.get("description"))) for value in told["args"])
    if event["method"] == "Log.entryAdded" and told["entry"]["level"] in ("error", "warning"):
        return f"{told['entry']['text']} {told['entry'].get('url', '')}"
    return ""


class Chromium:
    """One headless Chromium."""

    name = "chromium"

    def __init__(self, program: str) -> None:
        self.pipe = Pipe()
        self._process = Process(lambda profile: self._command_line(program, profile), self.pipe.theirs)
        self.pipe.started()
        self.extension = ""
        self.version: str = self.pipe.command("Browser.getVersion")["product"]

    def _command_line(self, program: str, profile: Path) -> list[str]:
        root = ["--no-sandbox"] if os.geteuid() == 0 else []
        options = ["--headless=new", "--remote-debugging-pipe", "--enable-unsafe-extension-debugging", "--no-first-run"]
        quiet = ["--disable-background-networking", "--disable-component-update", "--mute-audio", "--lang=en-US"]
        ends = [str(end) for end in self.pipe.theirs]
        here = [f"--user-data-dir={profile / 'profile'}", "--window-size=1280,900", "about:blank"]
        return [sys.executable, "-c", LAUNCHER, *ends, program, *options, *quiet, *root, *here]

    def open(self, url: str = "about:blank") -> Tab:
        """A new tab in front."""
        tab = Tab(self, self.pipe.command("Target.createTarget", url="about:blank")["targetId"])
        return tab.goto(url) if url != "about:blank" else tab

    def install(self, folder: Path) -> None:
        """Load an extension from its folder."""
        self.extension = self.pipe.command("Extensions.loadUnpacked", path=str(folder))["id"]

    def extension_page(self, path: str) -> Tab:
        """A page of the extension in a tab of its own."""
        return self.open(f"chrome-extension://{self.extension}/{path}")

    def popup(self, tab: Tab) -> Tab:
        """Press the extension's toolbar button on a tab, as a user does, and give what opens."""
        self.pipe.command("Target.activateTarget", targetId=tab.target)
        (pressed,) = (info["targetId"] for info in self._targets("tab") if self._holds(info["targetId"], tab.target))
        before = {info["targetId"] for info in self._targets("page")}
        self.pipe.command("Extensions.triggerAction", id=self.extension, targetId=pressed)
        popup = Tab(self, until(lambda: self._opened(before), "the popup"))
        popup.wait("() => document.readyState === 'complete'")
        return popup

    def tab_id(self, popup: Tab) -> int:
        """The number that extensions know the tab in front by, asked from their side."""
        return popup.evaluate("async () => (await chrome.tabs.query({active: true, lastFocusedWindow: true}))[0].id")

    def _opened(self, before: set[str]) -> str | None:
        fresh = [i for i in self._targets("page") if i["targetId"] not in before and self.extension in i["url"]]
        return fresh[0]["targetId"] if fresh else None

    def _targets(self, kind: str) -> list[dict[str, Any]]:
        found = self.pipe.command("Target.getTargets", filter=[{"type": kind, "exclude": False}])
        return found["targetInfos"]

    def _holds(self, tab: str, page: str) -> bool:
        """Whether a page stands in a tab; asked by address, which tests keep apart."""
        urls = {i["targetId"]: i["url"] for kind in ("tab", "page") for i in self._targets(kind)}
        return urls.get(tab) == urls.get(page)

    def close(self) -> None:
        """End it, asked first."""
        try:
            self.pipe.command("Browser.close")
        except (ConnectionError, Stuck, OSError, RuntimeError):
            pass
        finally:
            self.pipe.close()
            self._process.close()
