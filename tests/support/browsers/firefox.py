"""Headless Firefox through Marionette, its own remote protocol: JSON over a socket, no package and no other program."""

from __future__ import annotations

import base64
import itertools
import json
import shutil
import socket
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from support.browsers.browser_process import Process
from support.browsers.browser_script import call, read_answer
from support.waiting import PATIENCE, until

NAMES = ("firefox-esr", "firefox")
LAUNCHER = "import ctypes, os, sys; ctypes.CDLL(None).prctl(1, 9); os.execvp(sys.argv[1], sys.argv[1:])"
"""Linux ends the browser with the tests, even when these are killed; Chromium notices that by its pipe."""

PREFERENCES = {
    "marionette.port": 0,  # any free one; Firefox writes down which
    "app.update.enabled": False,
    "browser.newtabpage.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "browser.startup.page": 0,
    "datareporting.policy.dataSubmissionEnabled": False,
    "extensions.webextOptionalPermissionPrompts": False,  # a permission that is asked for is given
    "intl.locale.requested": "en-US",
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "toolkit.cosmeticAnimations.enabled": False,
}
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "ArrowRight": "\ue014", "ArrowLeft": "\ue012"}
KEYS |= {"ArrowUp": "\ue013", "ArrowDown": "\ue015", "End": "\ue010", "Home": "\ue011"}

PRESS_BUTTON = """async id => {
  const {ExtensionParent} = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
  const {extension} = WebExtensionPolicy.getByID(id);
  await ExtensionParent.apiManager.global.browserActionFor(extension).triggerAction(window);
}"""
TAB_ID = """() => {
  const {ExtensionParent} = ChromeUtils.importESModule("resource://gre/modules/ExtensionParent.sys.mjs");
  return ExtensionParent.apiManager.global.tabTracker.getId(gBrowser.selectedTab);
}"""
HEARD = """() => {
  const {nsIScriptError} = Ci, ignored = nsIScriptError.warningFlag | nsIScriptError.infoFlag;
  const told = Services.console.getMessageArray().filter(message => message instanceof nsIScriptError)
    .filter(error => !(error.flags & ignored) && error.sourceName.startsWith("http"))
    .map(error => `${error.errorMessage} ${error.sourceName}:${error.lineNumber}`);
  Services.console.reset();
  return told;
}"""
"""Errors of pages in the console since it was last emptied; what their scripts log stays in the pages' own process."""

IN_POPUP = """expression => new Promise(resolve => {
  const manager = document.querySelector(".webextension-popup-browser")?.messageManager;
  if (!manager) return resolve(null);
  const name = "trasmallo:" + Math.random();
  manager.addMessageListener(name, message => resolve(message.data));
  const script = `if (content?.location.protocol === "moz-extension:") {
    const sandbox = new Components.utils.Sandbox(content, {sandboxPrototype: content, wantXrays: false});
    Components.utils.evalInSandbox(${JSON.stringify(expression)}, sandbox)
      .then(answer => sendAsyncMessage(${JSON.stringify(name)}, answer));
  } else sendAsyncMessage(${JSON.stringify(name)}, null)`;
  manager.loadFrameScript("data:application/javascript;charset=utf-8," + encodeURIComponent(script), false);
  setTimeout(resolve, 5000, null);
})"""
"""An extension's pages forbid eval; a sandbox over the page does not ask them. A popup changes its process while it opens, and
what was sent to the old one is lost: then the answer is null."""


def find() -> str | None:
    """The program, None where none is installed."""
    return next(filter(None, map(shutil.which, NAMES)), None)


class Wire:
    """Commands and answers, each a JSON text with its length before it."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=3 * PATIENCE)
        self._reader = self._socket.makefile("rb")
        self._numbers = itertools.count(1)
        self._receive()

    def command(self, name: str, **parameters: object) -> Any:
        """The answer to one command."""
        message = json.dumps([0, next(self._numbers), name, parameters]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._receive()
        if error:
            raise RuntimeError(f"{name}: {error['error']}: {error['message']}")
        return result["value"] if isinstance(result, dict) and set(result) == {"value"} else result

    def _receive(self) -> Any:
        length = b""
        while (octet := self._reader.read(1)) != b":":
            if not octet:
                raise ConnectionError("Firefox has ended")
            length += octet
        return json.loads(self._reader.read(int(length)))

    def close(self) -> None:
        """The socket and its reader."""
        self._reader.close()
        self._socket.close()


class Tab:
    """A tab of Firefox."""

    def __init__(self, browser: Firefox, handle: str) -> None:
        self.browser = browser
        self.handle = handle

    def command(self, name: str, **parameters: object) -> Any:
        """A command of the remote protocol to this tab."""
        self.browser.turn_to(self.handle)
        return self.browser.wire.command(name, **parameters)

    def goto(self, url: str) -> Tab:
        """Load an address and wait for it."""
        self.command("WebDriver:Navigate", url=url)
        return self

    def evaluate(self, function: str, *arguments: object) -> Any:
        """What a JavaScript function (its source) gives for arguments, both as JSON; a promise is awaited."""
        self.browser.turn_to(self.handle)
        return self.browser.evaluate_here(function, arguments)

    def wait(self, function: str, *arguments: object) -> Any:
        """Evaluate until the answer is true."""
        return until(lambda: self._ask(function, arguments), function)

    def _ask(self, function: str, arguments: Sequence[object]) -> Any:
        try:
            return self.evaluate(function, *arguments)
        except RuntimeError as error:
            if "unload" in str(error) or "context" in str(error).lower() or "aborted" in str(error).lower():
                return None
            raise

    def type(self, text: str) -> None:
        """Type into what has the focus."""
        self._act([{"type": kind, "value": letter} for letter in text for kind in ("keyDown", "keyUp")])

    def press(self, key: str) -> None:
        """Press and release one key, named as in `KeyboardEvent.key`."""
        self._act([{"type": kind, "value": KEYS.get(key, key)} for kind in ("keyDown", "keyUp")])

    def drag(self, start: Sequence[float], end: Sequence[float]) -> None:
        """Press the mouse at a place of the window, move it to another one and let go there; a click where both are one."""
        (x, y), (u, v) = start, end
        moves = [
            {"type": "pointerMove", "x": int(x), "y": int(y), "duration": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerMove", "x": int(u), "y": int(v), "duration": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "parameters": {"pointerType": "mouse"}, "actions": moves}
        self.command("WebDriver:PerformActions", actions=[mouse])

    def _act(self, actions: list[dict[str, str]]) -> None:
        self.command("WebDriver:PerformActions", actions=[{"type": "key", "id": "keyboard", "actions": actions}])

    def resize(self, width: int, height: int) -> None:
        """The size of the page in CSS pixels, as near as the window's least size allows."""
        rect = self.evaluate("() => [outerWidth - innerWidth, outerHeight - innerHeight]")
        self.command("WebDriver:SetWindowRect", width=width + rect[0], height=height + rect[1])

    def screenshot(self) -> bytes:
        """A picture (PNG) of what is seen."""
        return base64.b64decode(self.command("WebDriver:TakeScreenshot", full=False, hash=False))

    def dark(self, wanted: bool) -> None:
        """Whether pages are told that the user prefers dark colours; Firefox knows it for all tabs together."""
        set_it = "value => Services.prefs.setIntPref('layout.css.prefers-color-scheme.content-override', value)"
        self.browser.in_chrome(set_it, 0 if wanted else 1)
        self.wait("wanted => matchMedia('(prefers-color-scheme: dark)').matches === wanted", wanted)

    def listen(self) -> None:
        """Keep what the console complains of from now on."""
        self.browser.in_chrome(HEARD)

    def complaints(self) -> list[str]:
        """What the console complained of since somebody last asked: errors thrown, and what a page may not do."""
        self.evaluate("() => new Promise(resolve => setTimeout(resolve))")
        return self.browser.in_chrome(HEARD)

    def close(self) -> None:
        """Close the tab, unless it is the last one: Firefox would end with it."""
        if len(self.browser.wire.command("WebDriver:GetWindowHandles")) > 1:
            self.browser.turn_to(self.handle)
            self.browser.turn_to(self.browser.wire.command("WebDriver:CloseWindow")[0])


class Popup:
    """What the extension's toolbar button opens; it lives outside of the tabs."""

    def __init__(self, browser: Firefox) -> None:
        self.browser = browser

    def evaluate(self, function: str, *arguments: object) -> Any:
        """As that of a tab."""
        return read_answer(self.browser.in_chrome(IN_POPUP, call(function, arguments)))

    def wait(self, function: str, *arguments: object) -> Any:
        """Evaluate until the answer is true."""
        return until(lambda: self._ask(function, arguments), function)

    def _ask(self, function: str, arguments: Sequence[object]) -> Any:
        try:
            return self.evaluate(function, *arguments)
        except RuntimeError:
            return None

    def close(self) -> None:
        """Close it, as a click elsewhere does."""
        hide = "() => document.querySelector('.webextension-popup-browser')?.closest('panel')?.hidePopup()"
        self.browser.in_chrome(hide)


class Firefox:
    """One headless Firefox."""

    name = "firefox"

    def __init__(self, program: str) -> None:
        self._process = Process(lambda profile: self._command_line(program, profile))
        note = self._process.profile / "MarionetteActivePort"
        port = until(lambda: note.is_file() and note.read_text(), "Firefox to start")
        self.wire = Wire(int(port))
        session = self.wire.command("WebDriver:NewSession")
        self.version = f"Firefox/{session['capabilities']['browserVersion']}"
        self.wire.command("WebDriver:SetTimeouts", script=int(2000 * PATIENCE), pageLoad=int(1000 * PATIENCE))
        self.extension = ""
        self._base = ""
        self._turned_to = ""

    def _command_line(self, program: str, profile: Path) -> list[str]:
        lines = (f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in PREFERENCES.items())
        (profile / "user.js").write_text("".join(lines))
        options = ["--headless", "--no-remote", "--marionette", "--remote-allow-system-access"]
        launcher = [sys.executable, "-c", LAUNCHER] if sys.platform == "linux" else []
        return [*launcher, program, *options, "--profile", str(profile), "about:blank"]

    def turn_to(self, handle: str) -> None:
        """Bring a tab to the front, unless it is there."""
        if handle != self._turned_to:
            self.wire.command("WebDriver:SwitchToWindow", handle=handle)
            self._turned_to = handle

    def evaluate_here(self, function: str, arguments: Sequence[object]) -> Any:
        """Evaluate in the tab in front, or in the browser's own window."""
        script = "const done = arguments[0]; " + call(function, arguments) + ".then(done);"
        return read_answer(self.wire.command("WebDriver:ExecuteAsyncScript", script=script, args=[]))

    def in_chrome(self, function: str, *arguments: object) -> Any:
        """Evaluate in the browser's own window."""
        self.wire.command("Marionette:SetContext", value="chrome")
        try:
            return self.evaluate_here(function, arguments)
        finally:
            self.wire.command("Marionette:SetContext", value="content")

    def open(self, url: str = "about:blank") -> Tab:
        """A new tab in front."""
        tab = Tab(self, self.wire.command("WebDriver:NewWindow", type="tab")["handle"])
        self.turn_to(tab.handle)
        return tab.goto(url) if url != "about:blank" else tab

    def install(self, folder: Path) -> None:
        """Load an extension from its folder, or its zip."""
        self.extension = self.wire.command("Addon:Install", path=str(folder), temporary=True)
        self._base = self.in_chrome("id => WebExtensionPolicy.getByID(id).getURL('')", self.extension)

    def extension_page(self, path: str) -> Tab:
        """A page of the extension in a tab of its own."""
        return self.open(self._base + path)

    def popup(self, tab: Tab) -> Popup:
        """Press the extension's toolbar button on a tab, as a user does, and give what opens."""
        self.turn_to(tab.handle)
        self.in_chrome(PRESS_BUTTON, self.extension)
        popup = Popup(self)
        until(lambda: self.in_chrome("() => !!document.querySelector('.webextension-popup-browser')"), "the popup")
        popup.wait("() => location.protocol === 'moz-extension:' && document.readyState === 'complete'")
        return popup

    def tab_id(self, popup: Popup) -> int:
        """The number that extensions know the tab in front by."""
        return self.in_chrome(TAB_ID)

    def close(self) -> None:
        """End it, asked first."""
        try:
            self.wire.command("Marionette:Quit", flags=["eForceQuit"])
        except (ConnectionError, OSError, RuntimeError):
            pass
        finally:
            self.wire.close()
            self._process.close()
