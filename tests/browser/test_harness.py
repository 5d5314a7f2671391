"""The harness itself: browsers start, load an extension, press its button, run functions, and leave nothing behind."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from browser.conftest import Browser, Evaluate
from support.browsers import chromium
from support.browsers.browser_process import Process
from support.browsers.browser_script import ScriptError
from support.browsers.chromium import Chromium
from support.browsers.loopback_site import Site
from support.waiting import Stuck, until

MANIFEST = {
    "manifest_version": 3,
    "name": "small",
    "version": "1",
    "action": {"default_popup": "popup.html"},
    "permissions": ["activeTab", "scripting"],
    "browser_specific_settings": {"gecko": {"id": "small@example.org"}},
}
COLOUR = """async tab => {
  const api = globalThis.browser ?? chrome;
  await api.scripting.executeScript({target: {tabId: tab}, func: () => { document.body.dataset.seen = "yes"; }});
}"""

HEAD = "<!doctype html><link rel='icon' href='data:,'>"


def test_functions_run_in_a_plain_page(evaluate: Evaluate, tmp_path: Path) -> None:
    script = tmp_path / "double.js"
    script.write_text("globalThis.double = list => list.map(number => 2 * number);")
    assert evaluate([script], "list => double(list)", [1, 2.5]) == [2, 5]
    assert evaluate([script], "async text => text + globalThis.double.length", "ñ\u2028😀") == "ñ\u2028😀1"
    assert evaluate([], "argument => argument", None) is None
    big = ["x" * 1000] * 2000
    assert evaluate([script], "list => list", big) == big


def test_what_a_function_throws_is_told(evaluate: Evaluate) -> None:
    with pytest.raises(ScriptError, match="too small"):
        evaluate([], "() => { throw new Error('too small'); }", 1)


def test_keys_pictures_and_colours(browser: Browser, site: Site, keep_picture: Callable[[bytes, str], None]) -> None:
    tab = browser.open(
        site.add("/keys.html", "<!doctype html><title>keys</title><input><button onclick='this.id=1'>b</button>")
    )
    tab.evaluate("() => document.querySelector('input').focus()")
    tab.type("añb")
    tab.press("Tab")
    tab.press("Enter")
    assert tab.evaluate("() => [document.querySelector('input').value, document.querySelector('button').id]") == ["añb", "1"]
    for wanted in (True, False):
        tab.dark(wanted)
        assert tab.evaluate("() => matchMedia('(prefers-color-scheme: dark)').matches") is wanted
    picture = tab.screenshot()
    keep_picture(picture, "keys")
    assert picture.startswith(b"\x89PNG")
    tab.close()


def test_an_extension_s_button_gives_it_the_page(browser: Browser, site: Site, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST))
    (tmp_path / "popup.html").write_text("<!doctype html><title>small</title><p>popup")
    before = browser.extension, getattr(browser, "_base", "")
    browser.install(tmp_path)
    tab = browser.open(site.add("/button.html", "<!doctype html><title>button</title><p>page"))
    popup = browser.popup(tab)
    assert popup.evaluate("() => document.title") == "small"
    number = browser.tab_id(popup)
    popup.close()
    page = browser.extension_page("popup.html")
    page.evaluate(COLOUR, number)
    assert tab.evaluate("() => document.body.dataset.seen") == "yes"
    page.close()
    tab.close()
    browser.extension, browser._base = before  # type: ignore[union-attr]


def test_a_browser_that_hangs_is_ended_by_its_id() -> None:
    process = Process(lambda _: ["sleep", "1000"])
    number = process._child.pid
    process.close(grace=0.01)
    assert not process.profile.exists()
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_waiting_ends() -> None:
    with pytest.raises(Stuck, match="waited 0 s for nothing"):
        until(lambda: None, "nothing", patience=0.0)


@pytest.mark.skipif(
    not chromium.find(), reason="no chromium on this machine: install it, on Debian with: apt-get install chromium"
)
def test_a_browser_s_end_is_noticed() -> None:
    ended = Chromium(chromium.find() or "")
    try:
        os.killpg(ended._process._child.pid, 9)
        with pytest.raises(ConnectionError):
            ended.open()
    finally:
        ended.close()


@pytest.mark.parametrize(
    ("script", "told"),
    [
        ("<script>throw new Error('broken on purpose')</script>", "broken on purpose"),
        ("<script>console.error('said on purpose')</script>", "said on purpose"),
        ("<script>Promise.reject(new Error('left on purpose'))</script>", "left on purpose"),
        ("<script>console.log('nothing')</script>", ""),
    ],
)
def test_what_the_console_complains_of_is_heard(browser: Browser, site: Site, script: str, told: str) -> None:
    if browser.name == "firefox" and "console.error" in script:
        pytest.skip("what a script logs stays in its process")
    tab = browser.open(site.add("/quiet.html", HEAD + "<title>quiet</title>"))
    tab.listen()
    tab.goto(site.add("/complains.html", HEAD + "<title>complains</title>" + script))
    heard = tab.complaints()
    tab.close()
    assert [told in one for one in heard] == [True] * bool(told), heard
